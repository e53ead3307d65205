import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/open.ts'
import type { OrderType } from '../database/tables/orders.ts'
import { type OrderSort, SORTS } from './order-sorts.ts'
import { tsqueryOf } from './order-words.ts'

export interface OrderQuery {
  /** Undefined for the operator, who sees the orders of all. */
  merchant_uuid?: string | undefined
  payment_status?: readonly ('paid' | 'unpaid')[] | undefined
  fulfillment_status?: readonly ('partial' | 'fulfilled' | 'unfulfilled')[] | undefined
  order_type?: readonly OrderType[] | undefined
  has_unfulfilled?: boolean | undefined
  debug?: boolean | undefined
  /** Only memos that should be back. */
  overdue?: boolean | undefined
  text?: string | undefined
  sort_col: OrderSort
  sort_order: 'asc' | 'desc'
  limit: number
  offset: number
}

export interface OrderPage {
  uuids: string[]
  total: number
}

/**
 * Finds a page of orders and counts all that match. Only uuids are read here: a deep page then
 * walks over the narrow index, and the wide rows of the page alone are fetched afterwards.
 */
export async function searchOrders(db: Db, query: OrderQuery): Promise<OrderPage> {
  const matches = whereOf(query)
  const column = sql.ref(SORTS[query.sort_col])
  const direction = query.sort_order === 'desc' ? sql`desc` : sql`asc`
  const page = await sql<{ uuid: string }>`
    select uuid from orders where ${matches}
    order by ${column} ${direction}, uuid asc
    limit ${query.limit} offset ${query.offset}`.execute(db)
  const uuids = page.rows.map(({ uuid }) => uuid)
  // A first page that is not full has counted already.
  if (query.offset === 0 && uuids.length < query.limit) return { uuids, total: uuids.length }
  const counted = await sql<{ total: number }>`
    select count(*) as total from orders where ${matches}`.execute(db)
  return { uuids, total: counted.rows[0].total }
}

function whereOf(query: OrderQuery): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  const { merchant_uuid, payment_status, fulfillment_status, order_type, debug } = query
  if (merchant_uuid !== undefined) conditions.push(sql`merchant_uuid = ${merchant_uuid}`)
  if (payment_status) {
    const isOne = sql`any(${[...payment_status]}::text[])`
    conditions.push(sql`coalesce(payment_status, 'unpaid') = ${isOne}`)
  }
  if (fulfillment_status) {
    const isOne = sql`any(${[...fulfillment_status]}::text[])`
    conditions.push(sql`coalesce(fulfillment_status, 'unfulfilled') = ${isOne}`)
  }
  if (order_type) conditions.push(sql`order_type = any(${[...order_type]}::text[])`)
  if (query.has_unfulfilled) conditions.push(sql`open_quantity > 0`)
  if (debug !== undefined) conditions.push(sql`debug = ${debug}`)
  if (query.overdue) {
    conditions.push(sql`memo_due_date < now() and order_status is null`)
  }
  const text = query.text === undefined ? undefined : tsqueryOf(query.text)
  if (text !== undefined) {
    // The operator's words contain everyone's, so that one index serves both.
    conditions.push(sql`operator_words @@ ${text}::tsquery`)
    if (merchant_uuid !== undefined) conditions.push(sql`words @@ ${text}::tsquery`)
  }
  return sql.join(conditions, sql` and `)
}
