import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Units } from '../steps/order-change.ts'
import type { OrderReturn, ReturnLine, ReturnRow, ReturnStatus } from './return.ts'
import type { RequestedUnits } from './return-window.ts'

/** Writes a return as requested. */
export async function insertReturn(
  tx: Tx,
  row: Omit<ReturnRow, 'status' | 'reject_reason' | 'updated_on'>,
  units: readonly Units[],
): Promise<void> {
  const { created_on } = row
  await tx
    .insertInto('order_return')
    .values({ ...row, status: 'requested', updated_on: created_on })
    .execute()
  await tx
    .insertInto('order_return_line')
    .values(
      units.map(({ line, quantity }) => {
        return { return_uuid: row.uuid, line_uuid: line.uuid, quantity }
      }),
    )
    .execute()
}

/** The units of an order that were asked to go back and not rejected, oldest first. */
export async function readRequestedUnits(tx: Tx, orderUuid: string): Promise<RequestedUnits[]> {
  const { rows } = await sql<RequestedUnits>`
    select line_uuid, quantity, status, created_on
    from order_return join order_return_line on return_uuid = uuid
    where order_uuid = ${orderUuid} and status <> 'rejected'
    order by created_on, uuid`.execute(tx)
  return rows
}

/** Writes the next status of a return, whose order is locked. */
export async function saveStatus(
  tx: Tx,
  uuid: string,
  status: ReturnStatus,
  now: string,
  rejectReason = '',
): Promise<void> {
  await tx
    .updateTable('order_return')
    .set({ status, reject_reason: rejectReason, updated_on: now })
    .where('uuid', '=', uuid)
    .execute()
}

/** Returns a return that the caller may see: the merchant's own, or any without a merchant. */
export async function getReturn(
  db: Db | Tx,
  uuid: string,
  merchantUuid?: string,
): Promise<OrderReturn> {
  const found = (await loadReturns(db, [uuid])).at(0)
  if (!found || (merchantUuid !== undefined && found.merchant_uuid !== merchantUuid)) {
    throw new Refusal('not_found', `There is no return ${uuid}.`)
  }
  return found
}

/** Loads returns with their lines, in the order of the uuids. */
async function loadReturns(db: Db | Tx, uuids: readonly string[]): Promise<OrderReturn[]> {
  if (uuids.length === 0) return []
  const isOne = sql<string>`any(${[...uuids]}::uuid[])`
  const rows = await db
    .selectFrom('order_return')
    .innerJoin('orders', 'orders.uuid', 'order_uuid')
    .selectAll('order_return')
    .select('orders.order_id')
    .where('order_return.uuid', '=', isOne)
    .execute()
  const found = new Map(rows.map((row) => [row.uuid, { ...row, lines: [] as ReturnLine[] }]))
  const lines = await db
    .selectFrom('order_return_line')
    .innerJoin('order_line', 'order_line.uuid', 'line_uuid')
    .select(['return_uuid', 'line_uuid', 'order_return_line.quantity', 'sku', 'name', 'price'])
    .select(['description', 'product_type'])
    .where('return_uuid', '=', isOne)
    .orderBy('return_uuid')
    .orderBy('order_line.position')
    .execute()
  for (const { return_uuid, ...line } of lines) found.get(return_uuid)?.lines.push(line)
  return uuids.flatMap((uuid) => found.get(uuid.toLowerCase()) ?? [])
}

/** What returns can be sorted by. */
const SORTS = {
  created_on: sql`created_on`,
  status: sql`status`,
  reason: sql`lower(reason)`,
  external_order_id: sql`(select order_id from orders where orders.uuid = order_uuid)`,
  merchant_legal_dba: sql`(select lower(legal_dba) from merchant
    where merchant.uuid = merchant_uuid)`,
  total: sql`(select sum(line.price * returned.quantity) from order_return_line as returned
    join order_line as line on line.uuid = returned.line_uuid
    where returned.return_uuid = order_return.uuid)`,
} as const

type ReturnSort = keyof typeof SORTS
export const RETURN_SORTS = Object.keys(SORTS) as ReturnSort[]

interface ReturnQuery {
  /** Undefined for the operator, who sees the returns of all merchants. */
  merchant_uuid?: string | undefined
  order_uuid?: string | undefined
  status?: readonly ReturnStatus[] | undefined
  sort_col?: ReturnSort | undefined
  sort_order?: 'asc' | 'desc' | undefined
  limit: number
  offset: number
}

/** The uuid decides between equal ones in the same direction, so that one index serves both. */
function orderOf({ sort_col = 'created_on', sort_order = 'desc' }: ReturnQuery) {
  const direction = sort_order === 'desc' ? sql`desc` : sql`asc`
  return sql`${SORTS[sort_col]} ${direction}, uuid ${direction}`
}

/** A page of returns, newest first unless asked otherwise, and how many there are. */
export async function searchReturns(
  db: Db,
  query: ReturnQuery,
): Promise<{ returns: OrderReturn[]; total: number }> {
  const { merchant_uuid, order_uuid, status, limit, offset } = query
  const conditions = [sql`true`]
  if (merchant_uuid !== undefined) conditions.push(sql`merchant_uuid = ${merchant_uuid}`)
  if (order_uuid !== undefined) conditions.push(sql`order_uuid = ${order_uuid}`)
  if (status) conditions.push(sql`status = any(${[...status]}::text[])`)
  const matches = sql.join(conditions, sql` and `)
  const page = await sql<{ uuid: string }>`
    select uuid from order_return where ${matches}
    order by ${orderOf(query)} limit ${limit} offset ${offset}`.execute(db)
  const returns = await loadReturns(
    db,
    page.rows.map(({ uuid }) => uuid),
  )
  // A first page that is not full needs no second query to count.
  if (offset === 0 && page.rows.length < limit) return { returns, total: page.rows.length }
  const counted = await sql<{ total: number }>`
    select count(*) as total from order_return where ${matches}`.execute(db)
  return { returns, total: counted.rows[0].total }
}
