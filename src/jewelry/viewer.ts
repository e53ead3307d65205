import type { Merchant } from '../merchants/merchant.ts'
import { priceListOf } from '../merchants/merchant.ts'
import { type Conversion, conversionAt } from './price-conversion.ts'
import type { Floor } from './showroom.ts'
import type { ProductRow } from './showroom-rows.ts'

/** Who looks, which decides what is seen and at which prices. */
export interface Viewer {
  /** Null for the operator, who sees every catalogue. */
  merchantUuid: string | null
  priceList: 'us' | 'default'
  conversion: Conversion
  currencyCode: string
}

/** `merchant` undefined is the operator: all catalogues, at the default list. */
export function viewerOf(
  merchant: Merchant | undefined,
  currencyCode: string,
  rate: string,
): Viewer {
  return {
    merchantUuid: merchant?.uuid ?? null,
    priceList: merchant ? priceListOf(merchant) : 'default',
    conversion: conversionAt(rate),
    currencyCode,
  }
}

/**
 * The catalogue gate: a merchant sees catalogues that are published and public, and those shared
 * with it, which an operator may do before publishing. Null: everything is seen.
 */
export function visibleCatalogues(floor: Floor, { merchantUuid }: Viewer): Set<string> | null {
  if (merchantUuid === null) return null
  const visible = floor.catalogues.filter(
    (catalogue) =>
      (catalogue.published && catalogue.public) || catalogue.merchants.has(merchantUuid),
  )
  return new Set(visible.map((catalogue) => catalogue.uuid))
}

export function isVisible(product: ProductRow, visible: Set<string> | null): boolean {
  if (visible === null) return true
  for (const uuid of product.catalogues) if (visible.has(uuid)) return true
  return false
}
