import type { Insertable } from 'kysely'
import type { GemTable } from '../../database/tables/gems.ts'

/** Every column of a gem that a feed decides, in the order of staging. */
// biome-ignore format: sixty names are not worth sixty lines
export const DRAFT_COLUMNS = [
  'vendor_sku', 'product_type', 'type', 'species', 'origin', 'treatment', 'shape', 'cut_code',
  'weight', 'length', 'width', 'depth', 'ratio', 'ratio_group', 'depth_percentage',
  'table_percentage', 'crown_angle', 'pavilion_angle', 'pavilion_depth', 'culet_size',
  'girdle_min', 'girdle_max', 'color', 'color_max', 'clarity', 'clarity_max', 'is_fancy',
  'fancy_color_intensity', 'overtone', 'cut_grade', 'polish_grade', 'symmetry_grade',
  'fluorescence', 'eye_clean', 'grow_method', 'lab', 'lab_original', 'cert_num', 'cert_url',
  'country_code', 'cost', 'list_price', 'wholesale_price', 'wholesale_price_us', 'quantity',
  'memo', 'returnable', 'memo_days_to_return', 'days_to_return', 'internal_days_to_return',
  'delivery_days_min', 'delivery_days_max', 'image_top_url', 'video_url', 'ux_url',
  'original_imported_ext_url', 'pair_vendor_sku', 'pair_separable',
] as const satisfies readonly (keyof GemTable)[]

export type DraftColumn = (typeof DRAFT_COLUMNS)[number]

/** Which change of a column is a change of price, and which one only of pictures. */
export const PRICE_COLUMNS: readonly DraftColumn[] = [
  'cost',
  'list_price',
  'wholesale_price',
  'wholesale_price_us',
]
export const MEDIA_COLUMNS: readonly DraftColumn[] = [
  'image_top_url',
  'video_url',
  'ux_url',
  'original_imported_ext_url',
  'cert_url',
]

/** A stone as a feed's row describes it. Money as digits, measures as numbers. */
export type GemDraft = Pick<Insertable<GemTable>, Exclude<DraftColumn, 'weight'>> & {
  weight: number
}

/** Why a row is not for sale. One per row: the first that makes it unsaleable. */
export interface Rejection {
  row: number
  column: string
  value: string
  reason: string
}
