import type { Static } from 'typebox'
import type {
  OperatorReturnQuery,
  OrderReturnSchema,
} from '../../../../src/http/schemas/orders/return.ts'
import { call, newIdempotencyKey, type Page } from '../client.ts'

export type OperatorReturn = Static<typeof OrderReturnSchema>

export function listOperatorReturns(
  query: Static<typeof OperatorReturnQuery>,
  signal?: AbortSignal,
): Promise<Page<'returns', typeof OrderReturnSchema>> {
  return call('GET', '/api/operator/returns', { query, signal })
}

const once = (uuid: string, body: unknown) => ({
  path: { uuid },
  body,
  idempotencyKey: newIdempotencyKey(),
})

export function approveReturn(uuid: string): Promise<OperatorReturn> {
  return call('POST', '/api/operator/returns/{uuid}/approve', once(uuid, {}))
}

export function rejectReturn(uuid: string, reason: string): Promise<OperatorReturn> {
  const body = reason === '' ? {} : { reason }
  return call('POST', '/api/operator/returns/{uuid}/reject', once(uuid, body))
}

export function receiveReturn(uuid: string): Promise<OperatorReturn> {
  return call('POST', '/api/operator/returns/{uuid}/receive', once(uuid, {}))
}
