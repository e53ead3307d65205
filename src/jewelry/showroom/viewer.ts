import type { ProductType } from '../../database/tables/jewelry.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { type PriceList, priceListOf } from '../../pricing/price-list.ts'
import { type Conversion, conversionAt } from '../price-conversion.ts'
import type { Floor } from './showroom.ts'

/** Who looks, which decides what is seen and at which prices. */
export interface Viewer {
  /** Null for the operator, who sees every catalogue. */
  merchantUuid: string | null
  priceList: PriceList
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
function visibleCatalogues(floor: Floor, { merchantUuid }: Viewer): Set<string> | null {
  if (merchantUuid === null) return null
  const visible = floor.catalogues.filter(
    (catalogue) =>
      (catalogue.published && catalogue.public) || catalogue.merchants.has(merchantUuid),
  )
  return new Set(visible.map((catalogue) => catalogue.uuid))
}

/** Names what a viewer sees: most merchants see the same, and share what was worked out for it. */
export function gateOf(floor: Floor, viewer: Viewer): string {
  const visible = visibleCatalogues(floor, viewer)
  return visible === null ? 'all' : [...visible].sort().join(' ')
}

/** One byte per product: 1 where it has one of the types and passes the gate. */
export function visibleProducts(
  floor: Floor,
  viewer: Viewer,
  types: readonly ProductType[],
): Uint8Array {
  const name = `${types.toSorted().join(' ')} ${gateOf(floor, viewer)}`
  const remembered = floor.rememberedGates.get(name)
  if (remembered) return remembered
  const visible = visibleCatalogues(floor, viewer)
  const marks = new Uint8Array(floor.products.rows.length)
  for (const { number, type, catalogues } of floor.products.rows) {
    const passes = visible === null || catalogues.some((uuid) => visible.has(uuid))
    if (passes && types.includes(type)) marks[number] = 1
  }
  floor.rememberedGates.set(name, marks)
  return marks
}
