import type { Static } from 'typebox'
import type { StoneSchema } from '../schemas/inventory.ts'

/** A stone as an operation returns it, whole or in part. */
export type Stone = Partial<Static<typeof StoneSchema>>

type StoneName = keyof Stone

/** What a model needs to choose among stones: at most 4 kB for ten of them. */
export const SEARCH_FIELDS = [
  'sku',
  'type',
  'shape',
  'weight',
  'color',
  'fancy_color_intensity',
  'clarity',
  'cut_grade',
  'fluorescence',
  'lab',
  'cert_num',
  'wholesale_price',
  'retail_price',
  'delivery_days_max',
  'on_hold',
] as const satisfies readonly StoneName[]

/** What colored stones are chosen by instead of grades. */
export const GEMSTONE_FIELDS = [
  'sku',
  'species',
  'type',
  'shape',
  'weight',
  'color',
  'clarity',
  'origin',
  'treatment',
  'lab',
  'cert_num',
  'wholesale_price',
  'retail_price',
  'delivery_days_max',
  'on_hold',
] as const satisfies readonly StoneName[]

/** What many stones are compared by, so that ten of them take at most 4 kB, too. */
export const COMPARED_FIELDS = [
  'sku',
  'species',
  'type',
  'shape',
  'weight',
  'color',
  'fancy_color_intensity',
  'clarity',
  'cut_grade',
  'polish_grade',
  'symmetry_grade',
  'fluorescence',
  'lab',
  'wholesale_price',
  'retail_price',
  'currency_code',
  'delivery_days_max',
  'on_hold',
] as const satisfies readonly StoneName[]

/** What is said of one stone, and what few of them are compared by. */
export const DETAIL_FIELDS = [
  'sku',
  'product_type',
  'species',
  'origin',
  'type',
  'shape',
  'weight',
  'color',
  'fancy_color_intensity',
  'overtone',
  'clarity',
  'cut_grade',
  'polish_grade',
  'symmetry_grade',
  'fluorescence',
  'length',
  'width',
  'depth',
  'ratio',
  'depth_percentage',
  'table_percentage',
  'crown_angle',
  'pavilion_angle',
  'girdle_min',
  'girdle_max',
  'culet_size',
  'eye_clean',
  'shade',
  'milky',
  'black_inclusion',
  'treatment',
  'grow_method',
  'lab',
  'cert_num',
  'country_code',
  'wholesale_price',
  'retail_price',
  'off_rap_percentage',
  'currency_code',
  'delivery_days_min',
  'delivery_days_max',
  'returnable',
  'days_to_return',
  'memo',
  'can_hold',
  'on_hold',
  'pair_sku',
] as const satisfies readonly StoneName[]

/** Where a person, or a model that can see, looks at the stone. */
export const MEDIA_FIELDS = [
  'image_top_url',
  'video_url',
  'ux_url',
  'cert_url',
] as const satisfies readonly StoneName[]

/** The named fields of a stone that say something: null and false do not. */
export function pick(stone: Stone, names: readonly string[]): Record<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(stone))
  return Object.fromEntries(
    names
      .map((name) => [name, values.get(name)] as const)
      .filter(([, value]) => value !== undefined && value !== null && value !== false),
  )
}

/** Splits stones into what all of them share and what differs, so that nothing is said twice. */
export function compare(stones: readonly Record<string, unknown>[]): {
  same: Record<string, unknown>
  stones: Record<string, unknown>[]
} {
  const [first, ...others] = stones.map((stone) => new Map(Object.entries(stone)))
  const isShared = ([name, value]: [string, unknown]) =>
    others.length > 0 && [first, ...others].every((each) => each.get(name) === value)
  return {
    same: Object.fromEntries([...(first ?? [])].filter(isShared)),
    stones: stones.map((stone) =>
      Object.fromEntries(Object.entries(stone).filter((entry) => !isShared(entry))),
    ),
  }
}
