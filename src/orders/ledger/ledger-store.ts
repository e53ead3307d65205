import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import type { LedgerEntry } from '../order.ts'
import type { ChargeRule } from './charge-rules.ts'

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

export function listChargeRules(tx: Tx): Promise<ChargeRule[]> {
  return tx.selectFrom('charge_rule').selectAll().orderBy('created_on').orderBy('uuid').execute()
}
