import type { ProductType } from '../../database/tables/jewelry.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { jewelryAdjustmentOf } from '../../pricing/price-adjustment.ts'
import { type PriceList, priceListOf } from '../../pricing/price-list.ts'
import { adjustedConversion, type Conversion, conversionAt } from '../price-conversion.ts'
import type { ShowroomIndex } from './showroom.ts'

/** The caller, who decides which products are visible and at which prices. */
export interface Viewer {
  /** Null for the operator, who sees every catalogue. */
  merchantUuid: string | null
  priceList: PriceList
  /** Of the stored wholesale prices, with the merchant's own terms. */
  wholesale: Conversion
  retail: Conversion
  currencyCode: string
  /** Whether the viewer may know by which numbers suppliers call their products. */
  seesVendorSkus: boolean
}

/** Without a merchant the viewer is the operator: all catalogues, at the default price list. */
export function viewerOf(
  merchant: Merchant | undefined,
  currencyCode: string,
  rate: string,
  seesVendorSkus = true,
): Viewer {
  const retail = conversionAt(rate)
  return {
    merchantUuid: merchant?.uuid ?? null,
    priceList: merchant ? priceListOf(merchant) : 'default',
    wholesale: adjustedConversion(retail, merchant ? jewelryAdjustmentOf(merchant) : null),
    retail,
    currencyCode,
    seesVendorSkus,
  }
}

/**
 * A merchant sees catalogues that are published and public, and those shared with it, even before
 * they are published. Returns null when everything is visible.
 */
function visibleCatalogues(index: ShowroomIndex, { merchantUuid }: Viewer): Set<string> | null {
  if (merchantUuid === null) return null
  const visible = index.catalogues.filter(
    (catalogue) =>
      (catalogue.published && catalogue.public) || catalogue.merchants.has(merchantUuid),
  )
  return new Set(visible.map((catalogue) => catalogue.uuid))
}

/** A cache key for what a viewer sees: most merchants see the same and share cached results. */
export function visibilityKeyOf(index: ShowroomIndex, viewer: Viewer): string {
  const visible = visibleCatalogues(index, viewer)
  return visible === null ? 'all' : [...visible].sort().join(' ')
}

/** Returns one byte per product: 1 where it has one of the types and the viewer sees it. */
export function visibleProducts(
  index: ShowroomIndex,
  viewer: Viewer,
  types: readonly ProductType[],
): Uint8Array {
  const name = `${types.toSorted().join(' ')} ${visibilityKeyOf(index, viewer)}`
  const cached = index.visibilityCache.get(name)
  if (cached) return cached
  const visible = visibleCatalogues(index, viewer)
  const marks = new Uint8Array(index.products.rows.length)
  for (const { number, type, catalogues } of index.products.rows) {
    const isVisible =
      visible === null || catalogues.some(({ catalogue_uuid }) => visible.has(catalogue_uuid))
    if (isVisible && types.includes(type)) marks[number] = 1
  }
  index.visibilityCache.set(name, marks)
  return marks
}

const NEVER = Number.POSITIVE_INFINITY

/**
 * Returns since when the viewer sees each product, in microseconds since 1970, as far as its
 * present catalogues tell.
 */
export function visibleSince(index: ShowroomIndex, { merchantUuid }: Viewer): Float64Array {
  const seen = new Map<string, number>()
  for (const { uuid, published, public: isPublic, opened, merchants } of index.catalogues) {
    const shared = merchants.get(merchantUuid ?? '') ?? NEVER
    seen.set(uuid, Math.min(shared, published && isPublic ? opened : NEVER))
  }
  return Float64Array.from(index.products.rows, ({ catalogues }) => {
    if (merchantUuid === null) return Number.NEGATIVE_INFINITY
    const times = catalogues.map(({ catalogue_uuid, added }) =>
      Math.max(added, seen.get(catalogue_uuid) ?? NEVER),
    )
    return Math.min(...times)
  })
}
