import fc from 'fast-check'
import { gemColumnsOf } from '../../src/gems/indexing/columns.ts'
import { DIAMOND_FIELDS_V3 } from '../../src/gems/search/field-tables.ts'
import type { SearchFilters, SearchRequest } from '../../src/gems/search/plan.ts'
import { type MarginTier, priceRulesFrom } from '../../src/pricing/price-rules.ts'
import * as attributes from '../../src/reference/attributes.ts'

/**
 * A search by brute force over plain objects, against which the index is tested. It shares no code
 * with the index; prices are computed in BigInt from the tiers.
 */
export interface Stone {
  id: number
  [column: string]: string | number | boolean | null
}

const {
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
} = attributes

const TREATMENTS = ['HPHT', 'hpht', 'laser drilled']

export const LISTS: Record<string, readonly string[]> = {
  lab: LABS,
  shape: SHAPES.slice(0, 6),
  type: GEM_TYPES,
  color: COLORS.slice(0, 8),
  clarity: CLARITIES,
  cut_code: CUT_CODES.slice(0, 4),
  cut_grade: CUT_GRADES,
  polish_grade: FINISH_GRADES,
  symmetry_grade: FINISH_GRADES,
  fluorescence: FLUORESCENCES,
  country_code: ['IND', 'BEL', 'ISR', 'USA'],
  grow_method: ['CVD', 'HPHT'],
  eye_clean: ['yes', 'borderline', 'no'],
  fancy_color_intensity: FANCY_INTENSITIES,
  overtone: ['brownish', 'grayish yellow', 'pinkish'],
  girdle_min: GIRDLES,
  girdle_max: GIRDLES,
  culet_size: CULETS,
  lab_name: ['GIA', 'gia', 'EGL USA', 'HRD'],
  shade: ['Brown', 'brown', 'None', 'Green'],
  milky: ['None', 'Light', 'LIGHT'],
  treatment: TREATMENTS,
}
/** Suppliers choose these words, so that a filter finds them in upper and lower case. */
const ANY_CASE = ['lab_name', 'shade', 'milky', 'treatment']
export const NULLABLE = [
  'lab',
  'cut_grade',
  'polish_grade',
  'symmetry_grade',
  'fluorescence',
  'country_code',
  'grow_method',
  'eye_clean',
  'fancy_color_intensity',
  'overtone',
  'girdle_min',
  'girdle_max',
  'culet_size',
  ...ANY_CASE,
]
/** The numbers of a stone: decimals and maximum. Small ranges make equal values likely. */
const NUMBERS: Record<string, [decimals: number, max: number]> = {
  ratio: [3, 1.02],
  depth_percentage: [2, 60.2],
  table_percentage: [2, 58.1],
  length: [3, 6.1],
  width: [3, 6.1],
  depth: [3, 3.1],
  crown_angle: [2, 35],
  pavilion_angle: [2, 41],
}
const MEDIA_FLAGS = ['has_image', 'has_video', 'has_v360', 'has_certificate_file']
const FLAGS = ['memo', 'returnable', ...MEDIA_FLAGS]

const digits = (decimals: number, min: number, max: number) =>
  fc
    .integer({ min: Math.round(min * 10 ** decimals), max: Math.round(max * 10 ** decimals) })
    .map((n) => (n / 10 ** decimals).toFixed(decimals))
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 4 })

/** A stone with the values that the index reads, named like its columns. */
export function stoneArbitrary(id: number): fc.Arbitrary<Stone> {
  return anyStone.map((stone) => ({ ...stone, id, sku: `SKU-${id}` }))
}

/** Made once: making it takes longer than drawing a stone. */
const anyStone = anyStoneArbitrary()

