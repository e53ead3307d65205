/**
 * Product queries over 50,000 variants, through the whole application (app.inject), compared with
 * the same queries in PostgreSQL alone.
 *
 *     npx tsx bench/catalogue.ts
 */

import { pino } from 'pino'
import { openDatabase } from '../src/database/open.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { fillDemoJewelry } from '../src/demo/jewelry/jewelry.ts'
import { buildApp } from '../src/http/app.ts'
import { NO_OVERLOAD_LIMITS } from '../src/http/overload/limits.ts'
import { allocateVariants } from '../src/jewelry/variant-stock.ts'
import { createMerchant } from '../src/merchants/merchant-store.ts'
import { createToken } from '../src/merchants/token-store.ts'
import { insertRate } from '../src/pricing/exchange-rates.ts'
import { withBenchDatabase } from './support/database.ts'
import { benchSecrets } from './support/secrets.ts'

const TIMES = 20
const ROUNDS = 60
const V = '/api/v3/product_variants/jewelry/query'
const J = '/api/v3/products/jewelry/query'
const P = '/api/v3/products/query'

const QUERIES: [name: string, path: string, body: object | null][] = [
  ['variants, newest', V, {}],
  [
    'variants, cheapest in JPY',
    V,
    { order_by: 'wholesale_price', order: 'asc', currency_code: 'JPY' },
  ],
  ['variants, last page', V, { offset: 30_000, limit: 50 }],
  [
    'variants, attributes',
    V,
    { filter_variant_options: { metal: ['18k white gold', 'platinum 950'], stone: 'sapphire' } },
  ],
  ['variants, one letter', V, { q: 's' }],
  ['variants, three words', V, { q: 'halo oval sapph' }],
  [
    'variants, price and media',
    V,
    { wholesale_price_min: 500, wholesale_price_max: 900, has_media: true },
  ],
  ['variants, 500 of them', V, { limit: 500 }],
  ['products, newest', P, {}],
  ['products, by title', P, { order_by: 'title', order: 'asc' }],
  ['products, text', P, { q: 'gold ring' }],
  [
    'jewelry, by category',
    J,
    { order_by: 'category', filter_variant_options: { jewelry_type: 'ring' } },
  ],
  ['jewelry, sold out too', J, { include_unavailable: true, delivery_days_max: 6 }],
  ['filters', '/api/v3/product_filters?product_type=jewelry', null],
]

const SQL: [name: string, query: string][] = [
  [
    'variants, newest',
    `select variant.* from ${from()} order by variant.created_on desc, variant.id limit 50`,
  ],
  ['variants, count', `select count(*) from ${from()}`],
  [
    'filters',
    `select key, value, count(*) from ${from()}, json_each_text(filter_variant_options)
     group by 1, 2`,
  ],
]

function from(): string {
  return `variant join product on product.id = product_id and type = 'jewelry' and quantity > 0
    and exists (select from catalogue_product join catalogue on uuid = catalogue_uuid
      where product_id = product.id and published and public) `
}

await withBenchDatabase(async (url) => {
  const database = openDatabase({ url, statementTimeoutMs: 0 })
  const { key, filled } = await fill(database.db)
  console.log(`${filled.products} products, ${filled.variants} variants`)
  await database.pool.query('analyze')
  const app = await buildApp({
    realm: 'live',
    database,
    publicUrl: 'http://bench.example',
    secrets: benchSecrets,
    rateLimitPerMinute: 0,
    overload: NO_OVERLOAD_LIMITS,
    log: pino({ level: 'silent' }),
  })
  await app.ready()
  const call = async (path: string, body: object | null) => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await app.inject(
      body ? { method: 'POST', url: path, headers, payload: body } : { url: path, headers },
    )
    if (response.statusCode !== 200) throw new Error(response.body)
    return response
  }
  const firstMs = await timed(() => call(V, {}))
  console.log(`first query, which loads the variants: ${firstMs.toFixed(0)} ms`)
  console.log('\nquery                          p50 ms  p95 ms  cpu ms  kB')
  for (const [name, path, body] of QUERIES) {
    const { length } = (await call(path, body)).rawPayload
    report(name, await sample(() => call(path, body)), (length / 1000).toFixed(0))
  }
  const sku = JSON.parse((await call(V, { limit: 1 })).body).variants[0].sku
  const change = () =>
    inTransaction(database.db, (tx) => allocateVariants(tx, [{ sku, quantity: 0 }]))
  report('variants, after a change', await sample(() => call(V, {}), change), '')
  console.log('\nthe same in PostgreSQL alone')
  for (const [name, query] of SQL) {
    report(name, await sample(() => database.pool.query(query)), '')
  }
  await app.close()
  await database.close()
})

function fill(db: Parameters<typeof inTransaction>[0]) {
  return inTransaction(db, async (tx) => {
    const merchant = await createMerchant(tx, {
      email: 'a@shop.example',
      legal_dba: 'Shop',
      country_code: 'US',
    })
    await insertRate(tx, 'JPY', '151.25')
    const request = { realm: 'live', type: 'api_key', merchant_uuid: merchant.uuid } as const
    const { token: key } = await createToken(tx, request)
    const options = { seed: 1, publicUrl: 'http://x', merchants: [merchant], times: TIMES }
    return { key, filled: await fillDemoJewelry(tx, options) }
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** `cpuMs` is this process's mean: it separates the work from waiting for a busy machine. */
interface Sample {
  times: number[]
  cpuMs: number
}

async function sample(
  work: () => Promise<unknown>,
  before: () => Promise<unknown> = async () => {},
): Promise<Sample> {
  const times: number[] = []
  let cpuMicroseconds = 0
  for (let round = 0; round < ROUNDS; round++) {
    await before()
    const start = process.cpuUsage()
    times.push(await timed(work))
    const { user, system } = process.cpuUsage(start)
    cpuMicroseconds += user + system
  }
  return { times: times.sort((a, b) => a - b), cpuMs: cpuMicroseconds / 1000 / ROUNDS }
}

function report(name: string, { times, cpuMs }: Sample, size: string): void {
  const at = (share: number) => times[Math.floor(times.length * share)].toFixed(2).padStart(7)
  const cpu = cpuMs.toFixed(2).padStart(7)
  console.log(`${name.padEnd(30)}${at(0.5)} ${at(0.95)} ${cpu}  ${size}`)
}
