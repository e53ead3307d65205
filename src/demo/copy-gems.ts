import type { Copy } from '../database/copy-transaction.ts'
import type { DemoGem } from './demo-gem.ts'

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
  return copy(`copy gem (${COLUMNS.concat(NONE_FORGOTTEN).join(', ')}) from stdin`, chunks())

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

/** One line of COPY's text format. */
export function encodeGem(gem: DemoGem): string {
  let line = ''
  for (const column of COLUMNS) {
    const value = gem[column]
    line += line === '' ? '' : '\t'
    if (value === null || value === undefined) line += '\\N'
    else if (typeof value === 'string') line += NEEDS_ESCAPE.test(value) ? escapeText(value) : value
    else line += value
  }
  return `${line}\n`
}

const NEEDS_ESCAPE = /[\\\t\n\r]/

function escapeText(value: string): string {
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
}
