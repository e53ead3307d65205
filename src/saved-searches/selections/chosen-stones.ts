import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import type { Gem } from '../../gems/gem.ts'
import { isHeld } from '../../gems/gem-rendering.ts'
import { isLeading, type Offer, readOffers } from '../../gems/offer-store.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { PriceList } from '../../pricing/price-list.ts'

/** What became of a stone since somebody chose it. */
export const STONE_STATUSES = ['available', 'held', 'sold', 'withdrawn'] as const
export type StoneStatus = (typeof STONE_STATUSES)[number]

/** A stone that was chosen by its SKU, as merchants of a price list see it now. */
export interface ChosenStone {
  /** The SKU by which it was chosen. */
  sku: string
  status: StoneStatus
  /** The listing of that SKU or, while the stone is on sale, the offer of it that leads now. */
  gem: Gem
}

interface Viewer {
  list: PriceList
  /** The time of the market: it decides whether a hold has ended. */
  nowMs: number
}

/**
 * The single stones with these SKUs, in their order; parcels and SKUs that do not exist are left
 * out. A stone stays the same one when another supplier's offer of it leads.
 */
export async function readChosen(
  db: Db | Tx,
  skus: readonly string[],
  viewer: Viewer,
): Promise<ChosenStone[]> {
  const { rows } = await sql<Gem>`
    select gem.* from gem where product_type <> 'melee' and id = any(array(
      select id from gem where sku = any(${skus}::text[])
      union
      select other.id from gem join gem as other on other.certificate = gem.certificate
      where gem.sku = any(${skus}::text[]) and not gem.apart and not other.apart))
    order by id`.execute(db)
  const ids = rows.map(({ id }) => id)
  const offers = await readOffers(db, ids)
  const bySku = new Map(rows.map((gem) => [gem.sku, gem]))
  return skus.flatMap((sku) => {
    const gem = bySku.get(sku)
    if (!gem) return []
    const same = rows.filter((other) => other.id === gem.id || isSameStone(gem, other))
    return [{ sku, ...presentOf(gem, same, offers, viewer) }]
  })
}

/** Whether the merchant can order it, or could if nobody held it. */
export function isOnSale({ status }: Pick<ChosenStone, 'status'>): boolean {
  return status === 'available' || status === 'held'
}

/** `readChosen`, which refuses SKUs of stones that are not on sale. */
export async function getOnSale(
  tx: Tx,
  skus: readonly string[],
  viewer: Viewer,
): Promise<ChosenStone[]> {
  const onSale = (await readChosen(tx, skus, viewer)).filter(isOnSale)
  const seen = new Set(onSale.map(({ sku }) => sku))
  if (seen.size === skus.length) return onSale
  const errors = skus.flatMap((sku, index) =>
    seen.has(sku) ? [] : [{ field: `skus[${index}]`, message: 'is not a stone that is on sale' }],
  )
  const unseen = skus.filter((sku) => !seen.has(sku)).join(', ')
  throw new Refusal('invalid_request', `You see no such stone on sale: ${unseen}.`, { errors })
}

function isSameStone(gem: Gem, other: Gem): boolean {
  return gem.certificate !== null && gem.certificate === other.certificate && !gem.apart
}

function presentOf(
  gem: Gem,
  same: readonly Gem[],
  offers: ReadonlyMap<number, Offer>,
  { list, nowMs }: Viewer,
): Omit<ChosenStone, 'sku'> {
  const leading = same.find(
    ({ id, state, quantity }) =>
      state === 'available' && quantity > 0 && isLeading(offers.get(id), list),
  )
  if (leading) {
    const offer = offers.get(leading.id)
    const shown = offer ? { ...leading, hold_expires_on: offer.held_until } : leading
    return { gem: shown, status: isHeld(shown, nowMs) ? 'held' : 'available' }
  }
  const isTaken = same.some(({ state }) => state === 'sold' || state === 'memo')
  return { gem, status: isTaken ? 'sold' : 'withdrawn' }
}
