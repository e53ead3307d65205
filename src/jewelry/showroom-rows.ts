import type {
  FilterOptions,
  Medium,
  ProductType,
  VariantOptions,
} from '../database/jewelry-tables.ts'
import { centsFrom } from '../lib/money.ts'
import { isoWithOffset } from '../lib/timestamps.ts'
import { categoryOf, SEARCHED_ATTRIBUTES, valuesOf } from './attributes.ts'
import { foldText, wordsOf } from './free-text.ts'
import type { LoadedProduct, LoadedVariant } from './showroom-store.ts'
import type { Terms } from './terms.ts'

/** A product in memory. Rows are replaced and never changed: sorted lists rely on it. */
export interface ProductRow {
  id: string
  type: ProductType
  title: string
  description: string
  vendor: { id: string; name: string }
  variants: VariantRow[]
  created_on: string
  updated_on: string
  /** A small number of its own, the same for every version of the product. */
  slot: number
  catalogues: string[]
  folded_title: string
  category: string
  /** The lowest of its variants, in cents of US dollars. */
  wholesale: Prices
  /** Numbers of the words in title and description. */
  words: number[]
}

export interface VariantRow {
  id: string
  sku: string
  product: ProductRow
  variant_options: VariantOptions
  filter_variant_options: FilterOptions
  wholesale: Prices
  retail_cents: number
  /** What can be ordered: 0 when the supplier no longer lists it. */
  quantity: number
  returnable: boolean
  delivery_days_min: number | null
  delivery_days_max: number | null
  media: Medium[]
  created_on: string
  updated_on: string
  /** Numbers of the words in SKU, vendor SKU, metal, stone and jewelry type. */
  words: number[]
  /** Numbers of its attribute values, see attributeTerm. */
  attributes: number[]
}

/** Cents of US dollars in each price list. */
export interface Prices {
  default: number
  us: number
}

export interface RowTerms {
  words: Terms
  attributes: Terms
}

export function attributeTerm(type: ProductType, key: string, value: string): string {
  return `${type}\n${key}\n${value}`
}

export function productRowOf(
  product: LoadedProduct,
  variants: readonly LoadedVariant[],
  place: { slot: number; catalogues: string[] },
  terms: RowTerms,
): ProductRow {
  const { vendor_id, vendor_name, created_on, updated_on, ...fields } = product
  const row: ProductRow = {
    ...fields,
    ...place,
    vendor: { id: vendor_id, name: vendor_name },
    variants: [],
    created_on: isoWithOffset(created_on),
    updated_on: isoWithOffset(updated_on),
    folded_title: foldText(product.title),
    category: categoryOf(product.type, variants[0]?.filter_variant_options ?? {}),
    wholesale: { default: 0, us: 0 },
    words: idsOf(terms.words, wordsOf([product.title, product.description])),
  }
  row.variants = variants.map((variant) => variantRowOf(variant, row, terms))
  if (row.variants.length > 0) {
    row.wholesale = {
      default: Math.min(...row.variants.map(({ wholesale }) => wholesale.default)),
      us: Math.min(...row.variants.map(({ wholesale }) => wholesale.us)),
    }
  }
  return row
}

function variantRowOf(variant: LoadedVariant, product: ProductRow, terms: RowTerms): VariantRow {
  const options = variant.filter_variant_options
  const searched = SEARCHED_ATTRIBUTES.flatMap((key) => valuesOf(options, key))
  const attributes = Object.keys(options).flatMap((key) =>
    valuesOf(options, key).map((value) => attributeTerm(product.type, key, value)),
  )
  return {
    id: variant.id,
    sku: variant.sku,
    product,
    variant_options: variant.variant_options,
    filter_variant_options: options,
    wholesale: {
      default: centsFrom(variant.wholesale_price),
      us: centsFrom(variant.wholesale_price_us),
    },
    retail_cents: centsFrom(variant.retail_price),
    quantity: variant.listed ? variant.quantity : 0,
    returnable: variant.returnable,
    delivery_days_min: variant.delivery_days_min,
    delivery_days_max: variant.delivery_days_max,
    media: variant.media,
    created_on: isoWithOffset(variant.created_on),
    updated_on: isoWithOffset(variant.updated_on),
    words: idsOf(terms.words, wordsOf([variant.sku, variant.vendor_sku, ...searched])),
    attributes: idsOf(terms.attributes, attributes),
  }
}

function idsOf(terms: Terms, texts: Iterable<string>): number[] {
  return Array.from(texts, (text) => terms.idOf(text))
}
