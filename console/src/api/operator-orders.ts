import type { Static } from 'typebox'
import type {
  CancelBody,
  FulfillBody,
  OperatorOrderQuery,
  OperatorOrderSchema,
  ReturnBody,
} from '../../../src/http/schemas/orders/order-operator.ts'
import { call, newIdempotencyKey, type Page } from './client.ts'

export type OperatorOrder = Static<typeof OperatorOrderSchema>

export function searchOperatorOrders(
  search: Static<typeof OperatorOrderQuery>,
  signal?: AbortSignal,
): Promise<Page<'orders', typeof OperatorOrderSchema>> {
  const query = { ...search, sort_col: 'ordered_on', sort_order: 'desc' }
  return call('GET', '/api/operator/orders', { query, signal })
}

export function readOperatorOrder(uuid: string, signal?: AbortSignal): Promise<OperatorOrder> {
  return call('GET', '/api/operator/orders/{uuid}', { path: { uuid }, signal })
}

const once = (uuid: string, body: unknown) => ({
  path: { uuid },
  body,
  idempotencyKey: newIdempotencyKey(),
})

export function fulfillOrder(
  uuid: string,
  fulfillment: Static<typeof FulfillBody>,
): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/fulfill', once(uuid, fulfillment))
}

export function payOrder(uuid: string): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/pay', once(uuid, {}))
}

export function cancelOrder(
  uuid: string,
  cancellation: Static<typeof CancelBody>,
): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/cancel', once(uuid, cancellation))
}

export function returnMemo(
  uuid: string,
  returned: Static<typeof ReturnBody>,
): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/return', once(uuid, returned))
}

export function convertMemo(uuid: string): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/convert', once(uuid, {}))
}