function anyStoneArbitrary(): fc.Arbitrary<Stone> {
  const columns: Record<string, fc.Arbitrary<string | number | boolean | null>> = {
    id: fc.constant(0),
    sku: fc.constant(''),
    cert_num: orNull(fc.integer({ min: 1, max: 9 }).map((n) => `C${n}`)),
    weight: fc.oneof(fc.constantFrom('1.0000', '0.7550'), digits(4, 0.5, 2.2)),
    wholesale_price: digits(2, 1, 30),
    wholesale_price_us: digits(2, 1, 30),
    list_price: orNull(digits(2, 10, 60)),
    delivery_days_min: orNull(fc.integer({ min: 0, max: 4 })),
    delivery_days_max: orNull(fc.integer({ min: 4, max: 9 })),
    is_sustainable: fc.boolean(),
    on_hold: fc.constant(false),
    hold_expires_on: fc.constant(null),
    is_fancy: fc.boolean(),
    created_on: fc.integer({ min: 1_700_000_000_000_000, max: 1_700_000_000_000_009 }),
    updated_on: fc.integer({ min: 1_700_000_000_000_000, max: 1_700_000_000_000_009 }),
  }
  for (const [name, values] of Object.entries(LISTS)) {
    const value = fc.constantFrom(...values)
    const mayMiss = NULLABLE.includes(name) || name.endsWith('_grade')
    columns[name] = mayMiss ? orNull(value) : value
  }
  for (const [name, [decimals, max]] of Object.entries(NUMBERS)) {
    columns[name] = orNull(digits(decimals, max - 1, max))
  }
  for (const name of FLAGS) columns[name] = fc.boolean()
  // Half of the stones are treated, and left out of searches that do not ask for them.
  columns.treatment = fc.option(fc.constantFrom(...TREATMENTS), { nil: null, freq: 1 })
  return fc
    .record(columns)
    .map(withDerived)
    .chain((stone) =>
      stone.is_fancy
        ? fc
            .constantFrom(...HUES.slice(0, 4))
            .map((color) => ({ ...stone, color }) as unknown as Stone)
        : fc.constant(stone as unknown as Stone),
    )
}

/** What PostgreSQL derives for the index from other columns. */
function withDerived<T extends Record<string, unknown>>(stone: T): T {
  const has_media = stone.has_image || stone.has_video || stone.has_v360
  return { ...stone, has_media, visibility: stone.treatment === null ? null : 'treated' }
}

const columns = gemColumnsOf(DIAMOND_FIELDS_V3)

/** The stone as PostgreSQL prints it for the index. */
export function printStone(stone: Stone): (string | null)[] {
  return columns.sources.map((name) => {
    const value = stone[name]
    if (value === null || value === undefined) return null
    return typeof value === 'boolean' ? (value ? 't' : 'f') : String(value)
  })
}

export interface Caller {
  us: boolean
  mode: 'weight' | 'price'
  tiers: { from: number; mined: number; lab: number }[]
  rate: string
  /** Percent by which the merchant's own terms change wholesale prices. */
  adjustment: { mined: number; lab: number } | null
}

const percentArbitrary = fc.oneof(
  fc.constantFrom(0, -50, 50, 12.5, -0.01),
  fc.integer({ min: -5_000, max: 5_000 }).map((hundredths) => hundredths / 100),
)

export const callerArbitrary: fc.Arbitrary<Caller> = fc.record({
  us: fc.boolean(),
  mode: fc.constantFrom('weight', 'price'),
  tiers: fc.uniqueArray(
    fc.record({
      from: fc.constantFrom(0, 0.76, 1, 1.5, 2, 5, 12),
      mined: fc.constantFrom(0, 10, 33.33, 250),
      lab: fc.constantFrom(0, 25, 45.5),
    }),
    { minLength: 1, maxLength: 4, selector: (tier) => tier.from },
  ),
  rate: fc.constantFrom('1', '0.92', '0.3', '157.31', '1.36271945'),
  adjustment: fc.option(fc.record({ mined: percentArbitrary, lab: percentArbitrary }), { freq: 2 }),
})

export function rulesOf(caller: Caller) {
  const tiers = caller.tiers.map(
    (tier): MarginTier => ({
      weight_or_price: caller.mode,
      weight_min: tier.from,
      price_min: tier.from,
      mined_percent: tier.mined,
      lab_percent: tier.lab,
    }),
  )
  return priceRulesFrom({
    merchant: {
      country_code: caller.us ? 'US' : 'FR',
      margin_mode: caller.mode,
      price_adjustment: caller.adjustment && {
        mined_percent: caller.adjustment.mined,
        lab_percent: caller.adjustment.lab,
        gemstone_percent: 7,
        jewelry_percent: -7,
      },
    },
    product: 'diamond',
    ownTiers: tiers,
    currency_code: 'XTS',
    exchange_rate: caller.rate,
  })
}

const cents = (value: unknown) => BigInt(Math.round(Number(value) * 100))
const halfUp = (top: bigint, bottom: bigint) => Number((2n * top + bottom) / (2n * bottom))

