import type { Static } from 'typebox'
import { parcelTree } from '../../gems/parcels.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { priceListOf } from '../../pricing/price-list.ts'
import type { ParcelQuery } from '../schemas/gem-parcel.ts'
import type { Services } from '../services.ts'

/** The melee parcels in stock as a tree, at the prices of the merchant. */
export async function readParcelFilters(
  { parcels, publicUrl }: Services,
  merchant: Merchant,
  { shape, type }: Static<typeof ParcelQuery>,
) {
  const rows = await parcels.of(shape, type)
  return { filters: parcelTree(rows, priceListOf(merchant), publicUrl) }
}
