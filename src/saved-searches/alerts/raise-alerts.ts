import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordAlerts } from '../../events/events.ts'
import { textOf } from '../../index/index.ts'
import { decodeStones, mergeStones } from '../known-stones.ts'
import type { GemIndexes } from '../save-search.ts'

/** One event names at most this many stones; a webhook of it has some 20 kB. */
const SKUS_PER_EVENT = 1_000
/** Of so many stones nobody looks at each: the last event says how many more there are. */
const SKUS_PER_ALERT = 10_000
/** So many merchants are looked for at once. */
const MERCHANTS_AT_ONCE = 500

/** Raises the alerts that are due, a transaction for each merchant; returns their number. */
export async function raiseAlerts(db: Db, indexes?: GemIndexes): Promise<number> {
  const { rows } = await sql<{ merchant_uuid: string }>`
    select distinct merchant_uuid
    from saved_search_stones join saved_search on uuid = search_uuid
    where due_on <= market_clock() limit ${MERCHANTS_AT_ONCE}`.execute(db)
  let raised = 0
  for (const { merchant_uuid } of rows) {
    raised += await inTransaction(db, (tx) => raiseFor(tx, merchant_uuid, indexes))
  }
  return raised
}

interface DueStones {
  search_uuid: string
  number: number
  stones: Buffer
}

async function raiseFor(
  tx: Tx,
  merchantUuid: string,
  indexes: GemIndexes | undefined,
): Promise<number> {
  const searches = await lockDueSearches(tx, merchantUuid)
  const due = await readDue(tx, [...searches.keys()])
  if (due.length === 0) return 0
  const setsOf = new Map<string, Buffer[]>()
  for (const { search_uuid, stones } of due) {
    setsOf.set(search_uuid, [...(setsOf.get(search_uuid) ?? []), stones])
  }
  const alerts = [...setsOf].map(([uuid, sets]) => {
    const ids = decodeStones(mergeStones(sets))
    return { uuid, named: ids.slice(0, SKUS_PER_ALERT), total: ids.length }
  })
  const ids = alerts.flatMap(({ named }) => named)
  const skus = await readSkus(tx, ids, indexes)
  const data = alerts.flatMap(({ uuid, named, total }) => {
    const known = named.flatMap((id) => skus.get(id) ?? [])
    return eventData(uuid, searches.get(uuid) ?? '', known, total - named.length)
  })
  if (data.length > 0) {
    await recordAlerts(tx, { merchant_uuid: merchantUuid, event_type: 'search.match' }, data)
  }
  await sql`update saved_search_stones set due_on = null
    where number = any(${due.map(({ number }) => number)}::bigint[])
      and search_uuid = any(${[...setsOf.keys()]}::uuid[])`.execute(tx)
  await mergeSets(tx, [...setsOf.keys()])
  return data.length
}

/** The data of the events of one alert: one, unless there are very many stones. */
function eventData(uuid: string, name: string, skus: readonly string[], more: number) {
  const data = []
  for (let at = 0; at < skus.length; at += SKUS_PER_EVENT) {
    const some = skus.slice(at, at + SKUS_PER_EVENT)
    const isLast = at + SKUS_PER_EVENT >= skus.length
    data.push({ saved_search_uuid: uuid, name, skus: some, more: isLast ? more : 0 })
  }
  return data
}

/** Leaves out what another node is raising now. A search cannot be deleted meanwhile. */
async function lockDueSearches(tx: Tx, merchantUuid: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ uuid: string; name: string }>`
    select uuid, name from saved_search
    where merchant_uuid = ${merchantUuid} and exists (
      select from saved_search_stones where search_uuid = uuid and due_on <= market_clock())
    order by uuid for no key update skip locked`.execute(tx)
  return new Map(rows.map(({ uuid, name }) => [uuid, name]))
}

async function readDue(tx: Tx, searchUuids: readonly string[]): Promise<DueStones[]> {
  if (searchUuids.length === 0) return []
  const { rows } = await sql<DueStones>`
    select search_uuid, number, stones from saved_search_stones
    where search_uuid = any(${searchUuids}::uuid[]) and due_on <= market_clock()
    order by search_uuid, number`.execute(tx)
  return rows
}

/** Most stones are still on sale, and then the index of the node knows them. */
async function readSkus(
  tx: Tx,
  ids: readonly number[],
  indexes: GemIndexes | undefined,
): Promise<Map<number, string>> {
  const skus = new Map<number, string>()
  const loaded = Object.values(indexes ?? {}).filter((index) => index.sequence() !== undefined)
  const stores = loaded.map((index) => index.store())
  const missing: number[] = []
  for (const id of new Set(ids)) {
    const sku = stores.map((store) => textOf(store, id, 'sku')).find((text) => text)
    if (sku) skus.set(id, sku)
    else missing.push(id)
  }
  if (missing.length === 0) return skus
  const { rows } = await sql<{ id: number; sku: string }>`
    select id, sku from gem where id = any(${missing}::bigint[])`.execute(tx)
  for (const { id, sku } of rows) skus.set(id, sku)
  return skus
}

/** A search may have this many sets of known stones before they are made one. */
const SETS_MAX = 32

async function mergeSets(tx: Tx, searchUuids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ search_uuid: string }>`
    select search_uuid from saved_search_stones
    where search_uuid = any(${searchUuids}::uuid[]) and due_on is null
    group by search_uuid having count(*) > ${SETS_MAX}`.execute(tx)
  for (const { search_uuid } of rows) {
    const removed = await sql<{ stones: Buffer; last_id: number }>`
      delete from saved_search_stones where search_uuid = ${search_uuid} and due_on is null
      returning stones, last_id`.execute(tx)
    const stones = mergeStones(removed.rows.map((set) => set.stones))
    const last = Math.max(...removed.rows.map((set) => set.last_id))
    await sql`insert into saved_search_stones (search_uuid, stones, last_id)
      values (${search_uuid}, ${stones}, ${last})`.execute(tx)
  }
}
