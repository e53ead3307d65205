import {
  CLARITIES,
  COLORS,
  CULETS,
  CUT_CODES,
  CUT_GRADES,
  FANCY_INTENSITIES,
  FINISH_GRADES,
  FLUORESCENCES,
  GEM_TYPES,
  GIRDLES,
  HUES,
  LABS,
  SHAPES,
} from '../../../src/reference/attributes.ts'
import type { Filters } from '../api/gems.ts'
import { DEFAULT_SORT, SHOWN_SORTS } from './sorts.ts'

export interface Range {
  min?: number | undefined
  max?: number | undefined
}

/** A diamond search. It is written in the address, so that it can be shared. */
export interface SearchQuery {
  choices: Record<ChoiceName, string[]>
  ranges: Record<RangeName, Range>
  flags: FlagName[]
  fancy: boolean
  sort: string
  order: 'asc' | 'desc'
  view: View
}

export const VIEWS = ['cards', 'table', 'pairs'] as const
export type View = (typeof VIEWS)[number]

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
  cut_code: CUT_CODES,
  grow_method: ['CVD', 'HPHT'],
  eye_clean: ['yes', 'borderline', 'no'],
  girdle_min: GIRDLES,
  girdle_max: GIRDLES,
  culet_size: CULETS,
  // Suppliers choose their words for these; the counts say which occur.
  country_code: 'open',
  overtone: 'open',
  shade: 'open',
  milky: 'open',
  lab_name: 'open',
  treatment: 'open',
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
  'wholesale_price',
  'price_per_carat',
  'off_rap_percentage',
  'ratio',
  'depth_percentage',
  'table_percentage',
  'length',
  'width',
  'depth',
  'crown_angle',
  'pavilion_angle',
  'delivery_days',
] as const
export type RangeName = (typeof RANGES)[number]

/** A filter that is on or off: what it asks of which field. */
export const FLAG_FILTERS = {
  has_media: ['has_media', true],
  has_image: ['has_image', true],
  has_video: ['has_video', true],
  has_v360: ['has_v360', true],
  has_certificate_file: ['has_certificate_file', true],
  memo: ['memo', true],
  returnable: ['returnable', true],
  is_sustainable: ['is_sustainable', true],
  available: ['on_hold', false],
} as const
export type FlagName = keyof typeof FLAG_FILTERS
export const FLAGS = Object.keys(FLAG_FILTERS) as FlagName[]

export function parseQuery(params: URLSearchParams): SearchQuery {
  const fancy = params.get('fancy') === 'yes'
  return {
    choices: mapNames(Object.keys(CHOICES) as ChoiceName[], (name) => {
      const known = name === 'color' ? (fancy ? HUES : COLORS) : CHOICES[name]
      const given = (params.get(name)?.split(',') ?? []).filter((value) => value !== '')
      if (known === 'open') return given
      return known.filter((value) => given.includes(value))
    }),
    ranges: mapNames(RANGES, (name) => parseRange(params.get(name))),
    flags: FLAGS.filter((name) => params.get('with')?.split(',').includes(name)),
    fancy,
    ...sortIn(params),
    view: VIEWS.find((view) => view === params.get('view')) ?? 'cards',
  }
}

function sortIn(params: URLSearchParams): Pick<SearchQuery, 'sort' | 'order'> {
  const sort = params.get('sort')
  const order = params.get('order') === 'desc' ? 'desc' : 'asc'
  const known = SHOWN_SORTS.find(([name]) => name === sort)
  if (known) return { sort: known[0], order }
  // An address from when the lowest price was the default.
  if (sort === null && params.has('order')) return { sort: 'retail_price', order }
  return { sort: DEFAULT_SORT, order: 'asc' }
}

/** The search without any filter. */
export const EVERYTHING: SearchQuery = parseQuery(new URLSearchParams())

/** The address of a search; defaults are left out. */
export function searchUrl(query: SearchQuery): string {
  const params = new URLSearchParams()
  for (const [name, values] of Object.entries(query.choices)) {
    if (values.length > 0) params.set(name, values.join(','))
  }
  for (const name of RANGES) {
    const { min, max } = query.ranges[name]
    if (min === undefined && max === undefined) continue
    // A minus sign would be read as the mark between the bounds.
    const mark = (min ?? 0) < 0 || (max ?? 0) < 0 ? '~' : '-'
    params.set(name, `${min ?? ''}${mark}${max ?? ''}`)
  }
  if (query.flags.length > 0) params.set('with', query.flags.join(','))
  if (query.fancy) params.set('fancy', 'yes')
  if (query.sort !== DEFAULT_SORT || query.order !== 'asc') params.set('sort', query.sort)
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
  for (const name of query.flags) {
    const [field, value] = FLAG_FILTERS[name]
    filters[field] = value
  }
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
  const flags = query.flags.filter((name) => name !== filter && FLAG_FILTERS[name][0] !== filter)
  if (flags.length < query.flags.length) return { ...query, flags }
  if (filter === 'is_fancy') return { ...query, fancy: false }
  const values = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
  return { ...query, choices: { ...query.choices, [filter]: values } }
}

/** The same view and order of everything. */
export function withoutFilters({ view, sort, order }: SearchQuery): SearchQuery {
  return { ...EVERYTHING, view, sort, order }
}

const TRIPLE = {
  cut_grade: ['IDL', 'EX'],
  polish_grade: ['EX'],
  symmetry_grade: ['EX'],
} as const

/** Whether a search asks for the best cut, polish and symmetry, which the trade calls 3EX. */
export function isTriple({ choices }: SearchQuery): boolean {
  return Object.entries(TRIPLE).every(
    ([name, values]) => choices[name as keyof typeof TRIPLE].join() === values.join(),
  )
}

export function withTriple(query: SearchQuery, isOn: boolean): SearchQuery {
  const values = Object.entries(TRIPLE).map(([name, all]) => [name, isOn ? [...all] : []])
  return { ...query, choices: { ...query.choices, ...Object.fromEntries(values) } }
}

function parseRange(text: string | null): Range {
  const plain = /^(\d*\.?\d*)-(\d*\.?\d*)$/.exec(text ?? '')
  const match = plain ?? /^(-?\d*\.?\d*)~(-?\d*\.?\d*)$/.exec(text ?? '')
  if (!match) return {}
  const end = (part: string) => (/\d/.test(part) ? Number(part) : undefined)
  return { min: end(match[1]), max: end(match[2]) }
}

function mapNames<Name extends string, Value>(
  names: readonly Name[],
  read: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, Value>
}
