import type { Static } from 'typebox'
import type {
  SavedSearchBody,
  SavedSearchPatch,
  SavedSearchSchema,
} from '../../../../src/http/schemas/stock/saved-searches.ts'
import { call, newIdempotencyKey, type Page } from '../../api/client.ts'
import type { Gem } from '../../api/gems.ts'

export type SavedSearch = Static<typeof SavedSearchSchema>
export type Alert = SavedSearch['alert']

export function listSavedSearches(
  page: { limit: number; offset: number },
  signal?: AbortSignal,
): Promise<Page<'saved_searches', typeof SavedSearchSchema>> {
  return call('GET', '/api/v3/saved_searches', { query: page, signal })
}

export function readSavedSearch(uuid: string, signal?: AbortSignal): Promise<SavedSearch> {
  return call('GET', '/api/v3/saved_searches/{uuid}', { path: { uuid }, signal })
}

export function saveSearch(search: Static<typeof SavedSearchBody>): Promise<SavedSearch> {
  const idempotencyKey = newIdempotencyKey()
  return call('POST', '/api/v3/saved_searches', { body: search, idempotencyKey })
}

export function changeSavedSearch(
  uuid: string,
  change: Static<typeof SavedSearchPatch>,
): Promise<SavedSearch> {
  return call('PATCH', '/api/v3/saved_searches/{uuid}', { path: { uuid }, body: change })
}

export function deleteSavedSearch(uuid: string): Promise<void> {
  return call('DELETE', '/api/v3/saved_searches/{uuid}', { path: { uuid } })
}

/** The stones that match now; gemstones have the fields of diamonds and more. */
export function runSavedSearch(
  uuid: string,
  page: { limit: number; offset: number },
  signal?: AbortSignal,
): Promise<{ gems: Gem[]; total: number }> {
  return call('POST', '/api/v3/saved_searches/{uuid}/run', { path: { uuid }, body: page, signal })
}
