import type { Static } from 'typebox'
import type { OrderDocumentSchema } from '../../../src/http/schemas/orders/documents.ts'
import type {
  FulfillmentSchema,
  LineItemSchema,
  OrderAddressSchema,
  OrderEventSchema,
  OrderListSchema,
  OrderSchema,
  PlacedOrderV3Schema,
} from '../../../src/http/schemas/orders/order.ts'
import type {
  OrderSearchQuery,
  PlaceOrderBody,
} from '../../../src/http/schemas/orders/order-request.ts'
import { call } from './client.ts'

export type Order = Static<typeof OrderSchema>
export type LineItem = Static<typeof LineItemSchema>
export type OrderAddress = Static<typeof OrderAddressSchema>
export type Fulfillment = Static<typeof FulfillmentSchema>
export type OrderEvent = Static<typeof OrderEventSchema>
export type OrderDocument = Static<typeof OrderDocumentSchema>
export type OrderRequest = Static<typeof PlaceOrderBody>
export type OrderSearch = Omit<Static<typeof OrderSearchQuery>, 'sort_col' | 'sort_order'>

export function searchOrders(
  search: OrderSearch,
  signal?: AbortSignal,
): Promise<Static<typeof OrderListSchema>> {
  const query = { ...search, sort_col: 'ordered_on', sort_order: 'desc' }
  return call('GET', '/api/v2/orders/search', { query, signal })
}

/** An order by its own number, which is unique for a merchant. */
export async function findOrder(orderId: string, signal?: AbortSignal): Promise<Order | undefined> {
  const { orders } = await searchOrders({ query: orderId, limit: 50, offset: 0 }, signal)
  return orders.find((order) => order.order_id === orderId)
}

/** What was issued for an order on paper, oldest first. */
export async function listDocuments(uuid: string, signal?: AbortSignal): Promise<OrderDocument[]> {
  const order = await call<Static<typeof PlacedOrderV3Schema>>('GET', '/api/v3/orders/{uuid}', {
    path: { uuid },
    signal,
  })
  return order.documents
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
