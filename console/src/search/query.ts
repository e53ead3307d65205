import {
  CLARITIES,
  COLORS,
  CUT_GRADES,
  FANCY_INTENSITIES,
  FINISH_GRADES,
  FLUORESCENCES,
  GEM_TYPES,
  HUES,
  LABS,
  SHAPES,
} from '../../../src/reference/attributes.ts'
import type { Filters } from '../api/gems.ts'
import type { Range } from '../parts/range-slider.tsx'

/** A diamond search. It is written in the address, so that it can be shared. */
export interface SearchQuery {
  choices: Record<ChoiceName, string[]>
  ranges: Record<RangeName, Range>
  flags: FlagName[]
  fancy: boolean
  sort: string
  order: 'asc' | 'desc'
  view: 'cards' | 'table'
}

export const CHOICES = {
  shape: SHAPES,
  type: GEM_TYPES,
  color: [...COLORS, ...HUES],
  clarity: CLARITIES,
  cut_grade: CUT_GRADES,
  polish_grade: FINISH_GRADES,
  symmetry_grade: FINISH_GRADES,
  fluorescence: FLUORESCENCES,
  lab: LABS,
  fancy_color_intensity: FANCY_INTENSITIES,
} as const
export type ChoiceName = keyof typeof CHOICES

/** The shapes that most people look for; the filter panel shows the others on request. */
export const COMMON_SHAPES: readonly string[] = [
  'round',
  'oval',
  'cushion',
  'princess',
  'emerald',
  'pear',
  'radiant',
  'marquise',
  'asscher',
  'heart',
]

export const RANGES = [
  'weight',
  'retail_price',
  'ratio',
  'depth_percentage',
  'table_percentage',
  'delivery_days',
] as const
export type RangeName = (typeof RANGES)[number]

export const FLAGS = ['has_media', 'memo', 'returnable', 'is_sustainable'] as const
export type FlagName = (typeof FLAGS)[number]

export const SORTS = [
  ['retail_price', 'Price'],
  ['price_per_carat', 'Price per carat'],
  ['weight', 'Carat'],
  ['color', 'Color'],
  ['clarity', 'Clarity'],
  ['cut_grade', 'Cut'],
  ['ratio', 'Ratio'],
  ['table_percentage', 'Table'],
  ['depth_percentage', 'Depth'],
  ['delivery_days_max', 'Delivery'],
  ['updated_on', 'Last updated'],
] as const

export function parseQuery(params: URLSearchParams): SearchQuery {
  const fancy = params.get('fancy') === 'yes'
  const order = params.get('order') === 'desc' ? 'desc' : 'asc'
  const sort = params.get('sort') ?? ''
  return {
    choices: mapNames(Object.keys(CHOICES) as ChoiceName[], (name) => {
      const known: readonly string[] = name === 'color' ? (fancy ? HUES : COLORS) : CHOICES[name]
      const given = params.get(name)?.split(',') ?? []
      return known.filter((value) => given.includes(value))
    }),
    ranges: mapNames(RANGES, (name) => parseRange(params.get(name))),
    flags: FLAGS.filter((name) => params.get('with')?.split(',').includes(name)),
    fancy,
    sort: SORTS.some(([name]) => name === sort) ? sort : 'retail_price',
    order,
    view: params.get('view') === 'table' ? 'table' : 'cards',
  }
}

/** The address of a search; defaults are left out. */
export function searchUrl(query: SearchQuery): string {
  const params = new URLSearchParams()
  for (const [name, values] of Object.entries(query.choices)) {
    if (values.length > 0) params.set(name, values.join(','))
  }
  for (const name of RANGES) {
    const { min, max } = query.ranges[name]
    if (min !== undefined || max !== undefined) params.set(name, `${min ?? ''}-${max ?? ''}`)
  }
  if (query.flags.length > 0) params.set('with', query.flags.join(','))
  if (query.fancy) params.set('fancy', 'yes')
  if (query.sort !== 'retail_price') params.set('sort', query.sort)
  if (query.order !== 'asc') params.set('order', query.order)
  if (query.view !== 'cards') params.set('view', query.view)
  const text = params.toString()
  return text ? `/search?${text}` : '/search'
}

/** The filters of the request. `without` leaves one out, to count the stones for its values. */
export function filtersOf(query: SearchQuery, without?: string): Filters {
  const filters: Record<string, Filters[string]> = {}
  for (const [name, values] of Object.entries(query.choices)) {
    if (values.length > 0 && name !== without) filters[name] = values
  }
  for (const name of RANGES) {
    if (name === without) continue
    const { min, max } = query.ranges[name]
    if (min !== undefined) filters[`${name}_min`] = min
    if (max !== undefined) filters[`${name}_max`] = max
  }
  for (const name of query.flags) filters[name] = true
  if (query.fancy) filters.is_fancy = true
  return filters
}

/** The query with a filter of the request changed: `retail_price_max` bounds `retail_price`. */
export function changeFilter(query: SearchQuery, filter: string, value: unknown): SearchQuery {
  const bound = /^(.*)_(min|max)$/.exec(filter)
  if (bound && (RANGES as readonly string[]).includes(bound[1])) {
    const name = bound[1] as RangeName
    const end = typeof value === 'number' ? value : undefined
    return {
      ...query,
      ranges: { ...query.ranges, [name]: { ...query.ranges[name], [bound[2]]: end } },
    }
  }
  if ((FLAGS as readonly string[]).includes(filter)) {
    return { ...query, flags: query.flags.filter((name) => name !== filter) }
  }
  if (filter === 'is_fancy') return { ...query, fancy: false }
  const values = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
  return { ...query, choices: { ...query.choices, [filter]: values } }
}

function parseRange(text: string | null): Range {
  const match = /^(\d*\.?\d*)-(\d*\.?\d*)$/.exec(text ?? '')
  if (!match) return {}
  const end = (part: string) => (part === '' ? undefined : Number(part))
  return { min: end(match[1]), max: end(match[2]) }
}

function mapNames<Name extends string, Value>(
  names: readonly Name[],
  read: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, Value>
}
