import type { ProductType } from '../database/jewelry-tables.ts'
import { type Merchant, priceListOf } from '../merchants/merchant.ts'
import { type Conversion, conversionAt } from './price-conversion.ts'
import type { Floor } from './showroom.ts'

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
function visibleCatalogues(floor: Floor, { merchantUuid }: Viewer): Set<string> | null {
  if (merchantUuid === null) return null
  const visible = floor.catalogues.filter(
    (catalogue) =>
      (catalogue.published && catalogue.public) || catalogue.merchants.has(merchantUuid),
  )
  return new Set(visible.map((catalogue) => catalogue.uuid))
}

/**
 * Remembers an answer that depends on nothing but the gate until something changes; most merchants
 * see the same catalogues and share it.
 */
export function rememberByGate<T>(
  floor: Floor,
  viewer: Viewer,
  name: string,
  work: (visible: Set<string> | null) => T,
): T {
  const visible = visibleCatalogues(floor, viewer)
  const key = `${name} ${visible === null ? 'all' : [...visible].sort().join(' ')}`
  if (!floor.remembered.has(key)) floor.remembered.set(key, work(visible))
  return floor.remembered.get(key) as T
}

/** One byte per product: 1 where it has one of the types and passes the gate. */
export function visibleProducts(
  floor: Floor,
  viewer: Viewer,
  types: readonly ProductType[],
): Uint8Array {
  return rememberByGate(floor, viewer, `visible ${types.toSorted().join(' ')}`, (visible) => {
    const marks = new Uint8Array(floor.products.rows.length)
    for (const { number, type, catalogues } of floor.products.rows) {
      const passes = visible === null || catalogues.some((uuid) => visible.has(uuid))
      if (passes && types.includes(type)) marks[number] = 1
    }
    return marks
  })
}
