import type {
  FilterOptions,
  Medium,
  ProductType,
  VariantOptions,
} from '../../database/tables/jewelry.ts'
import { centsFrom } from '../../lib/money.ts'
import { categoryOf, SEARCHED_ATTRIBUTES, valuesOf } from '../attributes.ts'
import { foldText } from './free-text.ts'
import type { LoadedProduct, LoadedVariant } from './store.ts'

/** A product in memory. Rows are immutable, because sorted lists find them by their old keys. */
export interface ProductRow {
  id: string
  /** The row number, the same for every version of the product. */
  number: number
  type: ProductType
  title: string
  description: string
  vendor: { id: string; name: string }
  variants: VariantRow[]
  /** As PostgreSQL prints them, which sorts by time. */
  created_on: string
  updated_on: string
  /** `updated_on` in microseconds since 1970. */
  updated: number
  /** The catalogues that it is in, and since when. */
  catalogues: readonly Membership[]
  folded_title: string
  category: string
  /** The lowest prices of its variants. */
  wholesale: Prices
}

interface Membership {
  catalogue_uuid: string
  added: number
}

export interface VariantRow {
  id: string
  number: number
  sku: string
  vendor_sku: string
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
  updated: number
}

/** Cents of US dollars in each price list. */
interface Prices {
  default: number
  us: number
}

export function productRowOf(
  product: LoadedProduct,
  variants: readonly LoadedVariant[],
  catalogues: readonly Membership[],
  numbers: { product: number; variantOf: (id: string) => number },
): ProductRow {
  const { vendor_id, vendor_name, ...fields } = product
  const row: ProductRow = {
    ...fields,
    number: numbers.product,
    catalogues,
    vendor: { id: vendor_id, name: vendor_name },
    variants: [],
    folded_title: foldText(product.title),
    category: categoryOf(product.type, variants[0]?.filter_variant_options ?? {}),
    wholesale: { default: 0, us: 0 },
  }
  row.variants = variants.map((each) => variantRowOf(each, row, numbers.variantOf(each.id)))
  if (row.variants.length > 0) {
    row.wholesale = {
      default: Math.min(...row.variants.map(({ wholesale }) => wholesale.default)),
      us: Math.min(...row.variants.map(({ wholesale }) => wholesale.us)),
    }
  }
  return row
}

function variantRowOf(
  { product_id: _, listed, retail_price, ...variant }: LoadedVariant,
  product: ProductRow,
  number: number,
): VariantRow {
  const { wholesale_price, wholesale_price_us, ...fields } = variant
  return {
    ...fields,
    number,
    product,
    wholesale: { default: centsFrom(wholesale_price), us: centsFrom(wholesale_price_us) },
    retail_cents: centsFrom(retail_price),
    quantity: listed ? variant.quantity : 0,
  }
}

/**
 * Returns the texts that free text searches besides the product's title and description, and the
 * supplier's number, which not everybody finds it by.
 */
export function searchedTexts({ sku, filter_variant_options }: VariantRow): string[] {
  const attributes = SEARCHED_ATTRIBUTES.flatMap((key) => valuesOf(filter_variant_options, key))
  return [sku, ...attributes]
}

/** Returns the attributes as terms: `jewelry`, `metal` and `platinum 950` on separate lines. */
export function attributeTerms({ product, filter_variant_options }: VariantRow): Set<string> {
  const terms = new Set<string>()
  for (const key of Object.keys(filter_variant_options)) {
    for (const value of valuesOf(filter_variant_options, key)) {
      terms.add(attributeTerm(product.type, key, value))
    }
  }
  return terms
}

export function attributeTerm(type: ProductType, key: string, value: string): string {
  return `${type}\n${key}\n${value}`
}
