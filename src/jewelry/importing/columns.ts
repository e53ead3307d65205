import { foldName } from '../../feeds/mapping/header-names.ts'
import type { ListNames } from '../../feeds/mapping/list-names.ts'
import { isTakenColumn } from '../../feeds/values/availability.ts'
import { withoutCurrency } from '../../feeds/values/currency.ts'
import { CELL_CHARS_MAX } from './reading/kept-rows.ts'

/** The number of a design, which is the stock number unless another column has it. */
const STYLE_NUMBERS = [
  ...(['style number', 'style #', 'style no', 'design number', 'design #', 'design no'] as const),
] as const

/**
 * The names of columns in jewelry files: RapNet's first, then others in use, such as those of the
 * exports of shops. Case, spaces and punctuation do not matter, nor does the word jewelry in front.
 */
// biome-ignore format: a table of names reads best in rows
const JEWELRY_COLUMNS = {
  vendor_sku: ['stock number', 'stock #', 'stock no', 'stock', 'vendor sku', 'sku',
    'item number', 'item #', 'item no', 'item code', 'reference number', 'reference #',
    'reference no', 'reference', 'ref', 'ref no', 'ref #', 'product code', 'variant sku'],
  parent_vendor_sku: ['parent stock number', 'parent stock #', 'parent sku', 'product sku',
    'group id', 'item group id', 'handle', 'parent', ...STYLE_NUMBERS],
  jewelry_type: ['jewelry type', 'type', 'product type', 'item type', 'type.name'],
  category: ['category', 'categories', 'product category', 'product categories', 'category.name',
    'google product category'],
  sub_type: ['jewelry sub type', 'sub type', 'subtype', 'sub category', 'product subtype',
    'ring sub type',
    'earring sub type', 'necklace sub type', 'bracelet sub type', 'pendant sub type', 'watch type'],
  title: ['jewelry title', 'title', 'name', 'product name', 'product title', 'item name'],
  description: ['jewelry description', 'description', 'long description', 'body', 'body html'],
  short_description: ['short description'],
  country: ['jewelry location', 'location', 'country', 'country code'],
  currency: ['jewelry currency', 'currency', 'currency code', 'price.currency',
    'price.currency code', 'price currency'],
  price: ['jewelry total price', 'total price', 'price', 'wholesale price', 'cost', 'net price',
    'unit price', 'variant price', 'regular price', 'price.amount', 'price.value'],
  sale_price: ['sale price', 'special price'],
  sale_start: ['date sale price starts', 'sale price starts', 'special price from date',
    'special from date', 'date on sale from'],
  sale_end: ['date sale price ends', 'sale price ends', 'special price to date',
    'special to date', 'sale price effective date', 'date on sale to'],
  retail_price: ['jewelry msrp', 'msrp', 'mrp', 'retail price', 'rrp', 'suggested retail price',
    'list price', 'variant compare at price', 'compare at price'],
  image: ['media file name', 'media', 'image', 'images', 'image url', 'image link',
    'image urls', 'photo', 'photos', 'picture', 'pictures', 'main image', 'image src',
    'additional image link', 'base image', 'additional images', 'images.image', 'images.url',
    'images.image.url', 'photos.photo', 'pictures.picture', 'media.images', 'media.image'],
  variant_image: ['variant image', 'featured image', 'featured image.src'],
  image_position: ['image position'],
  video: ['video', 'videos', 'video url', 'video link', 'media.video', 'media.videos'],
  availability: ['availability', 'available', 'status', 'stock status', 'in stock',
    'is in stock'],
  // The names of `isTakenColumn`, too.
  sold: ['sold'],
  published: ['published', 'product online'],
  quantity: ['quantity', 'qty', 'stock quantity', 'quantity available', 'pieces',
    'variant inventory qty', 'inventory quantity'],
  condition: ['jewelry condition', 'condition'],
  stone: ['stone type', 'stone', 'stones', 'gemstone', 'gemstone type', 'main stone',
    'center stone', 'centre stone', 'center stone type', 'centre stone type', 'main stone type',
    'primary stone', 'primary stone type', 'stone 1', 'stone 1 type'],
  side_stone: ['side stone', 'side stones', 'side stone type', 'accent stone', 'accent stones',
    'accent stone type', 'secondary stone', 'secondary stone type', 'stone 2',
    'stone 2 type'],
  stone_growth: ['stone origin', 'diamond origin', 'center stone origin', 'diamond type',
    'lab grown', 'is lab grown', 'natural or lab', 'natural/lab', 'natural/lab grown'],
  stone_shape: ['gemstone cut', 'stone shape', 'diamond shape', 'gemstone shape', 'shape',
    'center stone shape', 'centre stone shape', 'center shape', 'main stone shape'],
  metal: ['jewelry material', 'material', 'metal', 'metal type', 'case material'],
  metal_color: ['metal color', 'metal colour', 'gold color', 'gold colour', 'material color',
    'material colour'],
  karat: ['material karat', 'karat', 'metal karat', 'purity', 'fineness'],
  size: ['ring size', 'size', 'case size', 'ring size us', 'us ring size', 'finger size'],
  length: ['jewelry length', 'length', 'chain length'],
  style: ['jewelry style', 'style'],
  collection: ['jewelry collection', 'collection'],
  movement: ['movement', 'movement type'],
  strap: ['strap', 'bracelet material', 'strap material', 'band'],
  dial: ['dial', 'dial color', 'dial colour'],
  returnable: ['returnable', 'is returnable'],
  delivery_days_max: ['delivery days max', 'delivery days', 'days to ship', 'lead time'],
  row_type: ['row type'],
  product_id: ['id', 'product id'],
  gift_card: ['gift card'],
  option_1_name: ['option 1 name', 'attribute 1 name'],
  option_1_value: ['option 1 value', 'attribute 1 value(s)', 'option 1'],
  option_2_name: ['option 2 name', 'attribute 2 name'],
  option_2_value: ['option 2 value', 'attribute 2 value(s)', 'option 2'],
  option_3_name: ['option 3 name', 'attribute 3 name'],
  option_3_value: ['option 3 value', 'attribute 3 value(s)', 'option 3'],
  option_4_name: ['option 4 name', 'attribute 4 name'],
  option_4_value: ['option 4 value', 'attribute 4 value(s)', 'option 4'],
  option_5_name: ['option 5 name', 'attribute 5 name'],
  option_5_value: ['option 5 value', 'attribute 5 value(s)', 'option 5'],
} as const satisfies Record<string, readonly string[]>

