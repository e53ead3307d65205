import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import type { LedgerEntry } from '../order.ts'

export async function insertEntries(tx: Tx, entries: readonly LedgerEntry[]): Promise<void> {
  if (entries.length === 0) return
  await sql`
    insert into ledger_entry
    select * from json_populate_recordset(null::ledger_entry, ${JSON.stringify(entries)}::json)
  `.execute(tx)
}

/** The entries of each order in the sequence in which they were written. */
export function loadEntries(db: Db | Tx, orders: readonly string[]): Promise<LedgerEntry[]> {
  return db
    .selectFrom('ledger_entry')
    .selectAll()
    .select(sql<string>`dated_on::text`.as('dated_on'))
    .where('order_uuid', '=', sql<string>`any(${[...orders]}::uuid[])`)
    .orderBy('order_uuid')
    .orderBy('number')
    .execute()
}

interface EntryQuery {
  limit: number
  offset: number
  order_uuid?: string | undefined
  kind?: readonly LedgerEntry['kind'][] | undefined
}

export type ListedEntry = LedgerEntry & { order_id: string }

/** A page of a merchant's entries, newest first, and how many there are. */
export async function listEntries(
  db: Db,
  merchantUuid: string,
  { limit, offset, order_uuid, kind }: EntryQuery,
): Promise<{ entries: ListedEntry[]; total: number }> {
  let matching = db
    .selectFrom('ledger_entry as entry')
    .where('entry.merchant_uuid', '=', merchantUuid)
  if (order_uuid !== undefined) matching = matching.where('order_uuid', '=', order_uuid)
  if (kind) matching = matching.where('kind', 'in', kind)
  const entries = await matching
    .innerJoin('orders', 'orders.uuid', 'order_uuid')
    .selectAll('entry')
    .select(['orders.order_id', sql<string>`dated_on::text`.as('dated_on')])
    .orderBy('entry.created_on', 'desc')
    .orderBy('order_uuid', 'desc')
    .orderBy('number', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { entries, total }
}
