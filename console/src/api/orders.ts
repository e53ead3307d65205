import { call } from './client.ts'

/** As `LineItem` in /openapi/v2.json. */
export interface LineItem {
  uuid: string
  name: string
  description: string
  position: number
  sku: string
  product_type: string
  quantity: number
  fulfilled_quantity: number
  fulfillment_status: string | null
  price: number
  properties: { name: string; value: string }[] | null
}

/** As `OrderAddress` in /openapi/v2.json. */
export interface OrderAddress {
  address_1: string
  address_2: string
  city: string
  country_code: string
  postal_code: string
  region: string
}

/** As `Fulfillment` in /openapi/v2.json. */
export interface Fulfillment {
  uuid: string
  created_on: string
  tracking_company: string
  tracking_number: string
  tracking_url: string
  line_items: LineItem[]
}

/** As `OrderEvent` in /openapi/v2.json. */
export interface OrderEvent {
  event_type: string
  event_data: Record<string, unknown>
  created_on: string
}

/** As `OrderCancellation` in /openapi/v2.json. */
export interface Cancellation {
  line_item_uuid: string
  quantity: number
  reason: string
  created_on: string
}

/** As `Order` in /openapi/v2.json. */
export interface Order {
  uuid: string
  order_id: string
  order_reference: string
  order_type: 'invoice' | 'memo'
  order_channel: string
  order_status: string | null
  payment_status: string | null
  fulfillment_status: string | null
  ordered_on: string
  merchant: { legal_dba: string }
  notes: string
  memo_id: string | null
  memo_due_date: string | null
  shipping_address: OrderAddress
  billing_address: OrderAddress
  line_items: LineItem[]
  fulfillments: Fulfillment[]
  cancellations: Cancellation[] | null
  events: OrderEvent[] | null
  tracking: { company: string; number: string; url: string } | null
}

/** As `OrderList` in /openapi/v2.json. */
export interface OrderList {
  metadata: { limit: number; offset: number; total_count: number }
  orders: Order[]
}

export interface OrderSearch {
  query?: string | undefined
  limit: number
  offset: number
  order_type?: string[] | undefined
  payment_status?: string[] | undefined
  fulfillment_status?: string[] | undefined
}

export function searchOrders(search: OrderSearch, signal?: AbortSignal): Promise<OrderList> {
  const query = { ...search, sort_col: 'ordered_on', sort_order: 'desc' }
  return call('GET', '/api/v2/orders/search', { query, signal })
}

/** An order by its own number, which is unique for a merchant. */
export async function findOrder(orderId: string, signal?: AbortSignal): Promise<Order | undefined> {
  const { orders } = await searchOrders({ query: orderId, limit: 50, offset: 0 }, signal)
  return orders.find((order) => order.order_id === orderId)
}

export interface Placement {
  order_type: 'invoice' | 'memo'
  line_items: { sku: string; quantity: number }[]
  order_reference?: string
  notes?: string
  shipping_address_uuid?: string
}

/** Everything is checked and priced, nothing is written. */
export function checkOrder(placement: Placement, signal?: AbortSignal): Promise<Order> {
  return call('POST', '/api/v2/orders/place', { body: { ...placement, dry_run: true }, signal })
}

/** Places it once, however often the same key is sent. */
export function placeOrder(placement: Placement, idempotencyKey: string): Promise<Order> {
  return call('POST', '/api/v2/orders/place', { body: placement, idempotencyKey })
}

/** A stone to take instead of one that went. */
export interface Substitute {
  sku: string
  shape: string
  weight: number
  color: string | null
  clarity: string | null
  cut_grade: string | null
  lab: string | null
  base_wholesale_price: number
}

export function orderTotal(order: Pick<Order, 'line_items'>): number {
  const cents = order.line_items.reduce(
    (sum, { price, quantity }) => sum + Math.round(price * quantity * 100),
    0,
  )
  return cents / 100
}
