/**
 * The fields of a stone that no column fills, because the market makes them. For a file that has
 * them, such as one made from a response of the interface, this says more than "unknown name".
 */
const MADE_BY_THE_MARKET = new Set([
  'id',
  'quality',
  'base_currency_code',
  'exchange_rate',
  'base_retail_price',
  'base_wholesale_price',
  'retail_price',
  'off_rap_price',
  'is_manual',
  'created_on',
  'updated_on',
  'supplier_id',
  'shape_icon_url',
  'shape_icon_url_png',
  'shape_image_url',
  'merchant_template_group',
  'merchant_template_label',
  'merchant_template_position',
  'merchant_template_uuid',
])

/** Columns without a field that are still read; see draft-lot.ts and draft-offer.ts. */
const READ_WITHOUT_FIELD = new Map([
  ['parcel', 'it can say that a row is a parcel'],
  ['product_type', 'it can say that a row is a parcel'],
  ['on_hold', 'it can take a stone off the market'],
])

/** Returns why a column has no field, as far as its name says. */
export function whyWithoutField(column: string): string {
  if (MADE_BY_THE_MARKET.has(column)) return 'the market makes this field, and no feed fills it'
  return READ_WITHOUT_FIELD.get(column) ?? 'no field has this name'
}
