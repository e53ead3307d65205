import type { FieldName } from '../mapping/fields.ts'
import type { FeedMapping } from '../mapping/mapping.ts'
import { readFlag, readTreatment } from '../values/words.ts'
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
  /** The column that says so. */
  field: FieldName
}

/** Returns the treatment that any column of the row states, or undefined. */
export function draftTreatment(cell: CellReader, at: FeedMapping['at']): TreatedStone | undefined {
  const said = readTreatment(cell('treatment'))
  if (said !== undefined) return { treatment: said, field: 'treatment' }
  for (const [field, meaning] of FLAGS) {
    if (at[field] === undefined) continue
    const text = cell(field)
    const flag = readFlag(text)
    if (flag === true) return { treatment: meaning, field }
    const words = flag === false ? undefined : readTreatment(text)
    if (words !== undefined) return { treatment: words, field }
  }
  return undefined
}
