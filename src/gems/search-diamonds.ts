import type { Database } from '../database/open.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { type GemIndex, startGemIndex } from './index-follower.ts'
import type { PriceRules } from './prices.ts'
import { createPriceRulesCache, type PriceRulesCache } from './prices-of-merchant.ts'
import { DIAMOND_FIELDS } from './search-fields.ts'
import { type SearchResult, searchGems } from './search-gems.ts'
import type { SearchRequest } from './search-request.ts'
import { createRenderedStones, type RenderedStones } from './search-stones.ts'
import { warmStones } from './search-warm.ts'

/** Everything that answers a merchant's search from memory. */
export interface DiamondSearch {
  index: GemIndex
  rules: PriceRulesCache
  stones: RenderedStones
  stop(): Promise<void>
}

export interface DiamondSearchOptions {
  database: Database
  publicUrl: string
  now?: () => number
  /** Most bytes of rendered stones in memory. */
  renderedBytesMax?: number
  onError?: (error: unknown) => void
}

export function startDiamondSearch(options: DiamondSearchOptions): DiamondSearch {
  const { database, publicUrl, now, onError } = options
  const rules = createPriceRulesCache(database.db, now)
  const stones = createRenderedStones(database.db, publicUrl, options.renderedBytesMax)
  const index = startGemIndex({
    database,
    name: 'diamond',
    now,
    onError,
    onChanged: (ids) => stones.forget(ids),
    onReplaced: () => stones.renew(),
    onPrices: (merchantUuid) => rules.forget(merchantUuid),
  })
  const warming = warmStones(index, stones)
  return {
    index,
    rules,
    stones,
    async stop() {
      warming.stop()
      await index.stop()
    },
  }
}

/** What was found, and at which prices the caller sees it. */
export interface FoundDiamonds {
  result: SearchResult
  rules: PriceRules
}

export async function searchDiamonds(
  search: DiamondSearch,
  merchant: Merchant,
  request: SearchRequest & { currency_code?: string },
): Promise<FoundDiamonds> {
  const known = search.rules.of(merchant, request.currency_code)
  const rules = known instanceof Promise ? await known : known
  const store = search.index.store()
  return { result: searchGems(store, DIAMOND_FIELDS, request, rules, ['cut_code', 'type']), rules }
}
