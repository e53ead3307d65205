import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../src/database/open.ts'
import { fillWithOrders } from './orders/many-orders.ts'
import { type BenchMarket, openBenchMarket, percentile } from './orders/market.ts'
import { withBenchDatabase } from './support/database.ts'

/**
 * Order lists with many orders of many merchants: first page, deep page and text search, for one
 * merchant and for the operator, and what a merchant owes and has on memo. Prints p50 and p99, and
 * reports any sequential scan of the orders table. Then runs the same text searches with trigrams,
 * the alternative that we did not choose.
 *
 *     npx tsx bench/orders-lists.ts [orders] [merchants] [calls]
 */
const ORDERS = Number(process.argv[2] ?? 200_000)
const MERCHANTS = Number(process.argv[3] ?? 500)
const CALLS = Number(process.argv[4] ?? 40)

await withBenchDatabase(async (url) => {
  const market = await openBenchMarket(url)
  const { db } = market.database
  await fillWithOrders(market, ORDERS, MERCHANTS)
  const [{ uuid, order_id }] = (
    await sql<{ uuid: string; order_id: string }>`
      select uuid, order_id from orders where merchant_uuid = ${market.merchantUuid}
      order by ordered_on desc limit 1`.execute(db)
  ).rows
  console.log(`${ORDERS} orders of ${MERCHANTS} merchants, searching ${order_id} (${uuid})`)
  const own = Math.floor(ORDERS / MERCHANTS)
  const merchantPath = `/api/operator/merchants/${market.merchantUuid}`
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  const reads: [name: string, key: string, path: string][] = [
    ['merchant, account', market.key, '/api/v3/account'],
    ['merchant, memos', market.key, '/api/v3/memos'],
    ['merchant, changed', market.key, `/api/v3/orders/list?updated_since=${yesterday}`],
    ['merchant, one order', market.key, `/api/v3/orders/${uuid}`],
    ['admin, account', market.adminKey, `${merchantPath}/account`],
    ['admin, ledger', market.adminKey, `${merchantPath}/ledger`],
    ['admin, ledger deep', market.adminKey, `${merchantPath}/ledger?offset=${own}`],
    ['admin, payments', market.adminKey, `${merchantPath}/ledger?kind=payment`],
    ['admin, whole orders', market.adminKey, '/api/operator/orders'],
    ['merchant, first page', market.key, '/api/v3/orders/list?sort_order=desc'],
    ['merchant, deep page', market.key, `/api/v3/orders/list?offset=${own - 100}`],
    ['merchant, whole orders', market.key, '/api/v2/orders/list'],
    ['merchant, text', market.key, `/api/v3/orders/search?q=${order_id}`],
    ['merchant, prefix', market.key, '/api/v3/orders/search?q=1.5'],
    ['admin, first page', market.adminKey, '/api/v3/orders/list?sort_order=desc'],
    ['admin, deep page', market.adminKey, `/api/v3/orders/list?offset=${ORDERS - 100}`],
    ['admin, by total', market.adminKey, '/api/v3/orders/list?sort_col=total'],
    ['admin, by merchant', market.adminKey, '/api/v3/orders/list?sort_col=merchant_legal_dba'],
    [
      'admin, unpaid memos',
      market.adminKey,
      '/api/v3/orders/list?order_type=memo&payment_status=unpaid',
    ],
    ['admin, text', market.adminKey, `/api/v3/orders/search?q=${order_id}`],
    ['admin, vendor code', market.adminKey, '/api/v3/orders/search?q=bs-1'],
    ['admin, common prefix', market.adminKey, '/api/v3/orders/search?q=shop'],
  ]
  for (const [name, key, path] of reads) await measure(market, name, key, path)
  await compareTrigrams(db, order_id)
  await market.app.close()
  await market.database.close()
})

async function measure(market: BenchMarket, name: string, key: string, path: string) {
  const times: number[] = []
  const scans = await sequentialScans(market, async () => {
    for (let call = 0; call < CALLS; call++) {
      const startMs = performance.now()
      const { statusCode, body } = await market.app.inject({
        url: path,
        headers: { authorization: `Bearer ${key}` },
      })
      if (statusCode !== 200) throw new Error(body)
      times.push(performance.now() - startMs)
    }
  })
  console.log(
    `${name.padEnd(24)} p50 ${percentile(times, 0.5).toFixed(1).padStart(7)} ms  ` +
      `p99 ${percentile(times, 0.99).toFixed(1).padStart(7)} ms` +
      `${scans > 0 ? `  SEQUENTIAL SCANS: ${scans}` : ''}`,
  )
}

/** Counted by PostgreSQL itself, in its statistics of the table. */
async function sequentialScans(market: BenchMarket, work: () => Promise<void>): Promise<number> {
  const count = async () => {
    // Statistics are published with a delay, unless the connection is told to flush them.
    await sql`select pg_stat_force_next_flush()`.execute(market.database.db)
    const { rows } = await sql<{ scans: number }>`
      select seq_scan as scans from pg_stat_user_tables where relname = 'orders'`.execute(
      market.database.db,
    )
    return rows[0].scans
  }
  const before = await count()
  await work()
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  return (await count()) - before
}

/** Searches the words of an order as one text with a trigram index. */
async function compareTrigrams(db: Db, orderId: string): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)
  await sql`
    create table trigram as
    select uuid, ' ' || array_to_string(tsvector_to_array(words), ' ') as text
    from orders`.execute(db)
  await sql`create index on trigram using gin (text gin_trgm_ops)`.execute(db)
  await sql`vacuum analyze trigram`.execute(db)
  const sizes = await sql<{ words: string; trigrams: string }>`
    select pg_size_pretty(pg_relation_size('orders_words')) as words,
      pg_size_pretty(pg_relation_size('trigram_text_idx')) as trigrams`.execute(db)
  console.log(`index of words ${sizes.rows[0].words}, of trigrams ${sizes.rows[0].trigrams}`)
  for (const word of [orderId.toLowerCase(), 'bs-1', '1.5', randomUUID().slice(0, 8)]) {
    const words = await timed(() =>
      sql`select count(*) from orders where words @@ ${`'${word}':*`}::tsquery`.execute(db),
    )
    const trigrams = await timed(() =>
      sql`select count(*) from trigram where text like ${`% ${word}%`}`.execute(db),
    )
    console.log(
      `count of ${word.padEnd(16)} words ${words.toFixed(2)} ms, ` +
        `trigrams ${trigrams.toFixed(2)} ms`,
    )
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let call = 0; call < 15; call++) {
    const startMs = performance.now()
    await work()
    times.push(performance.now() - startMs)
  }
  return percentile(times, 0.5)
}
