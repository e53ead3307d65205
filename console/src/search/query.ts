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
import type { Filters } from '../api/diamonds.ts'
import type { Range } from '../parts/double-slider.tsx'

/** What a person looks for. It stands in the address bar, so a search can be shared. */
export interface SearchWish {
  chosen: Record<GradeName, string[]>
  ranges: Record<RangeName, Range>
  flags: FlagName[]
  fancy: boolean
  sort: string
  order: 'asc' | 'desc'
  view: 'cards' | 'table'
}

export const GRADES = {
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
export type GradeName = keyof typeof GRADES

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
  ['weight', 'Weight'],
  ['color', 'Colour'],
  ['clarity', 'Clarity'],
  ['cut_grade', 'Cut'],
  ['ratio', 'Ratio'],
  ['table_percentage', 'Table'],
  ['depth_percentage', 'Depth'],
  ['delivery_days_max', 'Delivery'],
  ['updated_on', 'Last change'],
] as const

export function readWish(query: URLSearchParams): SearchWish {
  const fancy = query.get('fancy') === 'yes'
  const order = query.get('order') === 'desc' ? 'desc' : 'asc'
  const sort = query.get('sort') ?? ''
  return {
    chosen: mapNames(Object.keys(GRADES) as GradeName[], (name) => {
      const known: readonly string[] = name === 'color' ? (fancy ? HUES : COLORS) : GRADES[name]
      const asked = query.get(name)?.split(',') ?? []
      return known.filter((value) => asked.includes(value))
    }),
    ranges: mapNames(RANGES, (name) => readRange(query.get(name))),
    flags: FLAGS.filter((name) => query.get('with')?.split(',').includes(name)),
    fancy,
    sort: SORTS.some(([name]) => name === sort) ? sort : 'retail_price',
    order,
    view: query.get('view') === 'table' ? 'table' : 'cards',
  }
}

/** The address of a wish; what is not wished for is not in it. */
export function writeWish(wish: SearchWish): string {
  const query = new URLSearchParams()
  for (const [name, values] of Object.entries(wish.chosen)) {
    if (values.length > 0) query.set(name, values.join(','))
  }
  for (const name of RANGES) {
    const { min, max } = wish.ranges[name]
    if (min !== undefined || max !== undefined) query.set(name, `${min ?? ''}-${max ?? ''}`)
  }
  if (wish.flags.length > 0) query.set('with', wish.flags.join(','))
  if (wish.fancy) query.set('fancy', 'yes')
  if (wish.sort !== 'retail_price') query.set('sort', wish.sort)
  if (wish.order !== 'asc') query.set('order', wish.order)
  if (wish.view !== 'cards') query.set('view', wish.view)
  const text = query.toString()
  return text ? `/search?${text}` : '/search'
}

/** The filters of the interface; `without` leaves one out, to count what it would give. */
export function filtersOf(wish: SearchWish, without?: string): Filters {
  const filters: Filters = {}
  for (const [name, values] of Object.entries(wish.chosen)) {
    if (values.length > 0 && name !== without) filters[name] = values
  }
  for (const name of RANGES) {
    if (name === without) continue
    const { min, max } = wish.ranges[name]
    if (min !== undefined) filters[`${name}_min`] = min
    if (max !== undefined) filters[`${name}_max`] = max
  }
  for (const name of wish.flags) filters[name] = true
  if (wish.fancy) filters.is_fancy = true
  return filters
}

/** The wish as the interface names a filter: `retail_price_max` belongs to `retail_price`. */
export function changeFilter(wish: SearchWish, filter: string, value: unknown): SearchWish {
  const bound = /^(.*)_(min|max)$/.exec(filter)
  if (bound && (RANGES as readonly string[]).includes(bound[1])) {
    const name = bound[1] as RangeName
    const end = typeof value === 'number' ? value : undefined
    return {
      ...wish,
      ranges: { ...wish.ranges, [name]: { ...wish.ranges[name], [bound[2]]: end } },
    }
  }
  if ((FLAGS as readonly string[]).includes(filter)) {
    return { ...wish, flags: wish.flags.filter((name) => name !== filter) }
  }
  if (filter === 'is_fancy') return { ...wish, fancy: false }
  const values = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
  return { ...wish, chosen: { ...wish.chosen, [filter]: values } }
}

function readRange(text: string | null): Range {
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
