import { sql } from 'kysely'
import { readMarketTime } from '../../database/clock.ts'
import type { Db, Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordAlerts } from '../../events/events.ts'
import { centsFrom } from '../../lib/money.ts'
import { type Merchant, whyNotAdmitted } from '../../merchants/merchant.ts'
import { findMerchants } from '../../merchants/merchant-store.ts'
import { listColumn, priceListOf } from '../../pricing/price-list.ts'
import { type ChosenStone, isOnSale, readChosen } from './chosen-stones.ts'
import type { WatchedStone } from './watched.ts'

/** What a merchant is told of a stone that it watches. */
export const WATCH_CHANGES = ['price_down', 'price_up', 'sold', 'withdrawn', 'back'] as const
type WatchChange = (typeof WATCH_CHANGES)[number]

/** So much of the change log is compared in one transaction. */
const CHANGES_AT_ONCE = 5_000

/**
 * Tells merchants what happened to the stones that they watch: event `watch.change`. It follows the
 * change log, and its place there moves in the transaction of the events, so every change is told
 * once, however many nodes run this and whenever they stop.
 */
export async function tellOfWatched(db: Db): Promise<void> {
  while (await hasNewChanges(db)) {
    if (!(await inTransaction(db, tellSome))) return
  }
}

async function hasNewChanges(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_behind: boolean }>`
    select place <> last as is_behind from watch_place, change_clock`.execute(db)
  return rows[0]?.is_behind ?? false
}

/** Returns false when another node does it. */
async function tellSome(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ place: number; last: number }>`
    select place, last from watch_place, change_clock for update of watch_place skip locked
  `.execute(tx)
  if (rows.length === 0) return false
  const { place, last } = rows[0]
  const upTo = last > place ? Math.min(last, place + CHANGES_AT_ONCE) : last
  const isWhole = last > place && (await hasChanges(tx, place, upTo))
  const watched = await readAffected(tx, isWhole ? { place, upTo } : undefined)
  for (const [merchantUuid, own] of groupByMerchant(watched)) {
    const [merchant] = await findMerchants(tx, [merchantUuid])
    if (merchant) await tellMerchant(tx, merchant, own)
  }
  // Where the log was cut off, all stones were compared with what they are now.
  await sql`update watch_place set place = ${isWhole ? upTo : last}`.execute(tx)
  return true
}

/** Whether the log still has every change of the part. */
async function hasChanges(tx: Tx, place: number, upTo: number): Promise<boolean> {
  const { rows } = await sql<{ first: number | null }>`
    select min(sequence) as first from change
    where sequence > ${place} and sequence <= ${upTo}`.execute(tx)
  return rows[0].first === place + 1
}

/** The watched stones that a part of the log mentions, by any of their offers; or all. */
async function readAffected(
  tx: Tx,
  part: { place: number; upTo: number } | undefined,
): Promise<WatchedStone[]> {
  if (!part) return tx.selectFrom('watched_stone').selectAll().execute()
  const { rows } = await sql<WatchedStone>`
    with changed as materialized (
      select distinct gem_id, sku from change
      where sequence > ${part.place} and sequence <= ${part.upTo} and gem_id is not null
    )
    select * from watched_stone where sku in (
      select sku from changed
      union
      select other.sku from changed join offer on offer.gem_id = changed.gem_id
      join gem as other on other.certificate = offer.certificate)
    order by merchant_uuid, sku`.execute(tx)
  return rows
}

function groupByMerchant(watched: readonly WatchedStone[]): Map<string, WatchedStone[]> {
  const groups = new Map<string, WatchedStone[]>()
  for (const stone of watched) {
    const group = groups.get(stone.merchant_uuid)
    if (group) group.push(stone)
    else groups.set(stone.merchant_uuid, [stone])
  }
  return groups
}

/** What is known of a watched stone, and what it is now. */
interface Told {
  sku: string
  change: WatchChange | undefined
  status: 'available' | 'sold' | 'withdrawn'
  price: string
}

async function tellMerchant(tx: Tx, merchant: Merchant, own: readonly WatchedStone[]) {
  const list = priceListOf(merchant)
  const skus = own.map(({ sku }) => sku)
  const chosen = await readChosen(tx, skus, { list, nowMs: await readMarketTime(tx) })
  const bySku = new Map(chosen.map((stone) => [stone.sku, stone]))
  const column = listColumn('wholesale_price', list)
  const told = own.map((stone) => {
    const now = bySku.get(stone.sku)
    return compare(stone, now, now?.gem[column] ?? stone.told_price)
  })
  await recordTold(tx, merchant.uuid, told)
  const bought = await listBought(tx, merchant.uuid, told)
  const stones = told.flatMap(({ sku, change }) =>
    change === undefined || (change === 'sold' && bought.has(sku)) ? [] : [{ sku, change }],
  )
  if (stones.length === 0 || whyNotAdmitted(merchant)) return
  const to = { merchant_uuid: merchant.uuid, event_type: 'watch.change' } as const
  await recordAlerts(tx, to, [{ stones }])
}

/** A hold comes and goes within hours; only the list of watched stones shows it. */
function compare(before: WatchedStone, now: ChosenStone | undefined, price: string): Told {
  const { sku } = before
  if (!now || !isOnSale(now)) {
    const status = now?.status === 'sold' ? 'sold' : 'withdrawn'
    const change = before.told_status === status ? undefined : status
    return { sku, status, change, price: before.told_price }
  }
  const isBack = before.told_status === 'sold' || before.told_status === 'withdrawn'
  const difference = centsFrom(price) - centsFrom(before.told_price)
  const moved = difference === 0 ? undefined : difference < 0 ? 'price_down' : 'price_up'
  return { sku, status: 'available', change: isBack ? 'back' : moved, price }
}

async function recordTold(tx: Tx, merchantUuid: string, told: readonly Told[]): Promise<void> {
  const changed = told.filter(({ change }) => change !== undefined)
  if (changed.length === 0) return
  await sql`
    update watched_stone as watched set told_status = now.status, told_price = now.price,
      back_on = case when now.change = 'back' then market_clock() else back_on end
    from unnest(${changed.map(({ sku }) => sku)}::text[],
      ${changed.map(({ status }) => status)}::text[],
      ${changed.map(({ price }) => price)}::numeric[],
      ${changed.map(({ change }) => change)}::text[]) as now (sku, status, price, change)
    where watched.merchant_uuid = ${merchantUuid} and watched.sku = now.sku`.execute(tx)
}

/** Stones that the merchant itself has bought: of those it need not be told. */
async function listBought(
  tx: Tx,
  merchantUuid: string,
  told: readonly Told[],
): Promise<ReadonlySet<string>> {
  const skus = told.flatMap(({ sku, change }) => (change === 'sold' ? [sku] : []))
  if (skus.length === 0) return new Set()
  const { rows } = await sql<{ sku: string }>`
    select line.sku from order_line as line join orders on orders.uuid = line.order_uuid
    where line.sku <> '' and line.sku = any(${skus}::text[])
      and orders.merchant_uuid = ${merchantUuid}
      and line.quantity > line.cancelled_quantity + line.returned_quantity`.execute(tx)
  return new Set(rows.map(({ sku }) => sku))
}
