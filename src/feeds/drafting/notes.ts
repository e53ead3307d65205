import type { FieldName } from '../mapping/fields.ts'
import { copyText } from '../reading/raw-row.ts'
import { saysNothing } from '../values/spelling.ts'
import type { CellReader } from './row-reader.ts'

/** A value that could not be read. Its stones are sold without it. */
export interface UnreadableValue {
  field: string
  value: string
  /** The first row that has it, when known. */
  row: number | null
  count: number
}

/** A laboratory outside the reference list. Its stones are sold without a lab. */
export interface OtherLab {
  lab_original: string
  count: number
}

interface NoteCounts {
  si3: number
  /** Parcels of round stones whose size is computed from their weight. */
  estimated_sizes: number
  /** Parcels whose number of stones is computed from the weight of one. */
  estimated_counts?: number
  /** Single stones with a range of clarities, such as `VS`, which are sold as the worst of it. */
  worst_clarities?: number
}

/** What an import reports besides stones and rejections: counts and the first values. */
export interface Notes {
  count(what: keyof NoteCounts): void
  unreadable(field: string, value: string, row?: number): void
  otherLab(name: string): void
  counts(): NoteCounts
  otherLabs(): OtherLab[]
  values(): UnreadableValue[]
}

const LABS_MAX = 200
/** So that one column cannot fill the report. */
const FIELD_VALUES_MAX = 50
const OTHER_VALUES = 'other values'

export function createNotes(): Notes {
  const counts: NoteCounts = { si3: 0, estimated_sizes: 0 }
  const values = new Map<string, UnreadableValue>()
  const fieldCounts = new Map<string, number>()
  const labs = new Map<string, OtherLab>()
  return {
    count: (what) => {
      counts[what] = (counts[what] ?? 0) + 1
    },
    unreadable: (field, value, row) => {
      const shown = value.slice(0, 80)
      const known = values.get(`${field}\n${shown}`) ?? values.get(`${field}\n`)
      if (known) {
        known.count++
        return
      }
      const different = (fieldCounts.get(field) ?? 0) + 1
      fieldCounts.set(field, different)
      const isOther = different > FIELD_VALUES_MAX
      values.set(isOther ? `${field}\n` : copyText(`${field}\n${shown}`), {
        field,
        value: isOther ? OTHER_VALUES : copyText(shown),
        row: row ?? null,
        count: 1,
      })
    },
    otherLab: (name) => {
      const known = labs.get(name)
      if (known) known.count++
      else if (labs.size < LABS_MAX)
        labs.set(copyText(name), { lab_original: copyText(name), count: 1 })
    },
    counts: () => counts,
    otherLabs: () => [...labs.values()].sort((a, b) => b.count - a.count),
    values: () => [...values.values()].sort((a, b) => b.count - a.count),
  }
}

/** Reads a field of the current row. A value that is written but not understood is noted. */
export type NotedReader = <T>(
  field: FieldName,
  read: (text: string) => T | undefined,
) => T | undefined

export function createNotedReader(cell: CellReader, notes: Notes): NotedReader {
  return (field, read) => {
    const text = cell(field)
    if (text === '') return undefined
    const value = read(text)
    if (value === undefined && !saysNothing(text)) notes.unreadable(field, text)
    return value
  }
}
