import type { Field, FieldTable, OneOfField } from './fields.ts'
import type { FilterValue, SearchFilters } from './plan.ts'

/** The caller's filters with one of them dropped or widened. */
interface RelaxedFilters {
  /** The key as the caller sent it. */
  filter: string
  change: 'dropped' | 'widened'
  /** What the filter became; null when it was dropped. */
  value: FilterValue | null
  filters: SearchFilters
}

/** A bound moves by a tenth of itself, which is what buyers mean by "a little more". */
const STEP = 0.1

export function relaxedFilters(fields: FieldTable, filters: SearchFilters): RelaxedFilters[] {
  return Object.entries(filters).flatMap(([filter, value]) => {
    if (value === undefined) return []
    const relaxed: RelaxedFilters[] = []
    const wider = widen(fields, filter, value)
    if (wider !== undefined) {
      const filtersWidened = { ...filters, [filter]: wider }
      relaxed.push({ filter, change: 'widened', value: wider, filters: filtersWidened })
    }
    const filtersWithout = { ...filters, [filter]: undefined }
    relaxed.push({ filter, change: 'dropped', value: null, filters: filtersWithout })
    return relaxed
  })
}

/** The caller's filters without two of them. */
interface WithoutPair {
  pair: readonly [string, string]
  filters: SearchFilters
}

/** Pairs of so many filters are tried: each takes a search, and twelve filters have 66 pairs. */
const PAIRED_FILTERS_MAX = 12

/** Every pair of filters dropped, for searches that no single filter explains. */
export function withoutPairs(filters: SearchFilters): WithoutPair[] {
  const names = Object.entries(filters)
    .flatMap(([name, value]) => (value === undefined ? [] : [name]))
    .slice(0, PAIRED_FILTERS_MAX)
  return names.flatMap((first, index) =>
    names.slice(index + 1).map((second) => ({
      pair: [first, second] as const,
      filters: { ...filters, [first]: undefined, [second]: undefined },
    })),
  )
}

function widen(fields: FieldTable, filter: string, value: FilterValue): FilterValue | undefined {
  if (typeof value === 'number') return widenBound(fields, filter, value)
  const field = fieldOf(fields, filter)
  if (field?.kind === 'oneOf' && Array.isArray(value)) return widenList(field, value)
  return undefined
}

function fieldOf(fields: FieldTable, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function widenBound(fields: FieldTable, filter: string, bound: number): number | undefined {
  const isMin = filter.endsWith('_min')
  const field = fieldOf(fields, filter.slice(0, -'_min'.length))
  if (!field || (field.kind !== 'range' && field.kind !== 'price')) return undefined
  const decimals = field.kind === 'range' ? field.decimals : 2
  const unit = 10 ** -decimals
  const step = Math.max(unit, Math.abs(bound) * STEP)
  const moved = isMin ? bound - step : bound + step
  const rounded = Number(moved.toFixed(decimals))
  return isMin && bound >= 0 ? Math.max(0, rounded) : rounded
}

/** Adds the next lower grade of a scale, or the next higher one when the lowest is in the list. */
function widenList(field: OneOfField, wanted: readonly (string | null)[]): FilterValue | undefined {
  const { values } = field
  if (values === 'open' || !field.graded) return undefined
  const grades = wanted.filter((value) => value !== null).map((value) => values.indexOf(value))
  if (grades.length === 0) return undefined
  const next = values[Math.max(...grades) + 1] ?? values[Math.min(...grades) - 1]
  return next === undefined ? undefined : [...wanted, next]
}
