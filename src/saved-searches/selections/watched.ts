import { type Selectable, sql } from 'kysely'
import { recordEntry } from '../../audit/record-entry.ts'
import { readMarketTime } from '../../database/clock.ts'
import type { Db, Tx } from '../../database/open.ts'
import type { WatchedStoneTable } from '../../database/tables/selections.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { lockMerchant } from '../../merchants/merchant-store.ts'
import { listColumn, priceListOf } from '../../pricing/price-list.ts'
import { getOnSale } from './chosen-stones.ts'

/** Stones that a merchant keeps an eye on; see migration 0058. */
export type WatchedStone = Selectable<WatchedStoneTable>

export const WATCHED_MAX = 500
/** A page of a search, at once. */
export const WATCHED_AT_ONCE_MAX = 100

/** Marks stones. One that is watched already keeps the price that it had then. */
export async function watchStones(
  tx: Tx,
  merchant: Merchant,
  skus: readonly string[],
  created_by: string,
): Promise<WatchedStone[]> {
  const list = priceListOf(merchant)
  const stones = await getOnSale(tx, skus, { list, nowMs: await readMarketTime(tx) })
  await lockMerchant(tx, merchant.uuid)
  const before = await readOwn(tx, merchant.uuid, skus)
  const known = new Set(before.map(({ sku }) => sku))
  const added = stones.filter(({ sku }) => !known.has(sku))
  if (added.length === 0) return before
  await refuseTooMany(tx, merchant.uuid, added.length)
  const rows = added.map(({ sku, gem }) => {
    const price = gem[listColumn('wholesale_price', list)]
    const told = { told_status: 'available', told_price: price } as const
    return { merchant_uuid: merchant.uuid, sku, wholesale_price: price, ...told, created_by }
  })
  await tx.insertInto('watched_stone').values(rows).execute()
  await recordEntry(tx, {
    action: 'watched.add',
    subject: { kind: 'watched', id: merchant.uuid },
    after: { skus: added.map(({ sku }) => sku) },
  })
  return readOwn(tx, merchant.uuid, skus)
}

/** Ends the watching of a stone. */
export async function unwatchStone(tx: Tx, merchant: Merchant, sku: string): Promise<void> {
  const removed = await tx
    .deleteFrom('watched_stone')
    .where('merchant_uuid', '=', merchant.uuid)
    .where('sku', '=', sku)
    .returning('sku')
    .executeTakeFirst()
  if (!removed) throw new Refusal('not_found', `You do not watch ${sku}.`)
  await recordEntry(tx, {
    action: 'watched.remove',
    subject: { kind: 'watched', id: merchant.uuid },
    before: { skus: [sku] },
  })
}

/** The watched stones of a merchant, the last marked first. */
export async function listWatched(
  db: Db,
  merchantUuid: string,
  { limit, offset, sku }: { limit: number; offset: number; sku?: string | undefined },
): Promise<{ watched: WatchedStone[]; total: number }> {
  let own = db.selectFrom('watched_stone').where('merchant_uuid', '=', merchantUuid)
  if (sku !== undefined) own = own.where('sku', '=', sku)
  const watched = await own
    .selectAll()
    .orderBy('created_on', 'desc')
    .orderBy('sku')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await own
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { watched, total }
}

function readOwn(tx: Tx, merchantUuid: string, skus: readonly string[]): Promise<WatchedStone[]> {
  return tx
    .selectFrom('watched_stone')
    .selectAll()
    .where('merchant_uuid', '=', merchantUuid)
    .where(sql<boolean>`sku = any(${skus}::text[])`)
    .orderBy('created_on', 'desc')
    .orderBy('sku')
    .execute()
}

/** The caller has locked the merchant, so that two requests at once cannot exceed the limit. */
async function refuseTooMany(tx: Tx, merchantUuid: string, more: number): Promise<void> {
  const { used } = await tx
    .selectFrom('watched_stone')
    .select((eb) => eb.fn.countAll<number>().as('used'))
    .where('merchant_uuid', '=', merchantUuid)
    .executeTakeFirstOrThrow()
  if (used + more <= WATCHED_MAX) return
  throw new Refusal(
    'watch_limit',
    `A merchant may watch ${WATCHED_MAX} stones, and watches ${used}. Remove some first.`,
    { extra: { limit: WATCHED_MAX, used } },
  )
}
