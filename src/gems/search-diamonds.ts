import type { Database } from '../database/open.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { type GemIndex, startGemIndex } from './index-follower.ts'
import { createPriceRulesCache, type PriceRulesCache } from './prices-of-merchant.ts'
import { DIAMOND_FIELDS } from './search-fields.ts'
import { type SearchResult, searchGems } from './search-gems.ts'
import { renderGems } from './search-page.ts'
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

/** A page of diamonds: what was found, and its gems as JSON. */
export interface DiamondPage {
  result: SearchResult
  gems: Buffer
}

export async function searchDiamonds(
  search: DiamondSearch,
  merchant: Merchant,
  request: SearchRequest & { currency_code?: string },
): Promise<DiamondPage> {
  const rules = await search.rules.of(merchant, request.currency_code)
  const store = search.index.store()
  const result = searchGems(store, DIAMOND_FIELDS, request, rules, ['cut_code', 'type'])
  return { result, gems: await renderGems(result.found, rules, search.stones) }
}
