import { sql } from 'kysely'
import { pino } from 'pino'
import type { Database, Db } from '../../src/database/open.ts'
import { findOrCreateSupplier } from '../../src/gems/supplier-store.ts'
import { NO_OVERLOAD_LIMITS } from '../../src/http/overload/limits.ts'
import type { App } from '../../src/http/route.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { createToken } from '../../src/merchants/token-store.ts'
import { built } from '../support/built.ts'
import { benchSecrets } from '../support/secrets.ts'

/** The compiled application on a bench database, with keys of one merchant and of the operator. */
export interface BenchMarket {
  app: App
  database: Database
  merchantUuid: string
  key: string
  adminKey: string
}

export async function openBenchMarket(url: string, poolMax = 10): Promise<BenchMarket> {
  const { openDatabase } = await built<typeof import('../../src/database/open.ts')>('database/open')
  const { buildApp } = await built<typeof import('../../src/http/app.ts')>('http/app')
  const database = openDatabase({ url, poolMax, statementTimeoutMs: 0, namesStatements: true })
  const app = await buildApp({
    realm: 'live',
    database,
    publicUrl: 'http://127.0.0.1',
    secrets: benchSecrets,
    rateLimitPerMinute: 0,
    overload: NO_OVERLOAD_LIMITS,
    log: pino({ level: 'silent' }),
  })
  await app.ready()
  const { db } = database
  const { uuid } = await createMerchant(db, {
    email: 'bench@shop.example',
    legal_dba: 'Bench Shop',
    country_code: 'US',
  })
  const { token: key } = await createToken(db, {
    realm: 'live',
    type: 'api_key',
    merchant_uuid: uuid,
  })
  const { token: adminKey } = await createToken(db, { realm: 'live', type: 'admin' })
  return { app, database, merchantUuid: uuid, key, adminKey }
}

/** Inserts parcels with enough stock for the whole bench, and returns their SKUs. */
export async function addParcels(db: Db, count: number, quantity: number): Promise<string[]> {
  const supplier = await db.transaction().execute((tx) => findOrCreateSupplier(tx, 'Bench Stones'))
  const { rows } = await sql<{ sku: string }>`
    insert into gem (sku, supplier_id, vendor_sku, product_type, type, shape, cut_code, weight,
      color, color_max, clarity, clarity_max, cost, wholesale_price, wholesale_price_us, quantity)
    select 'P' || lpad(n::text, 9, '0'), ${supplier.id}, 'BP-' || n, 'melee', 'mined', 'round',
      'brilliant_cut', 0.0025, 'F', 'D', 'VS1', 'VVS1', 500, 600, 650, ${quantity}
    from generate_series(1, ${count}) as n returning sku`.execute(db)
  return rows.map(({ sku }) => sku)
}

/** Inserts single stones and returns their SKUs. */
export async function addSingles(db: Db, count: number): Promise<string[]> {
  const supplier = await db.transaction().execute((tx) => findOrCreateSupplier(tx, 'Bench Stones'))
  const { rows } = await sql<{ sku: string }>`
    insert into gem (sku, supplier_id, vendor_sku, product_type, type, shape, cut_code, weight,
      color, clarity, cost, wholesale_price, wholesale_price_us)
    select 'S' || lpad(n::text, 9, '0'), ${supplier.id}, 'BS-' || n, 'diamond', 'mined', 'round',
      'brilliant_cut', 1 + (n % 100) / 100.0, 'F', 'VS1', 1500, 1600, 1700
    from generate_series(1, ${count}) as n returning sku`.execute(db)
  return rows.map(({ sku }) => sku)
}

export function place(market: BenchMarket, lines: { sku: string; quantity: number }[]) {
  return market.app.inject({
    method: 'POST',
    url: '/api/v2/orders/place',
    headers: { authorization: `Bearer ${market.key}` },
    payload: { order_type: 'invoice', line_items: lines },
  })
}

/** Keeps `clients` busy with the work until the time is up. */
export async function during(
  clients: number,
  durationMs: number,
  work: (client: number) => Promise<void>,
): Promise<{ perSecond: number; done: number }> {
  const startMs = performance.now()
  let done = 0
  const run = async (client: number) => {
    while (performance.now() - startMs < durationMs) {
      await work(client)
      done++
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)))
  return { perSecond: (done * 1000) / (performance.now() - startMs), done }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
