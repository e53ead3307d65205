import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import type { GemProductType } from '../../database/tables/gems.ts'
import { lockName } from '../../database/transaction.ts'
import type { OwnLimits } from '../../reference/merchant-limits.ts'
import type { Gem } from '../gem.ts'
import type { LifeState } from '../gem-life.ts'
import { lockOffers, type OtherOffers, otherOffers } from '../offer-store.ts'

export interface Hold {
  uuid: string
  gem_id: number
  sku: string
  merchant_uuid: string
  created_on: string
  expires_on: string
}

/** What decides whether a stone can be held. */
export interface HoldableStone {
  others: OtherOffers
  id: number
  sku: string
  product_type: GemProductType
  quantity: number
  can_hold: boolean
  feed_gone: boolean
  hold_uuid: string | null
  hold_merchant_uuid: string | null
  hold_expires_on: string | null
  life_state: LifeState
}

/** What the change log has to say of each stone whose lease ended, by the stone's id. */
export type LeaseEnds = ReadonlyMap<number, 'gone' | 'release' | null>

export type HoldLimits = Pick<OwnLimits, 'max_holds' | 'max_hold_hours'>

export const holdColumns = sql`
  id as gem_id, sku, hold_uuid as uuid, hold_merchant_uuid as merchant_uuid,
  hold_created_on as created_on, hold_expires_on as expires_on`

/** The hold on a stone, live or not. */
export function holdOf(gem: LeaseColumns): Hold | null {
  const { hold_uuid, hold_merchant_uuid, hold_created_on, hold_expires_on } = gem
  if (!hold_uuid || !hold_merchant_uuid || !hold_created_on || !hold_expires_on) return null
  return {
    uuid: hold_uuid,
    gem_id: gem.id,
    sku: gem.sku,
    merchant_uuid: hold_merchant_uuid,
    created_on: hold_created_on,
    expires_on: hold_expires_on,
  }
}

type LeaseColumns = Pick<
  Gem,
  'id' | 'sku' | 'hold_uuid' | 'hold_merchant_uuid' | 'hold_created_on' | 'hold_expires_on'
>

/** Serialises the holds of one merchant, so that it cannot exceed its limits, which it returns. */
export async function lockHolder(tx: Tx, merchantUuid: string): Promise<HoldLimits> {
  // An advisory lock, because orders lock stones first and read merchants afterwards.
  await lockName(tx, `holds ${merchantUuid}`)
  return tx
    .selectFrom('merchant')
    .select(['max_holds', 'max_hold_hours'])
    .where('uuid', '=', merchantUuid)
    .executeTakeFirstOrThrow()
}

/**
 * Locks all offers of the stone, then reads it in a second statement: the clock must be read after
 * the wait for the locks, or a lease that ends meanwhile would still count.
 */
export async function lockStone(tx: Tx, sku: string): Promise<HoldableStone | undefined> {
  await lockOffers(tx, [sku])
  const { rows } = await sql<HoldableStone>`
    select gem.id, gem.sku, gem.product_type, gem.quantity, gem.can_hold, gem.feed_gone,
      gem.hold_uuid, gem.hold_merchant_uuid, gem.hold_expires_on, life_state(gem) as life_state,
      to_jsonb(others) as others
    from gem cross join lateral (${otherOffers(sql`market_clock()`)}) as others
    where gem.sku = ${sku}`.execute(tx)
  return rows[0]
}

