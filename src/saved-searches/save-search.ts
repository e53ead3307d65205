import { isDeepStrictEqual } from 'node:util'
import { recordEntry } from '../audit/record-entry.ts'
import type { Tx } from '../database/open.ts'
import type { GemIndex } from '../gems/indexing/follower.ts'
import { planFilters } from '../gems/search/plan.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { PriceRules } from '../pricing/price-rules.ts'
import { readPriceRules } from '../pricing/price-rules-cache.ts'
import { forgetStones, lockMatcher, recordKnown } from './alerts/matcher-store.ts'
import { matchingIds, planAlert } from './alerts/plan-alert.ts'
import { filtersOf, type SavedSearch, SEARCH_TABLES, type SearchKind } from './saved-search.ts'
import {
  claimSearchPlace,
  deleteSearch,
  getSearch,
  insertSearch,
  type SearchFields,
  updateSearch,
} from './saved-search-store.ts'

/** The index of each kind of stone on this node. */
export type GemIndexes = Readonly<Record<SearchKind, GemIndex>>

/** Saves a search. What it finds now is known from then on, and raises no alert. */
export async function saveSearch(
  tx: Tx,
  indexes: GemIndexes,
  merchant: Merchant,
  fields: SearchFields,
): Promise<SavedSearch> {
  const rules = await checkFields(tx, merchant, fields)
  await claimSearchPlace(tx, merchant.uuid)
  const search = await insertSearch(tx, merchant.uuid, fields)
  await recordEntry(tx, {
    action: 'saved_search.create',
    subject: subjectOf(search),
    after: fieldsOf(search),
  })
  if (search.alert !== 'off') await noteKnown(tx, indexes[search.kind], search, rules)
  return search
}

type SearchChange = Partial<Omit<SearchFields, 'kind'>>

/** Changes a search. With other conditions, or another alert, it begins again. */
export async function changeSearch(
  tx: Tx,
  indexes: GemIndexes,
  merchant: Merchant,
  uuid: string,
  change: SearchChange,
): Promise<SavedSearch> {
  const before = await lockSearch(tx, merchant, uuid)
  const after = { ...fieldsOf(before), ...change }
  const rules = await checkFields(tx, merchant, after)
  const search = await updateSearch(tx, uuid, after)
  await recordEntry(tx, {
    action: 'saved_search.change',
    subject: subjectOf(search),
    before: fieldsOf(before),
    after: fieldsOf(search),
  })
  if (isDeepStrictEqual(conditionsOf(before), conditionsOf(search))) return search
  await forgetStones(tx, uuid)
  if (search.alert !== 'off') await noteKnown(tx, indexes[search.kind], search, rules)
  return search
}

/** The matcher's lock is the one that every change of a search takes. */
export async function lockSearch(tx: Tx, merchant: Merchant, uuid: string): Promise<SavedSearch> {
  await lockMatcher(tx)
  return getSearch(tx, uuid, merchant.uuid)
}

export async function removeSearch(tx: Tx, merchant: Merchant, uuid: string): Promise<void> {
  const search = await lockSearch(tx, merchant, uuid)
  await recordEntry(tx, {
    action: 'saved_search.remove',
    subject: subjectOf(search),
    before: fieldsOf(search),
  })
  await deleteSearch(tx, search.uuid)
}

function subjectOf({ uuid }: SavedSearch) {
  return { kind: 'saved_search', id: uuid }
}

function fieldsOf({ name, kind, filters, alert, max_retail_price }: SavedSearch): SearchFields {
  return { name, kind, filters, alert, max_retail_price }
}

function conditionsOf({ filters, alert, max_retail_price }: SavedSearch) {
  return { filters, alert, max_retail_price }
}

/** Refuses filters that contradict each other, as the search does. */
async function checkFields(tx: Tx, merchant: Merchant, fields: SearchFields): Promise<PriceRules> {
  const { kind } = fields
  const rules = await readPriceRules(tx, merchant, merchant.currency_code, kind)
  planFilters(SEARCH_TABLES[kind], filtersOf(fields), rules)
  return rules
}

/**
 * Records the stones that match as known. The matcher cannot go on while its row is locked, and
 * this node's index is at least as far: every later change is compared with the search.
 */
async function noteKnown(
  tx: Tx,
  index: GemIndex,
  search: SavedSearch,
  rules: PriceRules,
): Promise<void> {
  const { place, version } = await lockMatcher(tx)
  if ((index.sequence() ?? -1) < place) await index.catchUp()
  if ((index.sequence() ?? -1) < place) {
    throw new Refusal('not_ready', 'The index is still loading; try again shortly.')
  }
  const ids = matchingIds({ store: index.store() }, planAlert(search, rules))
  await recordKnown(tx, { uuid: search.uuid, version, ids })
}
