import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/open.ts'
import type { OrderType } from '../database/tables/orders.ts'
import { Refusal } from '../lib/refusal.ts'
import { sumOrderCounts } from './order-counts.ts'

/** What orders can be sorted by, and the column behind it. */
const SORTS = {
  created_on: 'ordered_on',
  ordered_on: 'ordered_on',
  total: 'total',
  merchant_legal_dba: 'merchant_legal_dba',
} as const

export type OrderSort = keyof typeof SORTS

interface OrderQuery {
  /** Undefined for the operator, who sees the orders of all merchants. */
  merchant_uuid?: string | undefined
  payment_status?: readonly ('paid' | 'unpaid')[] | undefined
  fulfillment_status?: readonly ('partial' | 'fulfilled' | 'unfulfilled')[] | undefined
  order_type?: readonly OrderType[] | undefined
  has_unfulfilled?: boolean | undefined
  debug?: boolean | undefined
  /** Only memos that are past their due date. */
  overdue?: boolean | undefined
  /** Only invoices that are not paid although they are due. */
  past_due?: boolean | undefined
  /** Only orders with lines that wait for the answer of their supplier. */
  unconfirmed?: boolean | undefined
  /** Microseconds since 1970; the bounds belong to the range. */
  ordered_from?: number | undefined
  ordered_to?: number | undefined
  updated_since?: number | undefined
  text?: string | undefined
  sort_col: OrderSort
  sort_order: 'asc' | 'desc'
  limit: number
  offset: number
}

interface OrderPage {
  uuids: string[]
  total: number
}

/**
 * Finds a page of orders and counts all that match. Only uuids are read here: a deep page then
 * walks over the narrow index, and the wide rows of the page alone are fetched afterwards.
 */
export async function searchOrders(db: Db, query: OrderQuery): Promise<OrderPage> {
  const others = otherConditions(query)
  const matches = allOf([...kindConditions(query, sql`open_quantity > 0`), ...others])
  const column = sql.ref(SORTS[query.sort_col])
  const direction = query.sort_order === 'desc' ? sql`desc` : sql`asc`
  const page = await sql<{ uuid: string }>`
    select uuid from orders where ${matches}
    order by ${column} ${direction}, uuid asc
    limit ${query.limit} offset ${query.offset}`.execute(db)
  const uuids = page.rows.map(({ uuid }) => uuid)
  // A first page that is not full needs no second query to count.
  if (query.offset === 0 && uuids.length < query.limit) return { uuids, total: uuids.length }
  if (others.length === 0) {
    const counted = allOf(kindConditions(query, sql`is_open`))
    return { uuids, total: await sumOrderCounts(db, counted) }
  }
  const counted = await sql<{ total: number }>`
    select count(*) as total from orders where ${matches}`.execute(db)
  return { uuids, total: counted.rows[0].total }
}

function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join([sql`true`, ...conditions], sql` and `)
}

/** On columns that an order and a count of orders have by the same names. */
function kindConditions(query: OrderQuery, isOpen: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
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
  if (query.has_unfulfilled) conditions.push(isOpen)
  if (debug !== undefined) conditions.push(sql`debug = ${debug}`)
  return conditions
}

/** On what only the orders themselves have. */
function otherConditions(query: OrderQuery): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  const { ordered_from, ordered_to, updated_since } = query
  if (ordered_from !== undefined) conditions.push(sql`ordered_on >= ${timeOf(ordered_from)}`)
  if (ordered_to !== undefined) conditions.push(sql`ordered_on <= ${timeOf(ordered_to)}`)
  if (updated_since !== undefined) conditions.push(sql`updated_on >= ${timeOf(updated_since)}`)
  if (query.overdue) {
    conditions.push(sql`memo_due_date < market_now() and order_status is null`)
  }
  if (query.past_due) {
    conditions.push(sql`order_type = 'invoice' and payment_status is null
      and (invoiced_on at time zone 'UTC')::date + payment_terms_days
        < (market_now() at time zone 'UTC')::date
      and (select sum(amount) from ledger_entry where order_uuid = orders.uuid) > 0`)
  }
  if (query.unconfirmed) {
    conditions.push(sql`uuid in (
      select order_uuid from order_line where confirmed_by is null and open_quantity > 0)`)
  }
  const text = query.text === undefined ? undefined : tsqueryOf(query.text)
  if (text !== undefined) {
    conditions.push(sql`words @@ ${text}::tsquery`)
  }
  return conditions
}

/** Exact, unlike `to_timestamp`, which takes a float of seconds. */
export function timeOf(microseconds: number): RawBuilder<unknown> {
  return sql`timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond'`
}

/**
 * Text search over orders finds whole words and prefixes in any case. An order keeps a field as
 * it is (between white space) and in its parts, so `PO-2026/17` is found by `po-2026`, `2026` and
 * `17`. PostgreSQL's own parser is not used: it reads `PO-2026` as a negative number.
 */
const WORD_LENGTH_MAX = 100
/** More words than a person types are refused. */
const QUERY_WORDS_MAX = 20

/** The words that an order keeps of a field, in lower case. */
export function wordsOf(field: string): string[] {
  return field
    .toLowerCase()
    .split(/\s+/)
    .flatMap((word) => [word, ...partsOf(word)])
    .filter((word) => word !== '')
    .map((word) => word.slice(0, WORD_LENGTH_MAX))
}

/** A number keeps its decimals: `52` is not a word of `1.52`. */
function partsOf(word: string): string[] {
  return /^[\d.]+$/.test(word) ? [] : word.split(/[^\p{L}\p{N}]+/u)
}

/** The text of a tsquery: every word must be the beginning of some word of the order. */
function tsqueryOf(text: string): string | undefined {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, WORD_LENGTH_MAX))
  if (words.length === 0) return undefined
  if (words.length > QUERY_WORDS_MAX) {
    // The parameter has a different name in each version, so the message does not name it.
    throw new Refusal('invalid_request', `A search takes at most ${QUERY_WORDS_MAX} words.`)
  }
  return words.map((word) => `${termOf(word)}:*`).join(' & ')
}

/** One word in the text of a tsquery. */
export function termOf(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
