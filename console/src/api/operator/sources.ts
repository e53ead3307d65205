import type { Static } from 'typebox'
import type {
  SourceBody,
  SourceDetailSchema,
  SourcePatch,
  SourceRunQuery,
  SourceRunSchema,
  SourceRunsQuery,
  SourceSchema,
} from '../../../../src/http/schemas/stock/sources.ts'
import { call, newIdempotencyKey, type Page } from '../client.ts'

export type Source = Static<typeof SourceSchema>
export type SourceRun = Static<typeof SourceRunSchema>
export type NewSource = Static<typeof SourceBody>
export type SourceChange = Static<typeof SourcePatch>
export type RunOptions = Partial<Static<typeof SourceRunQuery>>

export function listSources(
  supplier: string,
  signal?: AbortSignal,
): Promise<Page<'sources', typeof SourceSchema>> {
  return call('GET', '/api/operator/sources', { query: { supplier, limit: 500 }, signal })
}

/** One source with a page of its runs. */
export function readSource(
  uuid: string,
  query: Partial<Static<typeof SourceRunsQuery>>,
  signal?: AbortSignal,
): Promise<Static<typeof SourceDetailSchema>> {
  return call('GET', '/api/operator/sources/{uuid}', { path: { uuid }, query, signal })
}

export function addSource(source: NewSource): Promise<Source> {
  const idempotencyKey = newIdempotencyKey()
  return call('POST', '/api/operator/sources', { body: source, idempotencyKey })
}

export function changeSource(uuid: string, change: SourceChange): Promise<Source> {
  return call('PATCH', '/api/operator/sources/{uuid}', { path: { uuid }, body: change })
}

/** Waits until the run has finished. */
export function runSource(uuid: string, query: RunOptions): Promise<SourceRun> {
  const idempotencyKey = newIdempotencyKey()
  return call('POST', '/api/operator/sources/{uuid}/run', { path: { uuid }, query, idempotencyKey })
}

export function pauseSource(uuid: string): Promise<Source> {
  const idempotencyKey = newIdempotencyKey()
  return call('POST', '/api/operator/sources/{uuid}/pause', { path: { uuid }, idempotencyKey })
}

export function resumeSource(uuid: string): Promise<Source> {
  const idempotencyKey = newIdempotencyKey()
  return call('POST', '/api/operator/sources/{uuid}/resume', { path: { uuid }, idempotencyKey })
}

export function removeSource(uuid: string): Promise<void> {
  return call('DELETE', '/api/operator/sources/{uuid}', { path: { uuid } })
}
