import type { Static } from 'typebox'
import type { ScoreCardSchema } from '../../../../src/http/schemas/stock/score-card.ts'
import type {
  ChangedSupplierSchema,
  SupplierBody,
  SupplierFigureSchema,
  SupplierPatch,
  SupplierSchema,
} from '../../../../src/http/schemas/suppliers.ts'
import { call, newIdempotencyKey, readAll } from '../client.ts'

export type Supplier = Static<typeof SupplierSchema>
export type SupplierChange = Static<typeof SupplierPatch>
export type SupplierFigures = Static<typeof SupplierFigureSchema>

export function listSupplierFigures(signal?: AbortSignal): Promise<SupplierFigures[]> {
  return readAll('/api/operator/suppliers/figures', 'suppliers', { signal })
}

export function readSupplier(uuid: string, signal?: AbortSignal): Promise<Supplier> {
  return call('GET', '/api/operator/suppliers/{uuid}', { path: { uuid }, signal })
}

export function createSupplier(supplier: Static<typeof SupplierBody>): Promise<Supplier> {
  const idempotencyKey = newIdempotencyKey()
  return call('POST', '/api/operator/suppliers', { body: supplier, idempotencyKey })
}

export function changeSupplier(
  uuid: string,
  change: SupplierChange,
): Promise<Static<typeof ChangedSupplierSchema>> {
  return call('PATCH', '/api/operator/suppliers/{uuid}', { path: { uuid }, body: change })
}

export function readScoreCardOf(
  uuid: string,
  signal?: AbortSignal,
): Promise<Static<typeof ScoreCardSchema>> {
  return call('GET', '/api/operator/suppliers/{uuid}/scorecard', { path: { uuid }, signal })
}
