import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { OfferTable } from '../database/tables/gems.ts'
import { listColumn, type PriceList } from '../pricing/price-list.ts'

/**
 * Suppliers' listings of one certificate are offers of one stone, which is held and sold once.
 * Per price list one of them leads, and merchants see no other. `log_changes` of the change log
 * decides which: the table `offer` has a row for each listing of a stone that has several.
 */
export type Offer = Selectable<OfferTable>

/** Joins a query of gem with its offers; a stone with one listing has none. */
export const WITH_OFFERS = 'gem left join offer on offer.gem_id = gem.id'

/**
 * Whether merchants of the list see the stone, in SQL. A listing that the change log does not tell
 * of yet is seen by nobody: which offer of its stone leads is decided when its entry is numbered.
 */
export function leadsIn(list: PriceList): string {
  return `coalesce(offer.${listColumn('leads', list)}, gem.id not in (
    select unnest(coalesce(gem_ids, array[gem_id])) from change_queue
    where kind in ('new', 'back', 'added')))`
}

/** Whether the merchants of some list see it. */
export const LEADS_SOMEWHERE = `(${leadsIn('default')} or ${leadsIn('us')})`

/** When the hold on the stone ends, by whichever offer it is held. */
export const STONE_HELD_UNTIL =
  'case when offer.gem_id is null then gem.hold_expires_on else offer.held_until end'

/**
 * When what merchants see of the stone last changed: the listing itself, or that they see this
 * offer and not another, with which a merchant that asks for `updated_since` must find it.
 */
export const SHOWN_UPDATED_ON = 'greatest(gem.updated_on, offer.shown_on)'

/** The rows of those of the listings whose stone has several. */
export async function readOffers(
  db: Db | Tx,
  gemIds: readonly number[],
): Promise<ReadonlyMap<number, Offer>> {
  if (gemIds.length === 0) return new Map()
  const { rows } = await sql<Offer>`
    select * from offer where gem_id = any(${gemIds}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.gem_id, row]))
}

/** Whether merchants of the list see the listing, if it is on sale. */
export function isLeading(offer: Offer | undefined, list: PriceList): boolean {
  return offer?.[listColumn('leads', list)] ?? true
}

/** The stones that merchants hold, each with all its offers, by whichever it is held. */
export async function listStonesHeldBy(
  db: Db | Tx,
  merchantUuids: readonly string[],
): Promise<{ merchant_uuid: string; gem_id: number }[]> {
  const { rows } = await sql<{ merchant_uuid: string; gem_id: number }>`
    select hold_merchant_uuid as merchant_uuid, id as gem_id from gem
    where hold_merchant_uuid = any(${merchantUuids}::uuid[]) and hold_uuid is not null
      and hold_expires_on > market_clock()
    union
    select held_by, gem_id from offer
    where held_by = any(${merchantUuids}::uuid[]) and held_until > market_clock()`.execute(db)
  return rows
}

/**
 * Locks the listings of these SKUs, and all other offers of their stones, in SKU order. Read them
 * in a second statement: what was committed while this one waited is seen there.
 */
export async function lockOffers(tx: Tx, skus: readonly string[]): Promise<void> {
  await offersLock(skus).execute(tx)
}

/** The statement of `lockOffers`. */
export function offersLock(skus: readonly string[]): RawBuilder<object> {
  return sql<object>`
    select count(*) from (
      select from gem where id = any(array(
        select id from gem where sku = any(${skus}::text[])
        union
        select other.id from gem join gem as other on other.certificate = gem.certificate
        where gem.sku = any(${skus}::text[]) and not gem.apart and not other.apart
      )) order by sku for update
    ) as locked`
}

/** What the other offers of a stone are. */
export interface OtherOffers {
  /** The stone is sold or on memo by one of them. */
  taken: 'sold' | 'memo' | null
  /** The merchant that holds the stone by one of them. */
  held_by: string | null
  /** Those with a running hold. */
  held: { id: number; sku: string; hold_uuid: string; hold_expires_on: string }[]
}

/** The other offers of the stone of a `gem`, at a time, as a row for a lateral join. */
export function otherOffers(now: RawBuilder<unknown>): RawBuilder<OtherOffers> {
  const isHeld = sql`other.state = 'available' and other.hold_expires_on > ${now}`
  return sql<OtherOffers>`
    select max(other.state) filter (where other.state in ('sold', 'memo')) as taken,
      (array_agg(other.hold_merchant_uuid) filter (where ${isHeld}))[1] as held_by,
      coalesce(jsonb_agg(jsonb_build_object('id', other.id, 'sku', other.sku,
        'hold_uuid', other.hold_uuid, 'hold_expires_on', other.hold_expires_on)
        order by other.sku) filter (where ${isHeld}), '[]') as held
    from gem as other
    where other.certificate = gem.certificate and other.id <> gem.id
      and not gem.apart and not other.apart`
}
