/**
 * The filters of a query. A selection has one byte per row, 1 where the row is selected; every
 * filter clears the bytes of rows that do not match.
 */
import type { ProductType } from '../../database/tables/jewelry.ts'
import { Refusal } from '../../lib/refusal.ts'
import { PRODUCT_TYPES } from '../attributes.ts'
import type { Conversion } from '../price-conversion.ts'
import { queryWords } from './free-text.ts'
import { checkAttributes } from './known-attributes.ts'
import { attributeTerm } from './rows.ts'
import type { ShowroomIndex } from './showroom.ts'
import { markRows } from './term-index.ts'
import { type Viewer, visibleProducts, visibleSince } from './viewer.ts'

/** What a caller may filter by. A condition that is absent does not restrict. */
export interface VariantFilters {
  q?: string
  product_id?: readonly string[]
  variant_id?: readonly string[]
  vendor_id?: readonly string[]
  type?: readonly ProductType[]
  /** One value or several per attribute; attributes combine with AND. */
  filter_variant_options?: Readonly<Record<string, string | readonly string[]>>
  has_media?: boolean
  returnable?: boolean
  wholesale_price_min?: number
  wholesale_price_max?: number
  retail_price_min?: number
  retail_price_max?: number
  delivery_days_max?: number
  /** Microseconds since 1970: what changed, or what the viewer began to see, from then on. */
  updated_since?: number
  include_unavailable: boolean
}

/** Selects the variants that match all filters. Refuses attributes that the viewer cannot know. */
export function selectVariants(
  index: ShowroomIndex,
  viewer: Viewer,
  filters: VariantFilters,
): Uint8Array {
  const products = selectProducts(index, viewer, filters)
  const selected = selectByColumns(index, viewer, filters, products)
  if (filters.updated_since !== undefined) {
    filterUpdated(index, viewer, filters.updated_since, selected)
  }
  if (filters.variant_id) filterIds(index, filters.variant_id, selected)
  const types = filters.type ?? PRODUCT_TYPES
  const attributes = checkAttributes(index, viewer, types, filters.filter_variant_options ?? {})
  for (const { key, values } of attributes) filterAttribute(index, types, key, values, selected)
  filterWords(index, viewer, filters.q ?? '', selected)
  return selected
}

/** Selects the products that the viewer can see and that the query asks for. */
function selectProducts(index: ShowroomIndex, viewer: Viewer, filters: VariantFilters): Uint8Array {
  const visible = visibleProducts(index, viewer, filters.type ?? PRODUCT_TYPES)
  if (!filters.product_id && !filters.vendor_id) return visible
  const productIds = filters.product_id && new Set(filters.product_id)
  const vendorIds = filters.vendor_id && new Set(filters.vendor_id)
  return visible.map((isVisible, number) => {
    const { id, vendor } = index.products.rows[number]
    if (productIds && !productIds.has(id)) return 0
    if (vendorIds && !vendorIds.has(vendor.id)) return 0
    return isVisible
  })
}

function selectByColumns(
  { variants: { columns } }: ShowroomIndex,
  viewer: Viewer,
  filters: VariantFilters,
  products: Uint8Array,
): Uint8Array {
  const { product, quantity, has_media, returnable, delivery_days_max, retail } = columns
  const wholesale = columns.wholesale[viewer.priceList]
  const quantityMin = filters.include_unavailable ? 0 : 1
  const { wholesale_price_min, wholesale_price_max, retail_price_min, retail_price_max } = filters
  const [wholesaleMin, wholesaleMax] = usdBounds(
    viewer.wholesale,
    wholesale_price_min,
    wholesale_price_max,
  )
  const [retailMin, retailMax] = usdBounds(viewer.retail, retail_price_min, retail_price_max)
  const daysMax = filters.delivery_days_max ?? Number.POSITIVE_INFINITY
  const media = flagOf(filters.has_media)
  const returns = flagOf(filters.returnable)
  const selected = new Uint8Array(columns.count)
  for (let number = 0; number < selected.length; number++) {
    if (
      products[product[number]] === 1 &&
      quantity[number] >= quantityMin &&
      wholesale[number] >= wholesaleMin &&
      wholesale[number] <= wholesaleMax &&
      retail[number] >= retailMin &&
      retail[number] <= retailMax &&
      delivery_days_max[number] <= daysMax &&
      (media === EITHER || has_media[number] === media) &&
      (returns === EITHER || returnable[number] === returns)
    ) {
      selected[number] = 1
    }
  }
  return selected
}

const EITHER = 2

function flagOf(condition: boolean | undefined): 0 | 1 | typeof EITHER {
  return condition === undefined ? EITHER : condition ? 1 : 0
}

/** Bounds in the viewer's currency become bounds in US cents, so that no row is converted. */
function usdBounds(conversion: Conversion, min: number | undefined, max: number | undefined) {
  return [
    min === undefined ? 0 : conversion.usdCentsFrom(min),
    max === undefined ? Number.POSITIVE_INFINITY : conversion.usdCentsUpTo(max),
  ] as const
}

function filterUpdated(
  index: ShowroomIndex,
  viewer: Viewer,
  since: number,
  selected: Uint8Array,
): void {
  const { product, updated } = index.variants.columns
  const seen = visibleSince(index, viewer)
  for (let number = 0; number < selected.length; number++) {
    if (updated[number] < since && seen[product[number]] < since) selected[number] = 0
  }
}

function filterIds({ variants }: ShowroomIndex, ids: readonly string[], selected: Uint8Array) {
  const wanted = new Set(ids)
  for (let number = 0; number < selected.length; number++) {
    if (selected[number] === 1 && !wanted.has(variants.rows[number].id)) selected[number] = 0
  }
}

function filterAttribute(
  { variants: { attributes } }: ShowroomIndex,
  types: readonly ProductType[],
  key: string,
  values: readonly string[],
  selected: Uint8Array,
): void {
  const terms = values.flatMap((value) =>
    types.flatMap((type) => attributes.find(attributeTerm(type, key, value)) ?? []),
  )
  const matching = new Uint8Array(selected.length)
  markRows(attributes, terms, matching)
  for (let number = 0; number < selected.length; number++) selected[number] &= matching[number]
}

const WORDS_MAX = 20

/** Every word must occur, whole or as a prefix, in the variant or in its product. */
function filterWords(
  { products, variants }: ShowroomIndex,
  { seesVendorSkus }: Viewer,
  query: string,
  selected: Uint8Array,
): void {
  const words = queryWords(query)
  // A word of signs only is empty after stripping, and occurs in no text.
  if (words.includes('')) selected.fill(0)
  if (words.length > WORDS_MAX) {
    const message = `must have at most ${WORDS_MAX} different words`
    throw new Refusal('invalid_request', `q ${message}.`, { errors: [{ field: 'q', message }] })
  }
  const productOf = variants.columns.product
  for (const word of words) {
    const inProducts = new Uint8Array(products.rows.length)
    const inVariants = new Uint8Array(selected.length)
    markRows(products.words, products.words.startingWith(word), inProducts)
    markRows(variants.words, variants.words.startingWith(word), inVariants)
    if (seesVendorSkus) {
      markRows(variants.vendorSkus, variants.vendorSkus.startingWith(word), inVariants)
    }
    for (let number = 0; number < selected.length; number++) {
      selected[number] &= inVariants[number] | inProducts[productOf[number]]
    }
  }
}