export type JewelryField = keyof typeof JEWELRY_COLUMNS

/** Columns that are stored with the variant, although nothing reads them yet. */
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
  'manufacture date', 'vendor', 'brands', 'tags', 'variant barcode', 'barcode',
  'gtin, upc, ean, or isbn',
]

/** Columns about stones, weights and measures are stored with the variant, too. */
const DETAIL = new RegExp(
  '^(?:cent(?:er|re)|main|side|accent|primary|secondary|total|diamond|dia|cs|gem|gemstone|stone)' +
    '\\d?' +
    '(?:stone|diamond|gem)?s?\\d?(?:carats?|ct|cts|tw|weight|wt|size|shape|cut|colou?r|clarity|' +
    'quality|count|pcs|quantity|lab|cert|certificate|origin|treatment|mm|measurements|setting)|' +
    '^(?:tcw|ctw|ctw?t|cttw|tdw|dtw)$|^(?:metal|gold|gram|gross|net|silver|item)(?:weight|wt)|' +
    '^(?:chain|band|shank|pendant|bracelet|necklace|case)(?:length|width|height|thickness)|' +
    '^ringsize(?:eu|uk|fr|de|it|jp|hk)|^(?:eu|uk|fr|de|it|jp|hk)ringsize',
)

export type ColumnMeaning = JewelryField | 'details'

