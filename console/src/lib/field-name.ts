import { isTranslated, t } from '../language/language.ts'
import { capitalize, humanize } from './format.ts'

/** English names of fields that do not say it themselves. */
const NAMES: Partial<Record<string, string>> = {
  vendor_sku: 'stock number',
  sku: 'SKU',
  cert_num: 'certificate number',
  cert_num_2: 'certificate number of the second stone',
  cert_url: 'certificate as a file',
  wholesale_price_us: 'wholesale price, US list',
  can_hold: 'can be held',
  memo: 'on memo',
  is_manual: 'overridden',
  is_sustainable: 'sustainable',
  image_top_url: 'picture from the top',
  image_bottom_url: 'picture from below',
  video_url: 'video',
  ux_url: '360 degree viewer',
  cached_ux_url: '360 degree viewer, cached',
  v360_json_base_url: 'address of the 360 degree frames',
  v360_info: '360 degree frames',
  original_imported_ext_url: "the supplier's page",
  internal_days_to_return: 'days to return it to the supplier',
  memo_days_to_return: 'days of a memo',
  lab: 'laboratory',
  lab_name: 'laboratory as written',
  pair_vendor_sku: 'stock number of the pair',
  pair_sku: 'SKU of the pair',
  enabled: 'enabled',
  apart: 'sold apart',
}

/** The name of a field of the interface, such as `wholesale_price_us`, in the reader's language. */
export function fieldName(field: string): string {
  const key = `field: ${field}`
  return isTranslated(key) ? t(key) : (NAMES[field] ?? humanize(field))
}

/** The same at the beginning of a label. */
export function fieldLabel(field: string): string {
  return capitalize(fieldName(field))
}
