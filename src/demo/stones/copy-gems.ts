import type { Copy } from '../../database/copy.ts'
import type { DemoGem } from './gem.ts'

// biome-ignore format: seventy names are not worth seventy lines
const COLUMNS = [
  'sku', 'supplier_id', 'vendor_sku', 'product_type', 'type', 'species', 'origin', 'treatment',
  'shape', 'cut_code', 'weight', 'length', 'width', 'depth', 'ratio', 'ratio_group',
  'depth_percentage', 'table_percentage', 'crown_angle', 'pavilion_angle', 'pavilion_depth',
  'culet_size', 'girdle_min', 'girdle_max', 'color', 'color_max', 'clarity', 'clarity_max',
  'is_fancy', 'fancy_color_intensity', 'overtone', 'cut_grade', 'polish_grade', 'symmetry_grade',
  'fluorescence', 'eye_clean', 'grow_method', 'lab', 'lab_original', 'cert_num', 'cert_url',
  'country_code', 'cost', 'list_price', 'wholesale_price', 'wholesale_price_us', 'state',
  'quantity', 'hold_uuid', 'hold_merchant_uuid', 'hold_created_on', 'hold_expires_on', 'can_hold',
  'memo', 'returnable', 'is_sustainable', 'sustainability_details', 'memo_days_to_return',
  'days_to_return', 'internal_days_to_return', 'delivery_days_min', 'delivery_days_max',
  'tolerance_positive', 'tolerance_negative', 'image_top_url', 'image_bottom_url', 'video_url',
  'ux_url', 'v360_json_base_url', 'v360_info', 'original_imported_ext_url', 'media_requested',
  'pair_vendor_sku', 'pair_separable', 'created_on', 'updated_on',
] as const satisfies readonly (keyof DemoGem)[]

/** Fails to compile when a column of DemoGem is not written. */
type Forgotten = Exclude<keyof DemoGem, (typeof COLUMNS)[number]>
const NONE_FORGOTTEN: never[] = [] as Forgotten[]

/** About 150 stones: large enough to keep PostgreSQL busy, small enough to hold a few of them. */
const CHUNK_CHARACTERS = 65_536

/** Streams the stones into the table; `onRows` is told how many have been handed over. */
export function copyGems(
  copy: Copy,
  gems: Iterable<DemoGem>,
  onRows: (rows: number) => void,
): Promise<void> {
  return copy(
    `copy gem (${COLUMNS.concat(NONE_FORGOTTEN).join(', ')}) from stdin with (null '')`,
    chunks(),
  )

  function* chunks(): Generator<Buffer> {
    let text = ''
    let rows = 0
    for (const gem of gems) {
      text += encodeGem(gem)
      rows++
      if (text.length < CHUNK_CHARACTERS) continue
      yield Buffer.from(text)
      text = ''
      onRows(rows)
    }
    if (text !== '') yield Buffer.from(text)
    onRows(rows)
  }
}

/**
 * One line of COPY's text format, in which an empty field is null. Nothing needs escaping: all
 * words of the demo market are ours, and the address in links is checked to be one.
 */
export function encodeGem(gem: DemoGem): string {
  return `${valuesOf(gem).join('\t')}\n`
}

/** In the order of COLUMNS. Written out, because a loop over the names takes four times as long. */
// biome-ignore format: seventy names are not worth seventy lines
const valuesOf = (gem: DemoGem) => [
  gem.sku, gem.supplier_id, gem.vendor_sku, gem.product_type, gem.type, gem.species, gem.origin,
  gem.treatment, gem.shape, gem.cut_code, gem.weight, gem.length, gem.width, gem.depth, gem.ratio,
  gem.ratio_group, gem.depth_percentage, gem.table_percentage, gem.crown_angle, gem.pavilion_angle,
  gem.pavilion_depth, gem.culet_size, gem.girdle_min, gem.girdle_max, gem.color, gem.color_max,
  gem.clarity, gem.clarity_max, gem.is_fancy, gem.fancy_color_intensity, gem.overtone,
  gem.cut_grade, gem.polish_grade, gem.symmetry_grade, gem.fluorescence, gem.eye_clean,
  gem.grow_method, gem.lab, gem.lab_original, gem.cert_num, gem.cert_url, gem.country_code,
  gem.cost, gem.list_price, gem.wholesale_price, gem.wholesale_price_us, gem.state, gem.quantity,
  gem.hold_uuid, gem.hold_merchant_uuid, gem.hold_created_on, gem.hold_expires_on, gem.can_hold,
  gem.memo, gem.returnable, gem.is_sustainable, gem.sustainability_details,
  gem.memo_days_to_return, gem.days_to_return, gem.internal_days_to_return, gem.delivery_days_min,
  gem.delivery_days_max, gem.tolerance_positive, gem.tolerance_negative, gem.image_top_url,
  gem.image_bottom_url, gem.video_url, gem.ux_url, gem.v360_json_base_url, gem.v360_info,
  gem.original_imported_ext_url, gem.media_requested, gem.pair_vendor_sku, gem.pair_separable,
  gem.created_on, gem.updated_on,
]