export function pricesOf(stone: Stone, caller: Caller) {
  const stored = cents(caller.us ? stone.wholesale_price_us : stone.wholesale_price)
  const own = caller.adjustment?.[stone.type === 'mined' ? 'mined' : 'lab'] ?? 0
  const base = BigInt(halfUp(stored * BigInt(10_000 + Math.round(100 * own)), 10_000n))
  const value = Number(caller.mode === 'weight' ? stone.weight : Number(base) / 100)
  const sorted = caller.tiers.toSorted((a, b) => a.from - b.from)
  const tier = sorted.findLast(({ from }) => from <= value) ?? sorted[0]
  const percent = BigInt(Math.round(100 * (stone.type === 'mined' ? tier.mined : tier.lab)))
  const rate = BigInt(Math.round(Number(caller.rate) * 1e8))
  const retail = halfUp(base * (10_000n + percent) * rate, 10n ** 12n)
  const wholesale = halfUp(base * rate, 10n ** 8n)
  const weight = BigInt(Math.round(Number(stone.weight) * 10_000))
  const perCarat = halfUp(BigInt(wholesale) * 10_000n, weight)
  let offRap: number | null = null
  if (stone.list_price !== null) {
    const list = cents(stone.list_price)
    const difference = (base - list) * 10_000n
    const size = halfUp(difference < 0n ? -difference : difference, list)
    offRap = (difference < 0n ? -size : size) / 100
  }
  return {
    retail_price: retail / 100,
    wholesale_price: wholesale / 100,
    price_per_carat: perCarat / 100,
    off_rap_percentage: offRap,
  }
}

function isPrice(field: string): field is keyof ReturnType<typeof pricesOf> {
  return /^(retail_price|wholesale_price|price_per_carat|off_rap_percentage)$/.test(field)
}

/** The stone's number or rank for a field, null when it has none. */
function valueFor(stone: Stone, field: string, caller: Caller): number | null {
  // Computing prices takes longer than all the rest, and most fields are not prices.
  if (isPrice(field)) return pricesOf(stone, caller)[field]
  const value = stone[field]
  if (value === null || value === undefined) return null
  if (field === 'color') return [...COLORS, ...HUES].indexOf(value as (typeof COLORS)[number])
  return field in LISTS ? LISTS[field].indexOf(String(value)) : Number(value)
}

function matches(stone: Stone, key: string, wanted: unknown, caller: Caller): boolean {
  if (key === 'cut_code_shape') {
    const both = [`${stone.cut_code}:${stone.shape}`, `${stone.shape}:${stone.cut_code}`]
    return (wanted as string[]).some((pair) => both.includes(pair))
  }
  if (key === 'updated_since') {
    return Number(stone.updated_on) >= Date.parse(String(wanted)) * 1000
  }
  if (key === 'delivery_days_min' || key === 'delivery_days_max') {
    if (stone[key] === null) return false
    return key.endsWith('min')
      ? Number(stone[key]) >= Number(wanted)
      : Number(stone[key]) <= Number(wanted)
  }
  if (Array.isArray(wanted) && ANY_CASE.includes(key)) {
    const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)
    return wanted.map(lower).includes(lower(stone[key]))
  }
  if (Array.isArray(wanted)) {
    const none = (key === 'lab' || key === 'cut_grade') && wanted.includes('None')
    return wanted.includes(stone[key]) || (none && stone[key] === null)
  }
  if (typeof wanted === 'boolean') return stone[key] === wanted
  const value = valueFor(stone, key.slice(0, -4), caller)
  if (value === null) return false
  return key.endsWith('_min') ? value >= Number(wanted) : value <= Number(wanted)
}

export function bruteMatches(stones: Stone[], filters: SearchFilters, caller: Caller): Stone[] {
  const all = { is_fancy: false, ...filters }
  const visible = stones.filter(({ treatment }) => treatment === null || 'treatment' in filters)
  return visible.filter((stone) =>
    Object.entries(all).every(([key, wanted]) => matches(stone, key, wanted, caller)),
  )
}

/** Returns the ids of the page and the exact count. */
export function bruteSearch(stones: Stone[], request: SearchRequest, caller: Caller) {
  const found = bruteMatches(stones, request.filters ?? {}, caller)
  const sign = request.sort_order === 'desc' ? -1 : 1
  const ordered = found
    .map((stone) => ({ stone, value: valueFor(stone, request.sort_col, caller) }))
    .toSorted((a, b) => {
      if (a.value !== b.value) {
        if (a.value === null) return 1
        if (b.value === null) return -1
        return sign * (a.value - b.value)
      }
      return a.stone.id - b.stone.id
    })
  const page = ordered.slice(request.offset, request.offset + request.limit)
  return { ids: page.map(({ stone }) => stone.id), total: found.length, found }
}

