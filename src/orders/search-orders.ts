import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { OrderType } from '../database/tables/orders.ts'
import { Refusal } from '../lib/refusal.ts'
import { type CountedList, createKeptCounts, type KeptCounts } from './order-counts.ts'

const DUE_ON = sql`(invoiced_on at time zone 'UTC')::date + payment_terms_days`
const BALANCE = sql`(select sum(amount) from ledger_entry where order_uuid = orders.uuid)`

/** What orders can be sorted by, and what is behind it. What has no due date is due last. */
const SORTS = {
  created_on: sql.ref('ordered_on'),
  ordered_on: sql.ref('ordered_on'),
  total: sql.ref('total'),
  merchant_legal_dba: sql.ref('merchant_legal_dba'),
  due_on: sql`coalesce(${DUE_ON}, 'infinity')`,
  balance: BALANCE,
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
  /** Only invoices with something left to pay. */
  owed?: boolean | undefined
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

/** From here on, the number of matches is read first, and the page from the nearer end. */
const DEEP_OFFSET = 1_000

/**
 * Finds a page of orders and counts all that match. Only uuids are read here: a deep page then
 * walks over the narrow index, and the wide rows of the page alone are fetched afterwards.
 */
export async function searchOrders(
  db: Db,
  query: OrderQuery,
  counts: KeptCounts = createKeptCounts(),
): Promise<OrderPage> {
  const list = planList(query)
  if (query.offset >= DEEP_OFFSET) {
    // Read from the end, the page is right only if it sees the orders that were counted.
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => readDeepPage(tx, query, list, counts))
  }
  if (query.merchant_uuid === undefined && mayBeLong(list, counts)) {
    const total = await countList(db, list, counts)
    if (total <= query.offset) return { uuids: [], total }
    return { uuids: await readPage(db, query, list, counts.recall(list.key)), total }
  }
  const uuids = await readPage(db, query, list, counts.recall(list.key))
  // A first page that is not full needs no second query to count.
  if (query.offset === 0 && uuids.length < query.limit) return { uuids, total: uuids.length }
  return { uuids, total: await countList(db, list, counts) }
}

/**
 * PostgreSQL takes every word that it has no statistics of for a rare one, and would read all
 * matches to sort them, and then again to count them. So a text is counted first when nothing is
 * known of it: if it is common, the page is then read in the sequence of the orders.
 */
function mayBeLong({ key, text, changing }: OrderList, counts: KeptCounts): boolean {
  return text !== undefined && changing.length === 0 && counts.recall(key) === undefined
}

async function readDeepPage(
  tx: Tx,
  query: OrderQuery,
  list: OrderList,
  counts: KeptCounts,
): Promise<OrderPage> {
  const total = await countList(tx, list, counts)
  const left = total - query.offset
  if (left <= 0) return { uuids: [], total }
  const found = counts.recall(list.key)
  if (query.offset <= left) return { uuids: await readPage(tx, query, list, found), total }
  const limit = Math.min(query.limit, left)
  const fromEnd = { ...query, limit, offset: left - limit }
  return { uuids: (await readPage(tx, fromEnd, list, found, 'backwards')).reverse(), total }
}

/** Matches may be so many times rarer at the beginning of a list; otherwise all are sorted. */
const UNEVEN = 4

async function readPage(
  db: Db | Tx,
  { sort_col, sort_order, limit, offset }: OrderQuery,
  { kinds, fixed, text, changing }: OrderList,
  found: { total: number; among: number } | undefined,
  way: 'forwards' | 'backwards' = 'forwards',
): Promise<string[]> {
  const isAscending = (sort_order === 'asc') === (way === 'forwards')
  const sorted = sql`order by ${SORTS[sort_col]} ${isAscending ? sql`asc` : sql`desc`},
    uuid ${way === 'forwards' ? sql`asc` : sql`desc`}`
  const page = sql`${sorted} limit ${limit} offset ${offset}`
  const others = allOf([kinds.orders, ...fixed, ...changing])
  const uuidsOf = async (query: RawBuilder<unknown>) =>
    (await sql<{ uuid: string }>`select uuid from ${query}`.execute(db)).rows.map((row) => row.uuid)
  if (text !== undefined && found !== undefined) {
    // So many orders pass in their sequence until the page is full, if matches are spread evenly.
    const passing = Math.ceil(((offset + limit) * found.among) / found.total)
    if (passing < found.total) {
      const near = sql`(
        select * from orders where ${others} ${sorted} limit ${UNEVEN * passing}) as near`
      const uuids = await uuidsOf(sql`${near} where ${text} ${page}`)
      if (uuids.length === limit) return uuids
    }
  }
  // All matches are found by their words, and sorted.
  return uuidsOf(sql`orders where ${allOf([others, ...(text ? [text] : [])])} ${page}`)
}

