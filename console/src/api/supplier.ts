import type { Static } from 'typebox'
import type {
  ConfirmBody,
  DeclineBody,
  FulfillBody,
} from '../../../src/http/schemas/orders/order-operator.ts'
import type {
  SupplierOrderPage,
  SupplierOrderQuery,
  SupplierOrderSchema,
} from '../../../src/http/schemas/orders/supplier-order.ts'
import type { ScoreCardSchema } from '../../../src/http/schemas/stock/score-card.ts'
import type {
  SupplierStockPage,
  SupplierStockQuery,
} from '../../../src/http/schemas/stock/supplier-stock.ts'
import { call, newIdempotencyKey } from './client.ts'
import type { KeyFor } from './hooks.ts'

export type SupplierOrder = Static<typeof SupplierOrderSchema>
export type SupplierLine = SupplierOrder['line_items'][number]
export type SupplierStone = Static<typeof SupplierStockPage>['stones'][number]
export type ScoreCard = Static<typeof ScoreCardSchema>

export function listSupplierOrders(
  query: Static<typeof SupplierOrderQuery>,
  signal?: AbortSignal,
): Promise<Static<typeof SupplierOrderPage>> {
  return call('GET', '/api/supplier/orders', { query, signal })
}

export function readSupplierOrder(uuid: string, signal?: AbortSignal): Promise<SupplierOrder> {
  return call('GET', '/api/supplier/orders/{uuid}', { path: { uuid }, signal })
}

function answer(
  step: string,
  uuid: string,
  body: unknown,
  keyFor: KeyFor = newIdempotencyKey,
): Promise<SupplierOrder> {
  const idempotencyKey = keyFor({ uuid, body })
  return call('POST', `/api/supplier/orders/{uuid}/${step}`, {
    path: { uuid },
    body,
    idempotencyKey,
  })
}

export function confirmLines(uuid: string, body: Static<typeof ConfirmBody>) {
  return answer('confirm', uuid, body)
}

export function declineLines(uuid: string, body: Static<typeof DeclineBody>) {
  return answer('decline', uuid, body)
}

export function shipLines(uuid: string, body: Static<typeof FulfillBody>, keyFor: KeyFor) {
  return answer('fulfill', uuid, body, keyFor)
}

export function listSupplierStock(
  query: Static<typeof SupplierStockQuery>,
  signal?: AbortSignal,
): Promise<Static<typeof SupplierStockPage>> {
  return call('GET', '/api/supplier/inventory', { query, signal })
}

export function readScoreCard(signal?: AbortSignal): Promise<ScoreCard> {
  return call('GET', '/api/supplier/scorecard', { signal })
}
