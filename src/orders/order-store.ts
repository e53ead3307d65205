import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isUniqueViolation, isUnmet } from '../database/errors.ts'
import type { Db, Tx } from '../database/open.ts'
import { executeWithNext, failUnless } from '../database/transaction.ts'
import { changesInsert } from '../events/change-log.ts'
import { eventInserts } from '../events/events.ts'
import { Refusal } from '../lib/refusal.ts'
import { isUuid } from '../lib/uuid.ts'
import { loadOrders, ORDER_COLUMNS } from './load-orders.ts'
import type { Order, OrderLine } from './order.ts'
import { OPERATOR, type OrderActor } from './order-life.ts'
import type { OrderDraft } from './placing/draft-order.ts'
import type { Allocated } from './product.ts'
import { termOf, wordsOf } from './search-orders.ts'

/** Finds the merchant's orders that have the same id or reference already. */
export async function findDuplicates(
  tx: Tx,
  merchantUuid: string,
  orderId: string | undefined,
  reference: string | undefined,
): Promise<{ uuid: string; order_id: string }[]> {
  // Two queries in one, because the index of references does not contain empty ones.
  const { rows } = await sql<{ uuid: string; order_id: string }>`
    select uuid, order_id from orders
    where merchant_uuid = ${merchantUuid} and order_id = ${orderId ?? null}
    union all
    select uuid, order_id from orders
    where merchant_uuid = ${merchantUuid} and order_reference = ${reference ?? null}
      and order_reference <> ''`.execute(tx)
  return rows
}

/**
 * Takes the stones and writes the order. Returns false when another order has taken the id or the
 * reference since: then the transaction must not be committed.
 */
export async function insertOrder(
  tx: Tx,
  draft: OrderDraft,
  allocated: Allocated,
): Promise<boolean> {
  const result = sql`(select count(*)::int from taken) as taken from placed`
  const { rows } = await orderInsert<{ taken: number }>(tx, draft, allocated, result).execute(tx)
  if (rows.length === 0) return false
  // The products were locked and checked before: a missing one is a bug.
  const wanted = allocated.update?.rows ?? 0
  if (rows[0].taken !== wanted) throw new Error(`${rows[0].taken} of ${wanted} were taken`)
  return true
}

/** `insertOrder` with the next statement, which fails where that returns false: `isNotWritten`. */
export function insertOrderWithNext(
  tx: Tx,
  draft: OrderDraft,
  allocated: Allocated,
): Promise<void> {
  const isWhole = sql`(select count(*) from placed) = 1
    and (select count(*) from taken) = ${allocated.update?.rows ?? 0}::int`
  return executeWithNext(tx, orderInsert(tx, draft, allocated, failUnless(isWhole)))
}

/** Whether the order could not be written with the next statement; placed again, it says why. */
export function isNotWritten(error: unknown): boolean {
  return isUnmet(error) || isUniqueViolation(error, 'one_sale_per_stone')
}

/**
 * One statement takes the products out of stock and writes the order, its lines and its entries in
 * the ledger, however many, and its event. The rows are sent as JSON.
 */
function orderInsert<Row>(
  tx: Tx,
  draft: OrderDraft,
  { changes, update }: Allocated,
  result: RawBuilder<unknown>,
): RawBuilder<Row> {
  const { lines, entries, documents: _d, fulfillments: _f, ...others } = draft.order
  const { cancellations: _c, events: _e, ...row } = others
  const columns = sql.raw(ORDER_COLUMNS.join(', '))
  return sql<Row>`
    with taken as (${update?.statement ?? sql`select 1 where false`}), placed as (
      insert into orders (${columns}, words)
      select ${columns}, array_to_tsvector(${draft.words}::text[])
      from json_populate_record(null::orders, ${JSON.stringify(row)}::json)
      on conflict do nothing
      returning uuid
    ), lines as (
      insert into order_line
      select line.* from placed,
        json_populate_recordset(null::order_line, ${JSON.stringify(lines)}::json) as line
    ), entries as (
      insert into ledger_entry
      select entry.* from placed,
        json_populate_recordset(null::ledger_entry, ${JSON.stringify(entries)}::json) as entry
    ), ${eventInserts(tx, draft.created, sql`exists (select from placed)`)},
    logged as (${changesInsert(changes)})
    select ${result}`
}

export async function insertLines(tx: Tx, lines: readonly OrderLine[]): Promise<void> {
  await sql`
    insert into order_line
    select * from json_populate_recordset(null::order_line, ${JSON.stringify(lines)}::json)
  `.execute(tx)
}

/** What the merchant has on memo; the value is in US dollars, with all decimals. */
export async function readMemoUse(
  db: Db | Tx,
  merchantUuid: string,
): Promise<{ stones: number; value: string }> {
  const { rows } = await sql<{ stones: number; value: string }>`
    select stones, value from memo_use(${merchantUuid})`.execute(db)
  return rows[0]
}

/**
 * Locks an order for a change; a second change waits until the first is committed. An order that
 * the actor does not see is not locked either.
 */
export async function lockOrder(
  tx: Tx,
  uuid: string,
  actor: OrderActor = OPERATOR,
): Promise<{ order: Order; now: string }> {
  const found = await tx
    .selectFrom('orders')
    .select('uuid')
    .where('uuid', '=', uuid)
    .where(isSeenBy(actor))
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw unknownOrder(uuid)
  const { rows } = await sql<{ now: string }>`select market_clock() as now`.execute(tx)
  return { order: await getOrder(tx, uuid), now: rows[0].now }
}

function isSeenBy(actor: OrderActor): RawBuilder<SqlBool> {
  if (actor.role === 'operator') return sql`true`
  if (actor.role === 'merchant') return sql`merchant_uuid = ${actor.merchant_uuid}`
  return sql`exists (select from order_line
    where order_uuid = orders.uuid and supplier_id = ${actor.supplier_id})`
}

/** The uuid of an order that a person names, by its uuid or by its number. */
export async function findOrderUuid(db: Db | Tx, name: string): Promise<string> {
  // The number that a merchant gives its order may be a UUID, too.
  if (isUuid(name) && (await hasOrder(db, name))) return name.toLowerCase()
  // The index of words finds it among all merchants' orders; the number itself is unique in one.
  const [word] = wordsOf(name)
  if (word === undefined) throw unknownOrder(name)
  const { rows } = await sql<{ uuid: string }>`
    select uuid from orders
    where words @@ ${termOf(word)}::tsquery and order_id = ${name} limit 2`.execute(db)
  if (rows.length === 1) return rows[0].uuid
  if (rows.length === 0) throw unknownOrder(name)
  const detail = `Several merchants have an order ${name}; name it by its UUID.`
  throw new Refusal('invalid_request', detail)
}

async function hasOrder(db: Db | Tx, uuid: string): Promise<boolean> {
  const found = await db.selectFrom('orders').select('uuid').where('uuid', '=', uuid).execute()
  return found.length > 0
}

export async function getOrder(db: Db | Tx, uuid: string): Promise<Order> {
  const order = (await loadOrders(db, [uuid])).at(0)
  if (!order) throw unknownOrder(uuid)
  return order
}

/** Returns an order that the caller may see: the merchant's own, or any without a merchant. */
export async function getVisibleOrder(
  db: Db | Tx,
  uuid: string,
  merchantUuid: string | undefined,
): Promise<Order> {
  const order = await getOrder(db, uuid)
  if (merchantUuid !== undefined && order.merchant_uuid !== merchantUuid) throw unknownOrder(uuid)
  return order
}

function unknownOrder(uuid: string): Refusal {
  return new Refusal('not_found', `There is no order ${uuid}.`)
}
