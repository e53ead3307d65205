import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { openRequestPool } from '../../src/database/pools.ts'
import { addStone, type OrderMarket, openOrderMarket } from '../orders/order-support.ts'
import { type Line, openLine } from '../support/line.ts'
import { indexed } from '../support/stocked.ts'

/** A market whose connections to the database can be cut and frozen. */
let market: OrderMarket
let line: Line
/** The same database without the line. */
let direct: Database

beforeAll(async () => {
  let url = ''
  const reach = async (own: string) => {
    url = own
    line = await openLine(own)
    return line.url
  }
  // So that a statement waits three seconds and not nine.
  market = await openOrderMarket(
    { poolSizes: { imports: 2 } },
    { reach, statementTimeoutMs: 2_000, waitMs: 5_000 },
  )
  direct = openDatabase({ url })
  await indexed(market)
})
afterAll(async () => {
  line.restore()
  await market.close()
  await direct.close()
  await line.close()
})

const status = async (path: string) => (await market.call('GET', path)).status
const countOrders = async (sku: string) =>
  (await sql`select from order_line where sku = ${sku}`.execute(direct.db)).rows.length

/** Opens several connections, which are idle afterwards. */
async function fillPool(): Promise<void> {
  const { db } = market.database
  await Promise.all([1, 2, 3, 4].map(() => sql`select pg_sleep(0.1)`.execute(db)))
}

describe('connections that die without a word', () => {
  it('fail one order with 503 and Retry-After, and the next ones get new connections', async () => {
    const sku = await addStone(direct.db)
    const headers = { 'idempotency-key': 'silent' }
    const order = () => market.place([sku], { headers })
    await fillPool()
    line.freezeOpen()
    const refused = await order()
    expect([refused.status, refused.body.code]).toEqual([503, 'database_away'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await expect.poll(async () => (await order()).status, { timeout: 60_000 }).toBe(200)
    expect(await countOrders(sku)).toBe(1)
  })
})

describe('a database that is frozen', () => {
  it('refuses orders, answers searches, and takes orders again when it is back', async () => {
    const sku = await addStone(direct.db)
    const search = () =>
      market.call('POST', '/api/v3/diamonds/merchant_search', {
        token: market.buyer.key,
        body: { filters: { sku: [sku] } },
      })
    // Connections that died before may take some seconds to be given up.
    await expect.poll(async () => (await search()).body.gems.length).toBe(1)
    const before = await search()
    expect(before.status).toBe(200)
    const headers = { 'idempotency-key': 'frozen' }
    const order = () => market.place([sku], { headers })
    line.freeze()
    const refused = await order()
    expect(refused.status).toBe(503)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await search()).toMatchObject({ status: 200, body: before.body })
    expect(await status('/readyz')).toBe(200)
    expect(await status('/readyz/write')).toBe(503)
    line.restore()
    await expect.poll(async () => (await order()).status, { timeout: 60_000 }).toBe(200)
    expect(await countOrders(sku)).toBe(1)
    await expect.poll(() => status('/readyz/write'), { timeout: 60_000 }).toBe(200)
  })
})

describe('a server that has become read only', () => {
  it('refuses orders with 503, and its connections are not used again', async () => {
    const sku = await addStone(direct.db)
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
      direct.db,
    )
    // The setting holds for connections that are opened later.
    const admin = await direct.pool.connect()
    const alter = (setting: string) => admin.query(`alter database ${rows[0].name} ${setting}`)
    await alter('set default_transaction_read_only = on')
    line.cut()
    line.restore()
    const order = () => market.place([sku])
    const codes = async () => {
      const { status: code, body, headers } = await order()
      return [code, body.code, Number(headers['retry-after']) > 0]
    }
    await expect.poll(codes, { timeout: 60_000 }).toEqual([503, 'database_away', true])
    await expect.poll(() => status('/readyz/write'), { timeout: 60_000 }).toBe(503)
    await alter('reset default_transaction_read_only')
    admin.release()
    await expect.poll(async () => (await order()).status, { timeout: 60_000 }).toBe(200)
    await expect.poll(() => status('/readyz/write'), { timeout: 60_000 }).toBe(200)
  })
})

describe('a process that is frozen within a transaction', () => {
  it('loses its locks, so that the orders of other nodes go on', async () => {
    const sku = await addStone(direct.db)
    const frozen = openDatabase({ url: direct.url, poolMax: 1, idleInTransactionMs: 200 })
    const client = await frozen.pool.connect()
    await client.query('begin')
    await client.query('select from gem where sku = $1 for update', [sku])
    const order = async () => (await market.place([sku])).status
    await expect.poll(order, { timeout: 60_000 }).toBe(200)
    await expect(client.query('commit')).rejects.toThrow()
    client.release(true)
    await frozen.close()
  })

  it('is noticed on the connections of every pool', async () => {
    const { pools } = market.app.services
    for (const { db } of [pools.imports, pools.background, pools.following]) {
      const { rows } = await sql<{ ms: number }>`
        select setting::int as ms from pg_settings
        where name = 'idle_in_transaction_session_timeout'`.execute(db)
      expect(rows[0].ms).toBeGreaterThan(0)
      expect(rows[0].ms).toBeLessThanOrEqual(10_000)
    }
  })
})

describe('an order that is committed', () => {
  it('is answered although the index cannot follow', async () => {
    const sku = await addStone(direct.db)
    const { pool, load } = market.app.services.pools.following
    const taken = await Promise.all(Array.from({ length: load().max }, () => pool.connect()))
    try {
      const order = async () => (await market.place([sku])).status
      await expect.poll(order, { timeout: 60_000 }).toBe(200)
      expect(load().waiting).toBeGreaterThan(0)
    } finally {
      for (const client of taken) client.release()
    }
  })
})

describe('the sizes of the pools', () => {
  it('are settings', () => {
    const { pools } = market.app.services
    expect([pools.imports.load().max, pools.background.load().max]).toEqual([2, 3])
    const read = (env: Record<string, string>) => readConfig(env, '/nowhere').poolSizes
    expect(read({})).toEqual({ imports: 6, background: 3, following: 4 })
    expect(read({ DATABASE_FOLLOWING_CONNECTIONS: '2' }).following).toBe(2)
    const one = { DATABASE_IMPORT_CONNECTIONS: '1' }
    expect(() => read(one)).toThrow('DATABASE_IMPORT_CONNECTIONS is "1"; it must be 2 or more')
  })
})

describe('the connections of the requests', () => {
  it('wait less than ten seconds for a connection and for a statement', async () => {
    const requests = openRequestPool({ url: direct.url, connections: 1, onConnectionError() {} })
    const { rows } = await sql<{ ms: number }>`
      select setting::int as ms from pg_settings where name = 'statement_timeout'`.execute(
      requests.db,
    )
    expect(rows[0].ms).toBeGreaterThan(0)
    expect(rows[0].ms).toBeLessThan(9_000)
    expect(requests.pool.options).toMatchObject({ connectionTimeoutMillis: 8_000 })
    await requests.close()
  })
})