export async function countLiveHolds(db: Db | Tx, merchantUuid: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from gem
    where hold_merchant_uuid = ${merchantUuid} and hold_uuid is not null
      and hold_expires_on > market_clock()`.execute(db)
  return rows[0].count
}

interface Lease {
  uuid: string
  merchantUuid: string
  minutes: number
  now: string
  latestEnd: string
  /** The end of a hold that exists already, if it must not end earlier. */
  keptEnd: string | null
}

/** Writes the lease. A hold that exists already keeps its `hold_created_on`. */
export async function writeLease(tx: Tx, gemId: number, lease: Lease): Promise<Hold> {
  const { uuid, merchantUuid, minutes, now, latestEnd, keptEnd } = lease
  const { rows } = await sql<Hold>`
    update gem set
      hold_created_on = case
        when hold_uuid = ${uuid} then hold_created_on else ${now}::timestamptz end,
      hold_uuid = ${uuid},
      hold_merchant_uuid = ${merchantUuid},
      hold_expires_on = greatest(${keptEnd}::timestamptz,
        least(${latestEnd}::timestamptz,
          ${now}::timestamptz + make_interval(secs => ${minutes * 60}::float8))),
      mover = 'hold'
    where id = ${gemId}
    returning ${holdColumns}`.execute(tx)
  return rows[0]
}

/**
 * Removes the leases of stones that the transaction has locked. A stone that its feed dropped
 * meanwhile is gone, and one that is held by another offer of it is not released.
 */
export async function clearLeases(tx: Tx, gemIds: readonly number[]): Promise<LeaseEnds> {
  const { rows } = await sql<{ id: number; kind: 'gone' | 'release' | null }>`
    update gem set hold_uuid = null, hold_merchant_uuid = null, hold_created_on = null,
      hold_expires_on = null, mover = 'hold',
      state = case when feed_gone then 'gone' else state end,
      quantity = case when feed_gone then 0 else quantity end
    where id = any(${gemIds}::bigint[])
    returning id, case when state = 'gone' then 'gone' when not exists (
      select from (${otherOffers(sql`market_clock()`)}) as others where held_by is not null
    ) then 'release' end as kind`.execute(tx)
  return new Map(rows.map(({ id, kind }) => [id, kind]))
}

/** Locks the stone of a live hold of the merchant. */
export async function lockLiveHold(
  tx: Tx,
  merchantUuid: string,
  holdUuid: string,
): Promise<Hold | undefined> {
  const { rows } = await sql<Hold>`
    select ${holdColumns} from gem
    where hold_merchant_uuid = ${merchantUuid} and hold_uuid = ${holdUuid}
      and hold_expires_on > market_clock()
    for update`.execute(tx)
  return rows[0]
}

/** Locks the stone of any merchant's hold. */
export async function lockHold(tx: Tx, holdUuid: string): Promise<Hold | undefined> {
  const { rows } = await sql<Hold>`
    select ${holdColumns} from gem
    where hold_uuid = ${holdUuid} and hold_uuid is not null
    for update`.execute(tx)
  return rows[0]
}

/** The merchant's live holds, oldest first. */
export async function listLiveHolds(db: Db, merchantUuid: string): Promise<Hold[]> {
  const { rows } = await sql<Hold>`
    select ${holdColumns} from gem
    where hold_merchant_uuid = ${merchantUuid} and hold_uuid is not null
      and hold_expires_on > market_clock()
    order by hold_created_on, hold_uuid`.execute(db)
  return rows
}

/**
 * The leases of stones that have ended and were not cleared yet, in the order of their beginning.
 * `gemIds` is a query of stones that the transaction has locked.
 */
export async function listEnded(tx: Tx, gemIds: RawBuilder<unknown>): Promise<Hold[]> {
  const { rows } = await sql<Hold>`
    select ${holdColumns} from gem
    where id in (${gemIds}) and hold_uuid is not null and hold_expires_on <= market_clock()
    order by hold_created_on, sku`.execute(tx)
  return rows
}

/** Locks stones whose lease has ended, except those that another node is working on. */
export async function lockExpired(tx: Tx, limit: number): Promise<Hold[]> {
  const { rows } = await sql<Hold>`
    select ${holdColumns} from gem
    where hold_uuid is not null and hold_expires_on <= market_clock()
    order by sku limit ${limit}
    for update skip locked`.execute(tx)
  return rows
}
