import { copyText } from '../reading/raw-row.ts'

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

const VALUES_MAX = 200

export function createNotes(): Notes {
  const counts: NoteCounts = { si3: 0, estimated_sizes: 0 }
  const values = new Map<string, UnreadableValue>()
  const labs = new Map<string, OtherLab>()
  return {
    count: (what) => {
      counts[what]++
    },
    unreadable: (field, value, row) => {
      const key = `${field}\n${value.slice(0, 80)}`
      const known = values.get(key)
      if (known) known.count++
      else if (values.size < VALUES_MAX) {
        values.set(copyText(key), {
          field,
          value: copyText(value.slice(0, 80)),
          row: row ?? null,
          count: 1,
        })
      }
    },
    otherLab: (name) => {
      const known = labs.get(name)
      if (known) known.count++
      else if (labs.size < VALUES_MAX)
        labs.set(copyText(name), { lab_original: copyText(name), count: 1 })
    },
    counts: () => counts,
    otherLabs: () => [...labs.values()].sort((a, b) => b.count - a.count),
    values: () => [...values.values()].sort((a, b) => b.count - a.count),
  }
}
