import { sql } from 'kysely'
import type { Db } from '../database/open.ts'
import type { PriceList } from '../pricing/price-list.ts'
import type { Gem } from './gem.ts'
import { isTreated } from './gem-life.ts'
import { isLeading, readOffers, SHOWN_UPDATED_ON } from './offer-store.ts'
import { type PriceSince, readPrices } from './price-changes.ts'

/** A stone with the prices that it had, newest first. */
interface StoneWithPrices {
  gem: Gem
  prices: PriceSince[]
}

/** Who looks: for which price list, and whether treated diamonds are asked for. */
interface StoneViewer {
  list: PriceList
  includeTreated: boolean
}

/**
 * The stone with a SKU, as of one moment, if the viewer sees it: it is on sale, and no other offer
 * of it leads. A hold on another offer holds this one, too.
 */
export function findStone(
  db: Db,
  sku: string,
  { list, includeTreated }: StoneViewer,
): Promise<StoneWithPrices | undefined> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const gem = await tx
        .selectFrom('gem')
        .leftJoin('offer', 'offer.gem_id', 'gem.id')
        .selectAll('gem')
        .select(sql<string>`${sql.raw(SHOWN_UPDATED_ON)}`.as('updated_on'))
        .where('gem.sku', '=', sku)
        .where('gem.state', '=', 'available')
        .where('gem.quantity', '>', 0)
        .executeTakeFirst()
      if (!gem || (isTreated(gem) && !includeTreated)) return undefined
      const offer = (await readOffers(tx, [gem.id])).get(gem.id)
      if (!isLeading(offer, list)) return undefined
      const hold_expires_on = offer ? offer.held_until : gem.hold_expires_on
      return { gem: { ...gem, hold_expires_on }, prices: await readPrices(tx, gem.id) }
    })
}
