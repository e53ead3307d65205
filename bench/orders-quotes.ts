import { sql } from 'kysely'
import {
  addSingles,
  type BenchMarket,
  openBenchMarket,
  percentile,
  place,
} from './orders/market.ts'
import { withBenchDatabase } from './support/database.ts'

/**
 * Lists of quotes and of returns, with many of them of many merchants. Prints p50 and p99 of the
 * pages that merchants and the operator look at.
 *
 *     npx tsx bench/orders-quotes.ts [rows] [merchants] [calls]
 */
const ROWS = Number(process.argv[2] ?? 200_000)
const MERCHANTS = Number(process.argv[3] ?? 500)
const CALLS = Number(process.argv[4] ?? 40)

await withBenchDatabase(async (url) => {
  const market = await openBenchMarket(url)
  await fill(market)
  const { key, adminKey } = market
  const own = Math.floor(ROWS / MERCHANTS) - 50
  const reads: [name: string, key: string, path: string][] = [
    ['quotes, merchant', key, '/api/v3/quotes'],
    ['quotes, deep page', key, `/api/v3/quotes?offset=${own}`],
    ['quotes, merchant, open', key, '/api/v3/quotes?status=open'],
    ['quotes, operator', adminKey, '/api/operator/quotes'],
    ['quotes, to be answered', adminKey, '/api/operator/quotes?status=requested'],
    ['quotes, expired', adminKey, '/api/operator/quotes?status=expired'],
    ['returns, merchant', key, '/api/v3/returns'],
    ['returns, deep page', key, `/api/v3/returns?offset=${own}`],
    ['returns, operator', adminKey, '/api/operator/returns'],
    ['returns, to be decided', adminKey, '/api/operator/returns?status=requested'],
    ['returns, received', adminKey, '/api/operator/returns?status=received'],
  ]
  console.log(`${ROWS} quotes and ${ROWS} returns of ${MERCHANTS} merchants`)
  for (const [name, token, path] of reads) await measure(market, name, token, path)
  await market.app.close()
  await market.database.close()
})

async function measure(market: BenchMarket, name: string, key: string, path: string) {
  const times: number[] = []
  for (let call = 0; call < CALLS; call++) {
    const startMs = performance.now()
    const { statusCode, body } = await market.app.inject({
      url: path,
      headers: { authorization: `Bearer ${key}` },
    })
    if (statusCode !== 200) throw new Error(body)
    times.push(performance.now() - startMs)
  }
  const shown = [0.5, 0.99].map((part) => percentile(times, part).toFixed(1).padStart(7))
  console.log(`${name.padEnd(24)} p50 ${shown[0]} ms  p99 ${shown[1]} ms`)
}

/** One in a hundred waits for the operator; most quotes have expired, most returns are received. */
async function fill(market: BenchMarket): Promise<void> {
  const { db } = market.database
  const [sku] = await addSingles(db, 1)
  const placed = await place(market, [{ sku, quantity: 1 }])
  const order = placed.json<{ uuid: string; line_items: { uuid: string }[] }>()
  await sql`
    insert into merchant (uuid, legal_dba, email, country_code)
    select gen_random_uuid(), 'Shop ' || n, 'shop-' || n || '@shop.example', 'US'
    from generate_series(2, ${MERCHANTS}::int) as n`.execute(db)
  const numbered = sql`
    select gen_random_uuid() as uuid, n, m.uuid as merchant_uuid,
      now() - make_interval(mins => n) as made
    from generate_series(1, ${ROWS}::int) as n
    join (select uuid, row_number() over (order by created_on, uuid) - 1 as position
      from merchant) as m on m.position = n % ${MERCHANTS}::int`
  await sql`
    insert into quote (uuid, merchant_uuid, status, currency_code, exchange_rate, hold, created_on,
      updated_on, expires_on)
    select uuid, merchant_uuid,
      case when n % 100 = 0 then 'requested' when n % 7 = 0 then 'declined' else 'open' end,
      'USD', 1, false, made, made, made + interval '1 day'
    from (${numbered}) as new`.execute(db)
  await sql`
    insert into quote_line (quote_uuid, position, sku, quantity, name, description, product_type,
      melee, price, wholesale_price, market_price, retail_price, terms)
    select uuid, position, 'SKU' || position, 1, 'Gem', 'A stone', 'gem', false, 1700, 1700, 1700,
      2300, '{}'
    from quote, generate_series(0, 1) as position`.execute(db)
  await sql`
    insert into order_return (uuid, order_uuid, merchant_uuid, status, reason, created_on,
      updated_on)
    select uuid, ${order.uuid}::uuid, merchant_uuid,
      case when n % 100 = 0 then 'requested' else 'received' end, 'too small', made, made
    from (${numbered}) as new`.execute(db)
  await sql`
    insert into order_return_line (return_uuid, line_uuid, quantity)
    select uuid, ${order.line_items[0].uuid}::uuid, 1 from order_return`.execute(db)
  for (const table of ['quote', 'quote_line', 'order_return', 'order_return_line'] as const) {
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
  }
}
