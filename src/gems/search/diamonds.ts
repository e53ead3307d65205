import type { Database } from '../../database/open.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import type { PriceRules } from '../../pricing/price-rules.ts'
import { createPriceRulesCache, type PriceRulesCache } from '../../pricing/price-rules-store.ts'
import { type GemIndex, startGemIndex } from '../indexing/follower.ts'
import { DIAMOND_FIELDS } from './diamond-fields.ts'
import { createRenderedStones, type RenderedStones } from './rendered-stones.ts'
import type { SearchRequest } from './request.ts'
import { type SearchResult, searchGems } from './search.ts'
import { warmStones } from './warm-stones.ts'

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
  const { currency_code } = request
  const rules =
    search.rules.peek(merchant, currency_code) ?? (await search.rules.get(merchant, currency_code))
  const store = search.index.store()
  return { result: searchGems(store, DIAMOND_FIELDS, request, rules, ['cut_code', 'type']), rules }
}
