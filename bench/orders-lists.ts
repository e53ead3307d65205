import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../src/database/open.ts'
import {
  addSingles,
  type BenchMarket,
  openBenchMarket,
  percentile,
  place,
} from './orders/market.ts'
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
  await fill(market)
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

/** Places one real order and copies it many times, changing what distinguishes orders. */
async function fill(market: BenchMarket): Promise<void> {
  const { db } = market.database
  const [sku] = await addSingles(db, 1)
  const placed = await place(market, [{ sku, quantity: 1 }])
  const { uuid } = placed.json<{ uuid: string }>()
  await sql`
    insert into merchant (uuid, legal_dba, email, country_code)
    select gen_random_uuid(), 'Shop ' || n, 'shop-' || n || '@shop.example', 'US'
    from generate_series(2, ${MERCHANTS}) as n`.execute(db)
  const rows = `
    insert into orders select new.* from orders o
    cross join generate_series(1, ${ORDERS}) as n
    join (select uuid, legal_dba, row_number() over (order by created_on, uuid) - 1 as position
      from merchant) as m on m.position = n % ${MERCHANTS}
    cross join lateral jsonb_populate_record(o, jsonb_build_object(
      'uuid', gen_random_uuid(), 'merchant_uuid', m.uuid, 'merchant_legal_dba', m.legal_dba,
      'order_id', 'PO-' || n, 'total', 100 + (n * 7919) % 5000,
      'order_type', case when n % 5 = 0 then 'memo' else 'invoice' end,
      'memo_id', case when n % 5 = 0 then 'M-9' || n end,
      'memo_due_date', case when n % 5 = 0 then now() + make_interval(days => n % 90 - 60) end,
      -- Otherwise the server would remind of them meanwhile.
      'memo_reminder', case when n % 5 = 0 then 'overdue' end,
      'payment_status', case when n % 3 = 0 and n % 5 > 0 then 'paid' end,
      'invoiced_on',
      case when n % 2 = 0 and n % 5 > 0 then now() - make_interval(days => n % 150) end,
      'ordered_on', now() - make_interval(secs => n),
      'updated_on', now() - make_interval(secs => n),
      'words', array_to_tsvector(array['po-' || n, 'po', n::text, 'shop', m.legal_dba,
        's' || n, (1 + (n % 300) / 100.0)::numeric(5, 2)::text, 'bs-' || n, 'bs'])::text
    )) as new
    where o.uuid = '${uuid}'`
  await sql.raw(rows).execute(db)
  await sql`
    insert into order_line select new.* from order_line l, orders o
    cross join lateral jsonb_populate_record(l, jsonb_build_object(
      'uuid', gen_random_uuid(), 'order_uuid', o.uuid)) as new
    where l.order_uuid = ${uuid} and o.uuid <> ${uuid}`.execute(db)
  await fillLedger(db, uuid)
  await sql`vacuum analyze orders`.execute(db)
  await sql`vacuum analyze order_line`.execute(db)
}

/** An entry for every invoice, and a payment for those that are paid or paid in part. */
async function fillLedger(db: Db, original: string): Promise<void> {
  await sql`
    insert into ledger_entry (order_uuid, number, uuid, merchant_uuid, kind, amount, dated_on,
      made_by, created_on)
    select uuid, number, gen_random_uuid(), merchant_uuid, kind, amount, ordered_on::date, 'bench',
      ordered_on
    from orders cross join lateral (values (0, 'order', total),
      (1, 'payment', case when payment_status = 'paid' then -total else -50 end))
      as entry (number, kind, amount)
    where order_type = 'invoice' and uuid <> ${original}`.execute(db)
  await sql`vacuum analyze ledger_entry`.execute(db)
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
