import type { Database } from '../../database/open.ts'
import type { BulkReads } from '../../events/bulk-reads.ts'
import type { MarketLog } from '../../events/market-log.ts'
import type { Store } from '../../index/index.ts'
import type { PriceRules } from '../../pricing/price-rules.ts'
import { createPriceRulesCache, type PriceRulesCache } from '../../pricing/price-rules-cache.ts'
import { createOwnChoiceReads, type OwnChoiceReads } from '../curation/own-choices.ts'
import { type GemIndex, type IndexFileOptions, startGemIndex } from '../indexing/follower.ts'
import type { SearchTable } from './fields.ts'
import { type PricedPage, pricePage } from './page.ts'
import type { SearchRequest } from './plan.ts'
import { createRecentPages, type RecentPages } from './recent-pages.ts'
import { createRenderedStones, type RenderedStones } from './rendered-stones.ts'
import { type SearchResult, searchGems } from './search.ts'
import { keepStones, type StonesFileOptions } from './stored/keep-stones.ts'
import { warmStones } from './warm-stones.ts'

/** The diamonds of a market, in memory: a merchant's search needs no query. */
export interface DiamondSearch {
  index: GemIndex
  rules: PriceRulesCache
  stones: RenderedStones
  pages: RecentPages
  /** What merchants' own templates and holds are, for curated search. */
  ownChoices: OwnChoiceReads
  stop(): Promise<void>
}

interface DiamondSearchOptions extends IndexFileOptions, StonesFileOptions {
  database: Database
  /** The connections that the index follows the table with; those of `database` unless given. */
  following?: Database
  publicUrl: string
  /** The market's time in milliseconds since 1970. */
  now: () => number
  /** The most bytes that rendered stones may take. */
  renderedBytesMax?: number
  /** Up to so many stones the index has no file. */
  inlineMax?: number
  onError?: (error: unknown) => void
  /** The log that the indexes of this process share. */
  log?: MarketLog
  /** From where the index is loaded; from `database` unless given. */
  bulk?: BulkReads
}

export function startDiamondSearch(options: DiamondSearchOptions): DiamondSearch {
  const { database, publicUrl, now, onError, log, bulk, file, onFile, onLoaded } = options
  const rules = createPriceRulesCache(database.db)
  const stones = createRenderedStones(database.db, publicUrl, options.renderedBytesMax)
  const following = options.following ?? database
  const kept = keepStones({ ...options, database: following, name: 'diamond' }, stones.stored)
  const index = startGemIndex({
    database: following,
    name: 'diamond',
    now,
    onError,
    log,
    bulk,
    file,
    onFile,
    onLoaded,
    inlineMax: options.inlineMax,
    onChanged: (ids) => stones.forget(ids),
    onReplaced: () => stones.renew(),
    onLoad: (state, wasFileRefused) => kept.onLoad(state, wasFileRefused),
    onPrices: (merchantUuid) => rules.forget(merchantUuid),
    onReconnected: () => rules.doubt(),
  })
  const warming = warmStones(index, stones, kept)
  return {
    index,
    rules,
    stones,
    pages: createRecentPages(() => index.store()),
    ownChoices: createOwnChoiceReads(database.db),
    async stop() {
      warming.stop()
      await Promise.all([index.stop(), kept.saveAtStop()])
      await stones.close()
    },
  }
}

/** A page of diamonds at the caller's prices, with totals and counts over all matches. */
export interface FoundDiamonds extends Omit<SearchResult, 'found'> {
  page: PricedPage
  /** Of the index that was searched. */
  version: Store['version']
}

/** Searches and prices in one step, without an `await`: the index cannot change in between. */
export function searchDiamonds(
  search: DiamondSearch,
  rules: PriceRules,
  table: SearchTable,
  request: SearchRequest,
): FoundDiamonds {
  const store = search.index.store()
  const { found, ...result } = searchGems(store, table, request, rules, ['cut_code', 'type'])
  return { ...result, page: pricePage(found, rules), version: store.version }
}
