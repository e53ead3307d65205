/**
 * How fast search is, compared with PostgreSQL and with the most that Node can send, in one run on
 * the same data. DuckDB is compared, too, if it is installed:
 * `npm install --no-save @duckdb/node-api`.
 *
 *     npx tsx bench/search.ts [stones ...]   20,000, 200,000 and 1,000,000 unless given
 *     npx tsx bench/search.ts --json results.json [stones ...]   adds figures for bench/growth.ts
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '../src/database/open.ts'
import { createDemoMarket } from '../src/demo/market.ts'
import { INDEX_TABLES } from '../src/gems/indexing/columns.ts'
import { loadIndex } from '../src/gems/indexing/load.ts'
import { DIAMOND_SEARCH } from '../src/gems/search/field-tables.ts'
import { searchGems } from '../src/gems/search/search.ts'
import { bytesOf, newStore } from '../src/index/index.ts'
import { clearBitmapCache } from '../src/index/query/bitmap-cache.ts'
import type { Merchant } from '../src/merchants/merchant.ts'
import { readPriceRules } from '../src/pricing/price-rules-cache.ts'
import { benchDeepPages } from './search/deep-pages.ts'
import { openDuckdb } from './search/duckdb.ts'
import { benchHttp } from './search/http.ts'
import { benchNodes } from './search/nodes.ts'
import { preparePostgres, searchSql } from './search/postgres.ts'
import { queriesWith } from './search/queries.ts'
import { benchReplace } from './search/replace.ts'
import { addResult, type QueryTimes, readOnce } from './search/results.ts'
import { withBenchDatabase } from './support/database.ts'
import { measure, printTable } from './support/measure.ts'

const { values: options, positionals } = parseArgs({
  options: { json: { type: 'string' } },
  allowPositionals: true,
})
const sizes = positionals.map(Number)
console.log(`${cpus().length} cores, Node ${process.version}, times in milliseconds`)
for (const stones of sizes.length > 0 ? sizes : [20_000, 200_000, 1_000_000]) {
  await withBenchDatabase((url) => benchMarket(url, stones))
}

async function benchMarket(url: string, stones: number): Promise<void> {
  const database = openDatabase({ url, statementTimeoutMs: 0 })
  const options = { realm: 'live' as const, stones, seed: 1, publicUrl: 'http://bench.example' }
  const keys = await createDemoMarket(database, options)
  if (!keys) throw new Error('the database is not empty')
  await preparePostgres(database.pool)
  const merchant = await database.db
    .selectFrom('merchant')
    .selectAll()
    .where('country_code', '=', 'US')
    .executeTakeFirstOrThrow()
  await benchInProcess(database, merchant, stones)
  await benchNodes(database)
  await benchHttp(database, merchant, keys.merchantKey, await queries(database))
  await benchReplace(database, keys.merchantKey, await queries(database))
  await database.close()
}

/** With ten million stones, some queries take PostgreSQL half a minute. */
function runsOfPostgres(stones: number): number {
  if (stones > 5_000_000) return 1
  return stones > 500_000 ? 4 : 10
}

async function queries({ pool }: Database) {
  const { rows } = await pool.query(
    `select cert_num from gem where cert_num is not null and product_type = 'diamond'
     and state = 'available' and not is_fancy order by id limit 2`,
  )
  return queriesWith(rows.map((row) => row.cert_num as string))
}

async function benchInProcess(
  database: Database,
  merchant: Merchant,
  stones: number,
): Promise<void> {
  const startedAt = performance.now()
  const { segment } = await loadIndex(database, 'diamond', { inlineMax: 0, inBackground: false })
  const loadSeconds = (performance.now() - startedAt) / 1000
  const store = newStore(INDEX_TABLES.diamond.columns.spec, segment)
  const perStone = bytesOf(store) / segment.size
  console.log(
    `\n${stones} stones: loaded in ${loadSeconds.toFixed(1)} s, ` +
      `${perStone.toFixed(0)} bytes per stone`,
  )
  const rules = await readPriceRules(database.db, merchant)
  const duckdb = await openDuckdb(database.pool)
  const runs = runsOfPostgres(stones)
  const times: Record<string, QueryTimes> = {}
  const rows: string[][] = []
  for (const [name, request] of Object.entries(await queries(database))) {
    let total = 0
    const here = await measure(1_000, () => {
      total = searchGems(store, DIAMOND_SEARCH, request, rules, ['cut_code', 'type']).total
    })
    const first = await measure(300, () => {
      clearBitmapCache(store.workspace.bitmapCache)
      searchGems(store, DIAMOND_SEARCH, request, rules, ['cut_code', 'type'])
    })
    const { page, count } = searchSql(request, rules)
    const check = (side: string, counted: number) => {
      if (counted === total) return
      throw new Error(`${name}: the index finds ${total}, ${side} ${counted}`)
    }
    const there = await measure(runs, async () => {
      await database.pool.query(page)
      check('PostgreSQL', (await database.pool.query(count)).rows[0].count)
    })
    const aside =
      duckdb &&
      (await measure(runs, async () => {
        await duckdb.rows(page)
        check('DuckDB', Number((await duckdb.rows(count))[0].count))
      }))
    times[name] = { found: total, ...here, uncached: first.p50, postgres: there.p50 }
    const cells = [here.p50, here.p99, first.p50].map((ms) => ms.toFixed(3))
    rows.push([name, String(total), ...cells])
    for (const other of [there, aside]) {
      const compared = other && [other.p50.toFixed(1), `${Math.round(other.p50 / here.p50)} x`]
      rows[rows.length - 1].push(...(compared ?? ['-', '-']))
    }
  }
  duckdb?.close()
  const sides = ['PostgreSQL p50', 'ratio', 'DuckDB p50', 'ratio']
  printTable(['query', 'stones found', 'p50', 'p99', 'p50 uncached', ...sides], rows)
  if (options.json) {
    const columnMs = await readOnce(segment.size)
    addResult(options.json, { stones, loadSeconds, perStone, columnMs, times })
  }
  await benchDeepPages(store, rules)
}
