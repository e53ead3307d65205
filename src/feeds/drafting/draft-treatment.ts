import type { GemProductType } from '../../database/tables/gems.ts'
import type { FieldName } from '../mapping/fields.ts'
import type { FeedMapping } from '../mapping/mapping.ts'
import { readFlag, readTreatment } from '../values/words.ts'
import type { Growth } from './draft-growth.ts'
import type { CellReader } from './row-reader.ts'

/** Columns for one treatment each, and what a plain yes in them means. */
const FLAGS = [
  ['clarity_enhanced', 'clarity enhanced'],
  ['color_enhanced', 'color enhanced'],
  ['hpht_treated', 'HPHT'],
  ['irradiated', 'irradiated'],
  ['laser_drilled', 'laser drilled'],
  ['other_treatment', 'treated'],
] as const satisfies readonly (readonly [FieldName, string])[]

interface TreatedStone {
  treatment: string
  /** The column that says so; undefined for a gemstone that nothing is said of. */
  at: number | undefined
}

const UNTREATED_GEMSTONE = 'none'
/** Of a lab grown stone these describe how it was grown, and most of them have it. */
const GROWTH = /HPHT|CVD|GROW/i

/**
 * Returns the treatment that the columns of the row state; undefined for an untreated diamond. Of a
 * gemstone it is always stated, in lower case, because hardly any is untreated.
 */
export function draftTreatment(
  cell: CellReader,
  at: FeedMapping['at'],
  kind: GemProductType,
  { type, treatedAt }: Pick<Growth, 'type' | 'treatedAt'>,
): TreatedStone | undefined {
  const [first, ...others] = statedTreatments(cell, at)
  if (kind === 'gemstone') {
    return first ? { ...first, treatment: first.treatment.toLowerCase() } : NOT_STATED
  }
  const stated = first === undefined ? [] : [first, ...others]
  if (type === 'mined') {
    if (stated.length === 0 && treatedAt !== undefined) return { treatment: 'HPHT', at: treatedAt }
    return joined(stated)
  }
  return joined(stated.filter(({ treatment }) => !GROWTH.test(treatment)))
}

const NOT_STATED: TreatedStone = { treatment: UNTREATED_GEMSTONE, at: undefined }

function joined(stated: readonly TreatedStone[]): TreatedStone | undefined {
  if (stated.length === 0) return undefined
  return { treatment: stated.map(({ treatment }) => treatment).join(', '), at: stated[0].at }
}

/** What the column of treatments says, otherwise what the columns for one treatment each say. */
function statedTreatments(cell: CellReader, at: FeedMapping['at']): TreatedStone[] {
  const text = cell('treatment')
  if (text !== '') {
    const treatment = readFlag(text) === true ? 'treated' : readTreatment(text)
    if (treatment !== undefined) return [{ treatment, at: at.treatment }]
  }
  const stated: TreatedStone[] = []
  for (const [field, meaning] of FLAGS) {
    if (at[field] === undefined) continue
    const treatment = flaggedTreatment(cell(field), meaning)
    if (treatment !== undefined) stated.push({ treatment, at: at[field] })
  }
  return stated
}

/** A plain yes means the treatment that the column is named after; other words are their own. */
function flaggedTreatment(text: string, meaning: string): string | undefined {
  const flag = readFlag(text)
  if (flag !== undefined) return flag ? meaning : undefined
  return readTreatment(text)
}
