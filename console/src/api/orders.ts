import type { Static } from 'typebox'
import type { AccountSchema } from '../../../src/http/schemas/orders/account.ts'
import type { OrderDocumentSchema } from '../../../src/http/schemas/orders/documents.ts'
import type { MemoPageSchema, MemoQuery } from '../../../src/http/schemas/orders/memo.ts'
import type {
  FulfillmentSchema,
  LineItemSchema,
  OrderAddressSchema,
  OrderEventSchema,
  OrderListSchema,
  OrderSchema,
  OrderSummarySchema,
  PlacedOrderV3Schema,
} from '../../../src/http/schemas/orders/order.ts'
import type { CancelBody } from '../../../src/http/schemas/orders/order-operator.ts'
import type {
  OrderListV3Query,
  OrderSearchQuery,
  PlaceOrderBody,
} from '../../../src/http/schemas/orders/order-request.ts'
import type {
  QuoteBody,
  QuoteListQuery,
  QuoteSchema,
} from '../../../src/http/schemas/orders/quote.ts'
import type {
  OrderReturnSchema,
  ReturnListQuery,
  ReturnRequestBody,
} from '../../../src/http/schemas/orders/return.ts'
import { call, PAGE_ROWS_MAX, type Page } from './client.ts'
import type { KeyFor } from './hooks.ts'

export type Order = Static<typeof OrderSchema>
export type LineItem = Static<typeof LineItemSchema>
export type OrderAddress = Static<typeof OrderAddressSchema>
export type Fulfillment = Static<typeof FulfillmentSchema>
export type OrderEvent = Static<typeof OrderEventSchema>
export type OrderDocument = Static<typeof OrderDocumentSchema>
export type OrderRequest = Static<typeof PlaceOrderBody>
export type OrderSearch = Omit<Static<typeof OrderSearchQuery>, 'sort_col' | 'sort_order'>
/** The same order as v3 describes it: with its charges, balance, due date and documents. */
export type OrderWithMoney = Static<typeof PlacedOrderV3Schema>
export type Quote = Static<typeof QuoteSchema>
export type QuoteLine = Quote['line_items'][number]
export type QuoteRequest = Static<typeof QuoteBody>
export type OrderReturn = Static<typeof OrderReturnSchema>
export type Account = Static<typeof AccountSchema>
export type MemoLedger = Static<typeof MemoPageSchema>
export type Memo = MemoLedger['memos'][number]

export function searchOrders(
  search: OrderSearch,
  signal?: AbortSignal,
): Promise<Static<typeof OrderListSchema>> {
  const query = { sort_col: 'ordered_on', sort_order: 'desc', ...search }
  return call('GET', '/api/v2/orders/search', { query, signal })
}

/** An order by its own number, which is unique for a merchant, or by its uuid. */
export async function findOrder(name: string, signal?: AbortSignal): Promise<Order | undefined> {
  const isIt = (order: Static<typeof OrderSummarySchema>) =>
    order.external_order_id === name || order.uuid === name
  // Words are found as prefixes, so that PO-1 also finds PO-10 and hundreds more.
  for (let offset = 0; ; offset += PAGE_ROWS_MAX) {
    const query = { q: name, limit: PAGE_ROWS_MAX, offset }
    const { orders, total } = await call<Page<'orders', typeof OrderSummarySchema>>(
      'GET',
      '/api/v3/orders/search',
      { query, signal },
    )
    const found = orders.find(isIt)
    if (found) return call('GET', '/api/v2/orders/{uuid}', { path: { uuid: found.uuid }, signal })
    if (offset + PAGE_ROWS_MAX >= total) return undefined
  }
}

export function readOrderWithMoney(uuid: string, signal?: AbortSignal): Promise<OrderWithMoney> {
  return call('GET', '/api/v3/orders/{uuid}', { path: { uuid }, signal })
}

/** The page itself comes from this server, whatever its public address is. */
export function downloadDocument({ url }: OrderDocument): Promise<Blob> {
  return call('GET', url.slice(url.indexOf('/api/')))
}

/** Checks and prices an order without placing it. */
export function checkOrder(order: OrderRequest, signal?: AbortSignal): Promise<Order> {
  return call('POST', '/api/v2/orders/place', { body: { ...order, dry_run: true }, signal })
}

/** Places an order once, however often the same key is sent. */
export function placeOrder(order: OrderRequest, idempotencyKey: string): Promise<Order> {
  return call('POST', '/api/v2/orders/place', { body: order, idempotencyKey })
}

export function cancelOwnOrder(
  uuid: string,
  body: Static<typeof CancelBody>,
  keyFor: KeyFor,
): Promise<OrderWithMoney> {
  const idempotencyKey = keyFor({ uuid, body })
  return call('POST', '/api/v3/orders/{uuid}/cancel', { path: { uuid }, body, idempotencyKey })
}

export function orderTotal(order: Pick<Order, 'line_items'>): number {
  const cents = order.line_items.reduce(
    (sum, { price, quantity }) => sum + Math.round(price * quantity * 100),
    0,
  )
  return cents / 100
}

/** The merchant is a copy from the time of the order, whose members have no fixed type. */
export function merchantName({ merchant }: Order): string {
  return typeof merchant.legal_dba === 'string' ? merchant.legal_dba : ''
}

/** What is to be paid, the oldest order first unless sorted otherwise. */
export function listUnpaid(
  page: Pick<
    Static<typeof OrderListV3Query>,
    'limit' | 'offset' | 'sort_col' | 'sort_order' | 'past_due'
  >,
  signal?: AbortSignal,
): Promise<Page<'orders', typeof OrderSummarySchema>> {
  const query = { sort_col: 'ordered_on', sort_order: 'asc', ...page, owed: true }
  return call('GET', '/api/v3/orders/list', { query, signal })
}

export function readAccount(signal?: AbortSignal): Promise<Account> {
  return call('GET', '/api/v3/account', { signal })
}

export function listMemos(
  query: Static<typeof MemoQuery>,
  signal?: AbortSignal,
): Promise<MemoLedger> {
  return call('GET', '/api/v3/memos', { query, signal })
}

export function listQuotes(
  query: Static<typeof QuoteListQuery>,
  signal?: AbortSignal,
): Promise<Page<'quotes', typeof QuoteSchema>> {
  return call('GET', '/api/v3/quotes', { query, signal })
}

export function readQuote(uuid: string, signal?: AbortSignal): Promise<Quote> {
  return call('GET', '/api/v3/quotes/{uuid}', { path: { uuid }, signal })
}

export function requestQuote(body: QuoteRequest, keyFor: KeyFor): Promise<Quote> {
  return call('POST', '/api/v3/quotes', { body, idempotencyKey: keyFor(body) })
}

export function withdrawQuote(uuid: string): Promise<void> {
  return call('DELETE', '/api/v3/quotes/{uuid}', { path: { uuid } })
}

export function listReturns(
  query: Static<typeof ReturnListQuery>,
  signal?: AbortSignal,
): Promise<Page<'returns', typeof OrderReturnSchema>> {
  return call('GET', '/api/v3/returns', { query, signal })
}

export function requestReturn(
  uuid: string,
  body: Static<typeof ReturnRequestBody>,
  keyFor: KeyFor,
): Promise<OrderReturn> {
  const idempotencyKey = keyFor({ uuid, body })
  return call('POST', '/api/v3/orders/{uuid}/returns', { path: { uuid }, body, idempotencyKey })
}
