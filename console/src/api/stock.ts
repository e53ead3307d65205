import type { Static } from 'typebox'
import type {
  DecidedRowSchema,
  QuarantinedRowSchema,
  QuarantineQuery,
} from '../../../src/http/schemas/imports.ts'
import type {
  ConflictDecisionBody,
  ConflictQuery,
  ConflictSchema,
  DecidedConflictSchema,
} from '../../../src/http/schemas/inventory.ts'
import type {
  GemListQuerySchema,
  GemPageSchema,
  GemPatch,
  OperatorGemSchema,
} from '../../../src/http/schemas/stock/gems.ts'
import { call, newIdempotencyKey, type Page } from './client.ts'

export type StockGem = Static<typeof GemPageSchema>['gems'][number]
export type StockQuery = Static<typeof GemListQuerySchema>
export type StockStone = Static<typeof OperatorGemSchema>
export type StoneOffer = StockStone['offers'][number]
export type HistoryEntry = StockStone['history'][number]
export type StoneChange = Static<typeof GemPatch>
export type Conflict = Static<typeof ConflictSchema>
export type QuarantinedRow = Static<typeof QuarantinedRowSchema>

/** Stones of all suppliers, in every state. */
export function listStock(
  query: StockQuery,
  signal?: AbortSignal,
): Promise<Static<typeof GemPageSchema>> {
  return call('GET', '/api/operator/inventory/gems', { query, signal })
}

export function readStockStone(sku: string, signal?: AbortSignal): Promise<StockStone> {
  return call('GET', '/api/operator/inventory/gems/{sku}', { path: { sku }, signal })
}

/** Sets fields by hand; null takes an override back. */
export function changeStone(sku: string, body: StoneChange): Promise<StockStone> {
  return call('PATCH', '/api/operator/inventory/gems/{sku}', { path: { sku }, body })
}

/** Ends the hold of whichever merchant. */
export function releaseHold(sku: string): Promise<null> {
  return call('DELETE', '/api/operator/inventory/gems/{sku}/hold', { path: { sku } })
}

export function listConflicts(
  query: Static<typeof ConflictQuery>,
  signal?: AbortSignal,
): Promise<Page<'conflicts', typeof ConflictSchema>> {
  return call('GET', '/api/operator/inventory/conflicts', { query, signal })
}

export function decideConflict(
  { lab, cert_num }: Pick<Conflict, 'lab' | 'cert_num'>,
  body: Static<typeof ConflictDecisionBody>,
): Promise<Static<typeof DecidedConflictSchema>> {
  const idempotencyKey = newIdempotencyKey()
  return call('POST', '/api/operator/inventory/conflicts/{lab}/{cert_num}/decide', {
    path: { lab, cert_num },
    body,
    idempotencyKey,
  })
}

export function listQuarantine(
  query: Static<typeof QuarantineQuery>,
  signal?: AbortSignal,
): Promise<Page<'rows', typeof QuarantinedRowSchema>> {
  return call('GET', '/api/operator/inventory/quarantine', { query, signal })
}

export function releaseRow(uuid: string): Promise<Static<typeof DecidedRowSchema>> {
  return call('POST', '/api/operator/inventory/quarantine/{uuid}/release', { path: { uuid } })
}

export function dismissRow(uuid: string): Promise<Static<typeof DecidedRowSchema>> {
  return call('POST', '/api/operator/inventory/quarantine/{uuid}/dismiss', { path: { uuid } })
}
