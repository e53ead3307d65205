import type { Database } from '../../database/open.ts'
import type { BulkReads } from '../../events/bulk-reads.ts'
import type { MarketLog } from '../../events/market-log.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import type { PriceRulesCache } from '../../pricing/price-rules-cache.ts'
import type { Gem } from '../gem.ts'
import { extensionJson } from '../gem-rendering.ts'
import { type GemIndex, type IndexFileOptions, startGemIndex } from '../indexing/follower.ts'
import { nextCursor, type PagedRequest, startPage } from './cursor.ts'
import { GEMSTONE_SEARCH } from './field-tables.ts'
import { joinFields, joinPage, pricePage } from './page.ts'
import { createRenderedStones, type RenderedStones } from './rendered-stones.ts'
import { renderIncluded, searchGems } from './search.ts'
import { keepStones, type StonesFileOptions } from './stored/keep-stones.ts'
import { warmStones } from './warm-stones.ts'

/** The coloured stones of a market, in memory, searched as diamonds are. */
export interface GemstoneSearch {
  index: GemIndex
  rules: PriceRulesCache
  stones: RenderedStones
  stop(): Promise<void>
}

interface GemstoneSearchOptions extends IndexFileOptions, StonesFileOptions {
  database: Database
  /** The connections that the index follows the table with; those of `database` unless given. */
  following?: Database
  publicUrl: string
  rules: PriceRulesCache
  /** The market's time in milliseconds since 1970. */
  now: () => number
  onError?: (error: unknown) => void
  /** The log that the indexes of this process share. */
  log?: MarketLog
  /** From where the index is loaded; from `database` unless given. */
  bulk?: BulkReads
}

/** Space for some ten thousand stones, which is more than a market has. */
const RENDERED_BYTES_MAX = 32 * 1024 * 1024

export function startGemstoneSearch(options: GemstoneSearchOptions): GemstoneSearch {
  const { database, publicUrl, rules, now, onError, log, bulk, file, onFile, onLoaded } = options
  const stones = createRenderedStones(database.db, publicUrl, RENDERED_BYTES_MAX, gemstoneJson)
  const following = options.following ?? database
  const kept = keepStones({ ...options, database: following, name: 'gemstone' }, stones.stored)
  const index = startGemIndex({
    database: following,
    name: 'gemstone',
    now,
    onError,
    log,
    bulk,
    file,
    onFile,
    onLoaded,
    onChanged: (ids) => stones.forget(ids),
    onReplaced: () => stones.renew(),
    onLoad: (state, wasFileRefused) => kept.onLoad(state, wasFileRefused),
  })
  const warming = warmStones(index, stones, kept)
  const stop = async () => {
    warming.stop()
    await Promise.all([index.stop(), kept.saveAtStop()])
    await stones.close()
  }
  return { index, rules, stones, stop }
}

/** What merchants see of gemstones only. */
export const GEMSTONE_COLUMNS = ['species', 'origin'] as const

/** The fields beyond the specification, and those that only gemstones have. */
export function gemstoneJson(gem: Gem): string {
  const own = JSON.stringify(Object.fromEntries(GEMSTONE_COLUMNS.map((name) => [name, gem[name]])))
  return `${extensionJson(gem)},${own.slice(1, -1)}`
}

/** A page of gemstones as the JSON of the response, with counts over all matches. */
interface GemstoneAnswer {
  bytes: Buffer
  total: number
  offset: number
}

export async function searchGemstones(
  { index, rules: cache, stones: rendered }: GemstoneSearch,
  merchant: Merchant,
  asked: PagedRequest & { fields?: readonly string[] },
): Promise<GemstoneAnswer> {
  const { currency_code, fields } = asked
  const request = await startPage(index, merchant, asked)
  const { offset, limit } = request
  const rules =
    cache.peek(merchant, currency_code, 'gemstone') ??
    (await cache.get(merchant, currency_code, 'gemstone'))
  const result = searchGems(index.store(), GEMSTONE_SEARCH, request, rules, [])
  const { found, total, next } = result
  const page = pricePage(found, rules)
  const next_cursor = nextCursor(index, merchant, request, next)
  const stones = rendered.peek(page.ids) ?? (await rendered.get(page.ids))
  const counts = { offset, limit, total, next_cursor, ...renderIncluded(result) }
  const tail = Buffer.from(`,${JSON.stringify(counts).slice(1)}`)
  const bytes = fields
    ? joinFields(page, stones, fields, HEAD, tail)
    : joinPage(page, stones, HEAD, tail)
  return { bytes, total, offset }
}

const HEAD = Buffer.from('{"gems":')