async function countList(db: Db | Tx, list: OrderList, counts: KeptCounts): Promise<number> {
  const { key, kinds, text, changing } = list
  const fixed = text === undefined ? list.fixed : [...list.fixed, text]
  if (changing.length > 0) {
    const matches = allOf([kinds.orders, ...fixed, ...changing])
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from orders where ${matches}`.execute(db)
    return rows[0].total
  }
  return counts.count(db, { key, kinds, fixed: fixed.length > 0 ? allOf(fixed) : undefined })
}

/** The conditions of a list, by what they depend on. */
interface OrderList {
  key: string
  /** On columns that an order and a count of orders have by the same names. */
  kinds: CountedList['kinds']
  /** On what never changes in an order, except the words. */
  fixed: RawBuilder<unknown>[]
  text: RawBuilder<unknown> | undefined
  /** On time, or on what changes without a new count of the order. */
  changing: RawBuilder<unknown>[]
}

function planList(query: OrderQuery): OrderList {
  const text = query.text === undefined ? undefined : tsqueryOf(query.text)
  return {
    key: keyOf(query),
    kinds: {
      orders: allOf(kindConditions(query, 'orders', sql`orders.open_quantity > 0`)),
      order_count: allOf(kindConditions(query, 'order_count', sql`order_count.is_open`)),
    },
    fixed: fixedConditions(query),
    text: text === undefined ? undefined : sql`words @@ ${text}::tsquery`,
    changing: changingConditions(query),
  }
}

/** Names the list among all lists, wherever the page begins and however it is sorted. */
function keyOf(query: OrderQuery): string {
  const { merchant_uuid, payment_status, fulfillment_status, order_type } = query
  const { has_unfulfilled, debug, overdue, owed, past_due, unconfirmed, updated_since } = query
  return JSON.stringify([
    [merchant_uuid, payment_status, fulfillment_status, order_type, has_unfulfilled, debug],
    [query.ordered_from, query.ordered_to, query.text],
    [overdue, owed, past_due, unconfirmed, updated_since],
  ])
}

function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

function kindConditions(
  query: OrderQuery,
  table: 'orders' | 'order_count',
  isOpen: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  const { merchant_uuid, payment_status, fulfillment_status, order_type, debug } = query
  const column = (name: string) => sql.ref(`${table}.${name}`)
  if (merchant_uuid !== undefined) {
    conditions.push(sql`${column('merchant_uuid')} = ${merchant_uuid}`)
  }
  if (payment_status) {
    const isOne = sql`any(${[...payment_status]}::text[])`
    conditions.push(sql`coalesce(${column('payment_status')}, 'unpaid') = ${isOne}`)
  }
  if (fulfillment_status) {
    const isOne = sql`any(${[...fulfillment_status]}::text[])`
    conditions.push(sql`coalesce(${column('fulfillment_status')}, 'unfulfilled') = ${isOne}`)
  }
  if (order_type) conditions.push(sql`${column('order_type')} = any(${[...order_type]}::text[])`)
  if (query.has_unfulfilled) conditions.push(isOpen)
  if (debug !== undefined) conditions.push(sql`${column('debug')} = ${debug}`)
  return conditions
}

function fixedConditions({ ordered_from, ordered_to }: OrderQuery): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (ordered_from !== undefined) conditions.push(sql`ordered_on >= ${timeOf(ordered_from)}`)
  if (ordered_to !== undefined) conditions.push(sql`ordered_on <= ${timeOf(ordered_to)}`)
  return conditions
}

function changingConditions(query: OrderQuery): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  const { updated_since } = query
  if (updated_since !== undefined) conditions.push(sql`updated_on >= ${timeOf(updated_since)}`)
  if (query.overdue) {
    conditions.push(sql`memo_due_date < market_now() and order_status is null`)
  }
  if (query.owed || query.past_due) {
    conditions.push(sql`order_type = 'invoice' and payment_status is null and ${BALANCE} > 0`)
  }
  if (query.past_due) {
    conditions.push(sql`${DUE_ON} < (market_now() at time zone 'UTC')::date`)
  }
  if (query.unconfirmed) {
    conditions.push(sql`uuid in (
      select order_uuid from order_line where confirmed_by is null and open_quantity > 0)`)
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
  return words.map(prefixOf).join(' & ')
}

/** `ΣΑΣ` may be the beginning of `ΣΑΣΑ`, whose second sigma is not a final one. */
function prefixOf(word: string): string {
  const prefix = `${termOf(word)}:*`
  return word.endsWith('ς') ? `(${prefix} | ${termOf(`${word.slice(0, -1)}σ`)}:*)` : prefix
}

/** One word in the text of a tsquery. */
export function termOf(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
