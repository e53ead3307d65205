import type { Db } from '../database/open.ts'
import type { PriceList } from '../pricing/price-list.ts'
import type { Gem } from './gem.ts'
import { isLeading, readOffers } from './offer-store.ts'
import { type PriceSince, readPrices } from './price-changes.ts'

/** A stone with the prices that it had, newest first. */
interface StoneWithPrices {
  gem: Gem
  prices: PriceSince[]
}

/**
 * The stone with a SKU, as of one moment, if merchants of the price list see it: it is on sale, and
 * no other offer of it leads. A hold on another offer holds this one, too.
 */
export function findStone(
  db: Db,
  sku: string,
  list: PriceList,
): Promise<StoneWithPrices | undefined> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const gem = await tx
        .selectFrom('gem')
        .selectAll()
        .where('sku', '=', sku)
        .where('state', '=', 'available')
        .where('quantity', '>', 0)
        .executeTakeFirst()
      if (!gem) return undefined
      const offer = (await readOffers(tx, [gem.id])).get(gem.id)
      if (!isLeading(offer, list)) return undefined
      const hold_expires_on = offer ? offer.held_until : gem.hold_expires_on
      return { gem: { ...gem, hold_expires_on }, prices: await readPrices(tx, gem.id) }
    })
}
