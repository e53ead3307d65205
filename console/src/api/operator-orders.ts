import { call, newIdempotencyKey } from './client.ts'
import type { Order } from './orders.ts'

/** As `OperatorOrder` in /openapi/operator.json. */
export interface OperatorOrder extends Order {
  merchant_uuid: string
  debug: boolean
  total: number
  open_quantity: number
}

export interface OperatorOrderSearch {
  q?: string | undefined
  limit: number
  offset: number
  order_type?: string[] | undefined
  payment_status?: string[] | undefined
  fulfillment_status?: string[] | undefined
  overdue?: boolean | undefined
}

export function searchOperatorOrders(
  search: OperatorOrderSearch,
  signal?: AbortSignal,
): Promise<{ orders: OperatorOrder[]; total: number }> {
  const query = { ...search, sort_col: 'ordered_on', sort_order: 'desc' }
  return call('GET', '/api/operator/orders', { query, signal })
}

export function readOperatorOrder(uuid: string, signal?: AbortSignal): Promise<OperatorOrder> {
  return call('GET', '/api/operator/orders/{uuid}', { path: { uuid }, signal })
}

export interface Units {
  line_items?: { uuid: string; quantity: number }[]
}

const once = (uuid: string, body: unknown) => ({
  path: { uuid },
  body,
  idempotencyKey: newIdempotencyKey(),
})

export function fulfillOrder(
  uuid: string,
  fulfillment: Units & {
    tracking_company: string
    tracking_number: string
    tracking_url?: string
  },
): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/fulfill', once(uuid, fulfillment))
}

export function payOrder(uuid: string): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/pay', once(uuid, {}))
}

export function cancelOrder(
  uuid: string,
  cancellation: Units & { reason?: string },
): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/cancel', once(uuid, cancellation))
}

export function returnMemo(uuid: string, units: Units): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/return', once(uuid, units))
}

export function convertMemo(uuid: string): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/convert', once(uuid, {}))
}