const SORTS = Object.entries(DIAMOND_FIELDS_V3).filter(([, field]) => 'sort' in field && field.sort)

/** Any combination of filters, sort and page. */
export const requestArbitrary: fc.Arbitrary<SearchRequest> = fc.record({
  filters: filtersArbitrary(),
  limit: fc.integer({ min: 1, max: 30 }),
  offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 80 })),
  sort_col: fc.constantFrom(...SORTS.map(([name]) => name)),
  sort_order: fc.constantFrom('asc' as const, 'desc' as const),
})

function filtersArbitrary(): fc.Arbitrary<SearchFilters> {
  const one: fc.Arbitrary<Record<string, unknown>>[] = []
  for (const [name, values] of Object.entries(LISTS)) {
    const value: fc.Arbitrary<string | null>[] = [fc.constantFrom(...values)]
    if (NULLABLE.includes(name)) value.push(fc.constant(null))
    if (name === 'lab' || name === 'cut_grade') value.push(fc.constant('None'))
    if (name === 'overtone' || name === 'shade') value.push(fc.constant('unheard of'))
    const list = fc.array(fc.oneof(...value), { minLength: 1, maxLength: 9 })
    one.push(list.map((wanted) => ({ [name]: wanted })))
  }
  one.push(
    fc
      .array(fc.constantFrom(...HUES), { minLength: 1 })
      .map((color) => ({ color, is_fancy: true })),
  )
  one.push(
    fc
      .array(
        fc.integer({ min: 1, max: 60 }).map((n) => `SKU-${n}`),
        { minLength: 1 },
      )
      .map((sku) => ({ sku })),
  )
  one.push(
    fc
      .array(fc.constantFrom('C1', 'C2', 'C77', null), { minLength: 1 })
      .map((cert_num) => ({ cert_num })),
  )
  one.push(
    fc
      .array(fc.constantFrom('rose_cut:asscher', 'asscher:brilliant_cut', 'step_cut:cushion'), {
        minLength: 1,
      })
      .map((cut_code_shape) => ({ cut_code_shape })),
  )
  one.push(fc.constant({ updated_since: '2023-11-14T22:13:20.000Z' }))
  for (const name of [...FLAGS, 'has_media', 'is_fancy', 'is_sustainable', 'on_hold']) {
    one.push(fc.boolean().map((wanted) => ({ [name]: wanted })))
  }
  const ranges: [string, number, number, number][] = [
    ...Object.entries(NUMBERS).map(
      ([name, [decimals, max]]) =>
        [name, decimals + 1, max - 1, max] as [string, number, number, number],
    ),
    ['weight', 5, 0.4, 2.3],
    ['retail_price', 3, 0, 60],
    ['wholesale_price', 3, 0, 40],
    ['price_per_carat', 3, 0, 60],
    ['off_rap_percentage', 3, -95, 95],
    ['delivery_days', 0, 0, 9],
  ]
  for (const [name, decimals, min, max] of ranges) {
    const bound = digits(decimals, min, max).map(Number)
    one.push(bound.map((low) => ({ [`${name}_min`]: low })))
    one.push(bound.map((high) => ({ [`${name}_max`]: high })))
    one.push(
      fc.tuple(bound, bound).map(([a, b]) => ({
        [`${name}_min`]: Math.min(a, b),
        [`${name}_max`]: Math.max(a, b),
      })),
    )
  }
  return fc
    .array(fc.oneof(...one), { maxLength: 4 })
    .map((parts) => Object.assign({}, ...parts) as SearchFilters)
    .filter(isSound)
}

/** Random filters may contradict each other; the server refuses such a request. */
function isSound(filters: SearchFilters): boolean {
  const colors = (filters.color ?? []) as string[]
  if (filters.is_fancy !== true && colors.some((color) => HUES.includes(color as never)))
    return false
  return Object.keys(filters).every((key) => {
    if (!key.endsWith('_min') || key === 'girdle_min') return true
    const max = filters[`${key.slice(0, -4)}_max`]
    return max === undefined || Number(filters[key]) <= Number(max)
  })
}
