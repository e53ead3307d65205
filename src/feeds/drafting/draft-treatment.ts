import type { GemProductType } from '../../database/tables/gems.ts'
import type { FieldName } from '../mapping/fields.ts'
import type { FeedMapping } from '../mapping/mapping.ts'
import { readColor } from '../values/color.ts'
import { readFlag } from '../values/spelling.ts'
import { readDiamondTreatment, readTreatment, saysUntreated } from '../values/treatment.ts'
import type { Growth } from './kind/draft-growth.ts'
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

/** The fields that may state a treatment. */
export const TREATMENT_FIELDS: readonly FieldName[] = [
  'treatment',
  ...FLAGS.map(([field]) => field),
]

interface TreatedStone {
  treatment: string
  /** The column that says so. */
  at: number | undefined
}

const UNTREATED_GEMSTONE = 'none'
/** Of a lab grown stone these describe how it was grown, and most of them have it. */
const GROWTH = /HPHT|CVD|GROW/i

/**
 * Returns the treatment that the row states; undefined for an untreated diamond, and for a gemstone
 * of which nothing is said. Of an untreated gemstone it is `none`, because hardly any is untreated.
 */
export function draftTreatment(
  cell: CellReader,
  at: FeedMapping['at'],
  kind: GemProductType,
  { type, remarked }: Pick<Growth, 'type' | 'remarked'>,
): TreatedStone | undefined {
  if (kind === 'gemstone') {
    const found = statedTreatments(cell, at, readTreatment)[0] ?? remarked
    if (found) return { ...found, treatment: found.treatment.toLowerCase() }
    if (!saysUntreated(cell('treatment'))) return undefined
    return { treatment: UNTREATED_GEMSTONE, at: at.treatment }
  }
  const columns = statedTreatments(cell, at, readDiamondTreatment)
  const stated = columns.length === 0 && remarked ? eachOf(remarked) : columns
  if (type === 'mined') return joined(stated)
  return joined(stated.filter(({ treatment }) => !GROWTH.test(treatment)))
}

/** A remark may state several treatments. */
function eachOf({ treatment, at }: TreatedStone): TreatedStone[] {
  return treatment.split(', ').map((each) => ({ treatment: each, at }))
}

function joined(stated: readonly TreatedStone[]): TreatedStone | undefined {
  if (stated.length === 0) return undefined
  return { treatment: stated.map(({ treatment }) => treatment).join(', '), at: stated[0].at }
}

/** What the column of treatments says, otherwise what the columns for one treatment each say. */
function statedTreatments(
  cell: CellReader,
  at: FeedMapping['at'],
  read: typeof readTreatment,
): TreatedStone[] {
  const text = cell('treatment')
  if (text !== '') {
    const treatment = readFlag(text) === true ? 'treated' : read(text)
    if (treatment !== undefined) return [{ treatment, at: at.treatment }]
  }
  const stated: TreatedStone[] = []
  for (const [field, meaning] of FLAGS) {
    if (at[field] === undefined) continue
    const treatment = flaggedTreatment(cell(field), meaning, read)
    if (treatment !== undefined) stated.push({ treatment, at: at[field] })
  }
  return stated
}

/** A plain yes means the treatment that the column is named after; other words are their own. */
function flaggedTreatment(
  text: string,
  meaning: string,
  read: typeof readTreatment,
): string | undefined {
  const flag = readFlag(text)
  if (flag !== undefined) return flag ? meaning : undefined
  const treatment = read(text)
  // `Treated Color` names the color that the treatment gave.
  return treatment !== undefined && readColor(text) !== undefined ? meaning : treatment
}
