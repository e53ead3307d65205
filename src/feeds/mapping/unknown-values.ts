import { copyText, type RawRow } from '../reading/raw-row.ts'
import { isBlankWord } from '../values/spelling.ts'
import type { FieldName } from './fields.ts'
import type { FeedMapping } from './mapping.ts'
import { fitsField } from './value-fits.ts'

/** Fields whose values are words, which a mapping can translate. */
const WORD_FIELDS: ReadonlySet<FieldName | null> = new Set<FieldName>([
  ...(['availability', 'is_active', 'shape', 'color', 'clarity', 'cut_grade'] as const),
  ...(['polish_grade', 'symmetry_grade', 'fluorescence', 'fluorescence_color'] as const),
  ...(['girdle', 'girdle_min', 'girdle_max', 'culet_size', 'fancy_color'] as const),
  ...(['fancy_color_intensity', 'overtone', 'lab', 'currency_code', 'type'] as const),
  ...(['grow_method', 'species', 'country_code', 'eye_clean', 'is_pair'] as const),
  ...(['pair_separable', 'returnable', 'memo'] as const),
])

/** Longer texts are remarks and not words. */
const WORD_CHARS_MAX = 80
/** A column with more different values does not hold words. */
const DIFFERENT_MAX = 2_000
const LISTED_MAX = 50

/** Counts the words of a file that no field has. */
export function createUnknownValues(mapping: FeedMapping) {
  const counts = new Map<number, Map<string, number>>()
  const known = new Map<number, Set<string>>()

  function countAt(at: number, field: FieldName, text: string): void {
    const understood = known.get(at) ?? new Set<string>()
    known.set(at, understood)
    if (understood.has(text)) return
    const unknown = counts.get(at) ?? new Map<string, number>()
    counts.set(at, unknown)
    const count = unknown.get(text)
    if (count !== undefined) unknown.set(text, count + 1)
    else if (understood.size + unknown.size >= DIFFERENT_MAX) return
    else if (isBlankWord(text) || fitsField(field, text, mapping.style)) {
      understood.add(copyText(text))
    } else unknown.set(copyText(text), 1)
  }

  return {
    add({ cells }: RawRow): void {
      for (const [at, { field, constant }] of mapping.columns.entries()) {
        if (field === null || constant !== undefined || !WORD_FIELDS.has(field)) continue
        const text = cells[at]?.trim()
        if (text && text.length <= WORD_CHARS_MAX) countAt(at, field, text)
      }
    },
    /** The values of each column, the commonest first. */
    lists: () =>
      new Map(
        [...counts].map(([at, values]) => {
          const all = [...values].sort(([, a], [, b]) => b - a)
          return [at, all.slice(0, LISTED_MAX)] as const
        }),
      ),
  }
}
