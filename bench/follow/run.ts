import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../src/database/open.ts'
import type { GemIndex } from '../../src/gems/indexing/follower.ts'
import type { PriceRules } from '../../src/pricing/price-rules.ts'
import { queriesWith } from '../search/queries.ts'
import { built } from '../support/built.ts'
import { printTable, timingOf } from '../support/measure.ts'
import { type SteadyLog, steadyLog } from './log.ts'

const CHANGES_PER_SECOND = 15_000
const QUIET_MS = 10_000
const FOLLOWING_MS = 40_000
/** How often the follower is told that the log has grown; in production five times a second. */
const ANNOUNCED_MS = 100
const SEARCH_EVERY_MS = 10

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0)

/** Follows the log of a market at a steady rate, and prints what that does to searches. */
export async function benchFollowing(url: string): Promise<void> {
  const { openDatabase } = await built<typeof import('../../src/database/open.ts')>('database/open')
  const database = openDatabase({ url, statementTimeoutMs: 0 })
  const { index, log, failed } = await startIndex(database)
  const { bytesOf, sizeOf } = await built<typeof import('../../src/index/index.ts')>('index/index')
  const stones = index.store().base.size
  console.log(`\n${stones} stones, a base of ${megabytes(bytesOf(index.store()))} MB`)
  const searches = await startSearches(database, index)
  await searches.over(() => pause(QUIET_MS))
  const quiet = await searches.over(() => pause(QUIET_MS))
  const sizeBefore = sizeOf(index.store())

  const first = log.last()
  const announcing = setInterval(() => void index.catchUp(), ANNOUNCED_MS)
  log.start(CHANGES_PER_SECOND)
  const during = await searches.over(() => pause(FOLLOWING_MS))
  const [given, followed] = [log.last() - first, Number(index.sequence()) - first]
  log.stop()
  while (Number(index.sequence()) < log.last()) await pause(10)
  clearInterval(announcing)
  searches.stop()
  if (failed.length > 0) throw failed[0]
  if (sizeOf(index.store()) !== sizeBefore) throw new Error('stones were lost or doubled')

  console.log(
    `${Math.round(given / (FOLLOWING_MS / 1000))} changes a second, followed ` +
      `${(followed / given).toFixed(3)} of them when the time was over; ` +
      `${during.bases - 1} merges; at most ${during.deltaMax} rows in the delta`,
  )
  const line = (name: string, a: number, b: number, digits = 2) => [
    name,
    a.toFixed(digits),
    b.toFixed(digits),
    `${(b / a).toFixed(2)} x`,
  ]
  printTable(
    ['', 'quiet', 'following', 'ratio'],
    [
      line('search p50', quiet.search.p50, during.search.p50, 3),
      line('search p99', quiet.search.p99, during.search.p99, 3),
      line('search with its wait for the loop, p50', quiet.answer.p50, during.answer.p50),
      line('search with its wait for the loop, p99', quiet.answer.p99, during.answer.p99),
      line('longest wait for the loop', quiet.longestWait, during.longestWait, 0),
      line('memory of the process at most, MB', quiet.memory / 1e6, during.memory / 1e6, 0),
    ],
  )
  await index.stop()
  await database.close()
}

async function startIndex(database: Database) {
  const { startGemIndex } =
    await built<typeof import('../../src/gems/indexing/follower.ts')>('gems/indexing/follower')
  const { rows } = await database.pool.query<{ id: number }>(
    `select id from gem where product_type = 'diamond' and state = 'available' order by id`,
  )
  const { rows: clock } = await database.pool.query('select last from change_clock')
  const ids = rows.map(({ id }) => Number(id))
  const log: SteadyLog = steadyLog(Number(clock[0].last), ids)
  const failed: unknown[] = []
  const onError = (error: unknown) => failed.push(error)
  const index = startGemIndex({ database, name: 'diamond', now: Date.now, log, onError })
  while (index.sequence() === undefined) await pause(20)
  return { index, log, failed }
}

/** Searches at a steady pace, one query after the other, and watches what they find. */
async function startSearches(database: Database, index: GemIndex) {
  const { searchGems } =
    await built<typeof import('../../src/gems/search/search.ts')>('gems/search/search')
  const { DIAMOND_SEARCH } = await built<typeof import('../../src/gems/search/field-tables.ts')>(
    'gems/search/field-tables',
  )
  const rules = await rulesOf(database)
  const requests = Object.values(queriesWith(['1', '2']))
  let seen = nothingSeen()
  let due = performance.now() + SEARCH_EVERY_MS
  const search = () => {
    const began = performance.now()
    const store = index.store()
    const request = requests[seen.search.length % requests.length]
    searchGems(store, DIAMOND_SEARCH, request, rules, ['cut_code', 'type'])
    const ended = performance.now()
    seen.search.push(ended - began)
    seen.answer.push(ended - Math.min(due, began))
    seen.longestWait = Math.max(seen.longestWait, began - due)
    seen.deltaMax = Math.max(seen.deltaMax, store.delta.size)
    seen.memory = Math.max(seen.memory, process.memoryUsage.rss())
    if (!seen.knownBases.has(store.base)) seen.bases++
    seen.knownBases.add(store.base)
    due = performance.now() + SEARCH_EVERY_MS
    timer = setTimeout(search, SEARCH_EVERY_MS)
  }
  let timer = setTimeout(search, SEARCH_EVERY_MS)
  return {
    async over(work: () => Promise<unknown>) {
      seen = nothingSeen()
      await work()
      return { ...seen, search: timingOf(seen.search), answer: timingOf(seen.answer) }
    },
    stop: () => clearTimeout(timer),
  }
}

function nothingSeen() {
  return {
    search: [] as number[],
    answer: [] as number[],
    longestWait: 0,
    deltaMax: 0,
    memory: 0,
    bases: 0,
    /** Weak, because a base that is no longer used must be free to go. */
    knownBases: new WeakSet(),
  }
}

async function rulesOf(database: Database): Promise<PriceRules> {
  const { readPriceRules } = await built<typeof import('../../src/pricing/price-rules-cache.ts')>(
    'pricing/price-rules-cache',
  )
  const merchant = await database.db
    .selectFrom('merchant')
    .selectAll()
    .where('country_code', '=', 'US')
    .executeTakeFirstOrThrow()
  return readPriceRules(database.db, merchant)
}
