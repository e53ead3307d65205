import type { Static } from 'typebox'
import type { ExtendBody } from '../../../../src/http/schemas/orders/memo.ts'
import type { ChargesBody, PaymentBody } from '../../../../src/http/schemas/orders/money.ts'
import type {
  PlacedOrderSchema,
  PlacedOrderV3Schema,
} from '../../../../src/http/schemas/orders/order.ts'
import type {
  CancelBody,
  ConfirmBody,
  DeclineBody,
  FulfillBody,
  OperatorOrderQuery,
  OperatorOrderSchema,
  ReturnBody,
} from '../../../../src/http/schemas/orders/order-operator.ts'
import type {
  PlaceOrderBody,
  PlaceOrderV3Body,
} from '../../../../src/http/schemas/orders/order-request.ts'
import { call, newIdempotencyKey, type Page } from '../client.ts'
import type { KeyFor } from '../hooks.ts'

export type OperatorOrder = Static<typeof OperatorOrderSchema>
export type OperatorLine = OperatorOrder['line_items'][number]
export type Charge = Static<typeof ChargesBody>[number]
export type Payment = Static<typeof PaymentBody>
export type OperatorOrderSearch = Static<typeof OperatorOrderQuery>

export function searchOperatorOrders(
  search: OperatorOrderSearch,
  signal?: AbortSignal,
): Promise<Page<'orders', typeof OperatorOrderSchema>> {
  const query = { sort_col: 'ordered_on', sort_order: 'desc', ...search }
  return call('GET', '/api/operator/orders', { query, signal })
}

export function readOperatorOrder(uuid: string, signal?: AbortSignal): Promise<OperatorOrder> {
  return call('GET', '/api/operator/orders/{uuid}', { path: { uuid }, signal })
}

const once = (uuid: string, body: unknown, keyFor: KeyFor = newIdempotencyKey) => ({
  path: { uuid },
  body,
  idempotencyKey: keyFor({ uuid, body }),
})

export function confirmOrder(
  uuid: string,
  confirmation: Static<typeof ConfirmBody>,
): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/confirm', once(uuid, confirmation))
}

export function declineOrder(
  uuid: string,
  decline: Static<typeof DeclineBody>,
): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/decline', once(uuid, decline))
}

export function fulfillOrder(
  uuid: string,
  fulfillment: Static<typeof FulfillBody>,
  keyFor: KeyFor,
): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/fulfill', once(uuid, fulfillment, keyFor))
}

export function invoiceOrder(uuid: string): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/invoice', once(uuid, {}))
}

export function recordPayment(
  uuid: string,
  payment: Payment,
  keyFor: KeyFor,
): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/payments', once(uuid, payment, keyFor))
}

export function setCharges(uuid: string, charges: readonly Charge[]): Promise<OperatorOrder> {
  return call('PUT', '/api/operator/orders/{uuid}/charges', { path: { uuid }, body: charges })
}

export function cancelOrder(
  uuid: string,
  cancellation: Static<typeof CancelBody>,
  keyFor: KeyFor,
): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/cancel', once(uuid, cancellation, keyFor))
}

export function returnMemo(
  uuid: string,
  returned: Static<typeof ReturnBody>,
  keyFor: KeyFor,
): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/return', once(uuid, returned, keyFor))
}

export function convertMemo(uuid: string): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/convert', once(uuid, {}))
}

export function extendMemo(
  uuid: string,
  extension: Static<typeof ExtendBody>,
  keyFor: KeyFor,
): Promise<OperatorOrder> {
  return call('POST', '/api/operator/orders/{uuid}/extend', once(uuid, extension, keyFor))
}

export type OrderCheck = Static<typeof PlacedOrderV3Schema>
type Placement = Omit<Static<typeof PlaceOrderV3Body>, 'external_order_id'>

/** Prices an order for a merchant without placing it; the check needs a number, but keeps none. */
export function checkOrderFor(placement: Placement): Promise<OrderCheck> {
  const body = { ...placement, external_order_id: newIdempotencyKey(), dry_run: true }
  return call('POST', '/api/v3/orders/place', { body })
}

/** Places an order for a merchant; without a number it is given one. */
export function placeOrderFor(
  placement: Static<typeof PlaceOrderBody>,
  idempotencyKey: string,
): Promise<Static<typeof PlacedOrderSchema>> {
  return call('POST', '/api/v2/orders/place', { body: placement, idempotencyKey })
}