export const JEWELRY_FIELDS: readonly ColumnMeaning[] = [
  ...(Object.keys(JEWELRY_COLUMNS) as JewelryField[]),
  'details',
]

/** The pairs of columns that name an option of a variant and its value. */
export const OPTION_FIELDS = [
  ['option_1_name', 'option_1_value'],
  ['option_2_name', 'option_2_value'],
  ['option_3_name', 'option_3_value'],
  ['option_4_name', 'option_4_value'],
  ['option_5_name', 'option_5_value'],
] as const satisfies readonly (readonly [JewelryField, JewelryField])[]

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
export function bare(name: string): string {
  return foldName(name).replace(/^jewel(le)?ry/, '')
}

/** In a JSON file, `variant_options.metal` is the option `metal`. */
export const OPTION_PREFIX = /^variant_options\./
export const ATTRIBUTE_PREFIX = /^filter_variant_options\./

export function meaningOf(column: string): ColumnMeaning | undefined {
  if (OPTION_PREFIX.test(column) || ATTRIBUTE_PREFIX.test(column)) return undefined
  const named = KNOWN.get(bare(column)) ?? KNOWN.get(bare(plainName(column)))
  if (named !== undefined) return named
  if (isTakenColumn(column)) return 'sold'
  return DETAIL.test(bare(column)) ? 'details' : undefined
}

/**
 * `Price (EUR)`, `Cost USD` and a second `Price` are prices, and `Image 2` is an image;
 * `Price (retail)` is something else.
 */
export function plainName(column: string): string {
  const name = withoutCurrency(column)
    .replaceAll('$', ' ')
    .replaceAll(/\(\s*(?:\d+\s*)?\)/g, ' ')
    .replace(NAMESPACE, '')
  return MEDIUM.test(name) ? name.replace(/\d{1,2}\s*$/, '') : name
}

const MEDIUM = /image|photo|picture|media|video/i
/** A namespace before the name, as in Google's product feed: `g:id`. */
const NAMESPACE = /^\s*[a-z]{1,10}:/i

/** Whether a column has the stock number in a file in which no column is called that. */
function isOtherNumber(column: string): boolean {
  return OTHER_NUMBERS.has(bare(plainName(column)))
}

const OTHER_NUMBERS: ReadonlySet<string> = new Set([...STYLE_NUMBERS, 'id'].map(bare))

/** Takes another number as the stock number when no column of the file is called that. */
export function nameStockNumber(
  meanings: Map<string, ColumnMeaning>,
  isDecided: (column: string) => boolean,
): void {
  if ([...meanings.values()].includes('vendor_sku')) return
  const other = [...meanings.keys()].find((name) => isOtherNumber(name) && !isDecided(name))
  if (other !== undefined) meanings.set(other, 'vendor_sku')
}

function countKnown(cells: readonly string[]): number {
  const meanings = cells.map((cell) => (cell.length > 60 ? undefined : meaningOf(cell)))
  return new Set(meanings.filter((meaning) => meaning !== undefined)).size
}

/** The names by which a list of jewelry is recognized. */
export const JEWELRY_NAMES: ListNames = {
  count: countKnown,
  fieldsOf(name) {
    const meaning = meaningOf(name)
    if (meaning === undefined) return []
    return isOtherNumber(name) ? [meaning, 'vendor_sku'] : [meaning]
  },
  needed: [
    ['a stock number', ['vendor_sku']],
    ['the price', ['price']],
  ],
  decisive: ['vendor_sku', 'parent_vendor_sku', 'price', 'sale_price', 'currency'],
  usual: 'stock number, type and price',
  example: '{"1": "vendor_sku", "2": "title", "3": "price"}',
  // Descriptions are longer than anything that a stone has.
  cellCharsMax: CELL_CHARS_MAX,
}
