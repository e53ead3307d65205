import { foldName } from '../../feeds/mapping/header-names.ts'

/**
 * The names of columns in jewelry files: RapNet's first, then others in use. Case, spaces and
 * punctuation do not matter, nor does the word jewelry in front.
 */
// biome-ignore format: a table of names reads best in rows
const JEWELRY_COLUMNS = {
  vendor_sku: ['stock number', 'stock #', 'stock no', 'stock', 'vendor sku', 'sku',
    'item number', 'item #', 'style number', 'reference number'],
  parent_vendor_sku: ['parent stock number', 'parent stock #', 'parent sku', 'product sku',
    'group id', 'handle'],
  jewelry_type: ['jewelry type', 'type', 'product type', 'category', 'item type'],
  sub_type: ['jewelry sub type', 'sub type', 'subtype', 'sub category', 'ring sub type',
    'earring sub type', 'necklace sub type', 'bracelet sub type', 'pendant sub type', 'watch type'],
  title: ['jewelry title', 'title', 'name', 'product name', 'product title'],
  description: ['jewelry description', 'description', 'long description', 'body'],
  country: ['jewelry location', 'location', 'country', 'country code'],
  currency: ['jewelry currency', 'currency', 'currency code'],
  price: ['jewelry total price', 'total price', 'price', 'wholesale price', 'cost', 'net price',
    'unit price'],
  retail_price: ['jewelry msrp', 'msrp', 'retail price', 'rrp', 'suggested retail price',
    'list price'],
  image: ['media file name', 'media', 'image', 'images', 'image url', 'image link',
    'image urls', 'photo', 'picture', 'main image'],
  video: ['video', 'videos', 'video url', 'video link'],
  availability: ['availability', 'available', 'status', 'stock status'],
  quantity: ['quantity', 'qty', 'stock quantity', 'quantity available', 'pieces'],
  condition: ['jewelry condition', 'condition'],
  stone: ['stone type', 'stone', 'stones', 'gemstone', 'gemstone type', 'main stone'],
  stone_shape: ['gemstone cut', 'stone shape', 'diamond shape', 'gemstone shape', 'shape'],
  metal: ['jewelry material', 'material', 'metal', 'metal type', 'case material'],
  karat: ['material karat', 'karat', 'metal karat', 'purity', 'fineness'],
  size: ['ring size', 'size', 'case size'],
  length: ['jewelry length', 'length', 'chain length'],
  style: ['jewelry style', 'style'],
  collection: ['jewelry collection', 'collection'],
  movement: ['movement', 'movement type'],
  strap: ['strap', 'bracelet material', 'strap material', 'band'],
  dial: ['dial', 'dial color', 'dial colour'],
  returnable: ['returnable', 'is returnable'],
  delivery_days_max: ['delivery days max', 'delivery days', 'days to ship', 'lead time'],
} as const satisfies Record<string, readonly string[]>

export type JewelryField = keyof typeof JEWELRY_COLUMNS

/** RapNet's columns that are stored with the variant, although nothing reads them yet. */
// biome-ignore format: a list of names reads best in rows
const DETAILS = [
  'jewelry state', 'stone carat/size', 'gemstone color', 'diamond color', 'diamond fancy color',
  'minimum order quantity',
  'jewelry brand', 'jewelry designer', 'jewelry total weight', 'jewelry width',
  'material weight', 'stone quantity',
  'diamond clarity', 'diamond cut', 'diamond polish', 'diamond symmetry',
  'diamond fluorescence intensity',
  'diamond fluorescence color', 'diamond treatment', 'diamond depth %', 'diamond table %',
  'stone lab',
  'stone certificate #', 'stone width', 'stone depth', 'stone height', 'keywords',
  'manufacture date',
]

export type ColumnMeaning = JewelryField | 'details'

const KNOWN = indexNames()

function indexNames(): Map<string, ColumnMeaning> {
  const known = new Map<string, ColumnMeaning>()
  for (const name of DETAILS) known.set(bare(name), 'details')
  for (const [field, names] of Object.entries(JEWELRY_COLUMNS)) {
    // A file may also use our own names.
    for (const name of [field, ...names]) known.set(bare(name), field as JewelryField)
  }
  return known
}

/** `Jewelry Total Price` and `total_price` are both `totalprice`. */
function bare(name: string): string {
  return foldName(name).replace(/^jewel(le)?ry/, '')
}

/** In a JSON file, `variant_options.metal` is the option `metal`. */
export const OPTION_PREFIX = /^variant_options\./
export const ATTRIBUTE_PREFIX = /^filter_variant_options\./

export function meaningOf(column: string): ColumnMeaning | undefined {
  if (OPTION_PREFIX.test(column) || ATTRIBUTE_PREFIX.test(column)) return undefined
  return KNOWN.get(bare(column))
}

export function countKnown(cells: readonly string[]): number {
  const meanings = cells.map((cell) => (cell.length > 60 ? undefined : meaningOf(cell)))
  return new Set(meanings.filter((meaning) => meaning !== undefined)).size
}
