import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { buildApp } from '../../src/http/app.ts'
import { NO_OVERLOAD_LIMITS } from '../../src/http/overload/limits.ts'
import type { App } from '../../src/http/route.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { createToken } from '../../src/merchants/token-store.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { type Line, openLine } from '../support/line.ts'
import { testSecrets } from '../support/secrets.ts'
import { type Stone, stoneArbitrary } from './search-oracle.ts'
import { changeStone, stockStones } from './search-stock.ts'

let clone: ClonedDatabase
let line: Line
/** The same market over a connection that is not cut. */
let writers: Database
let database: Database
let app: App
let token: string
let stones: Stone[]

beforeAll(async () => {
  clone = await cloneDatabase()
  line = await openLine(clone.url)
  writers = openDatabase({ url: clone.url })
  stones = Array.from({ length: 20 }, (_, i) => ({
    ...fc.sample(stoneArbitrary(i + 1), { seed: 900 + i, numRuns: 1 })[0],
    is_fancy: false,
    color: 'D',
  }))
  await stockStones(writers.db, stones)
  const merchant = await createMerchant(writers.db, {
    email: 'steady@shop.example',
    legal_dba: 'Steady',
    country_code: 'US',
  })
  const key = { realm: 'live', type: 'api_key', merchant_uuid: merchant.uuid } as const
  token = (await createToken(writers.db, key)).token
  database = openDatabase({ url: line.url })
  app = await buildApp({
    realm: 'live',
    database,
    publicUrl: 'http://pavilion.test',
    secrets: testSecrets(),
    rateLimitPerMinute: 0,
    overload: NO_OVERLOAD_LIMITS,
    log: pino({ level: 'silent' }),
  })
  await app.ready()
  while (app.services.diamonds.index.sequence() === undefined) await sleep(20)
})

afterAll(async () => {
  await app.close()
  await database.close()
  await writers.close()
  await line.close()
  await clone.drop()
})

const search = (filters = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/v2/diamonds/merchant_search',
    payload: { filters },
    headers: { authorization: `Bearer ${token}` },
  })
const curate = () =>
  app.inject({
    method: 'POST',
    url: '/api/v2/diamonds/ai_search',
    payload: { weight: 1, shape: 'round', types: ['mined', 'lab grown'] },
    headers: { authorization: `Bearer ${token}` },
  })
const indexCheck = async () => (await app.inject('/readyz')).json().checks['diamond index']

describe('stones', () => {
  it('that change are rendered again before anybody asks for them', async () => {
    const { diamonds } = app.services
    const { id } = stones[7]
    const rendered = () => diamonds.stones.peek([id])?.[0].toString() ?? ''
    await expect.poll(rendered).not.toBe('')
    stones[7] = { ...stones[7], weight: '3.3125' }
    await changeStone(writers.db, stones[7])
    await expect.poll(rendered).toContain('"weight":3.3125')
  })
})

describe('search while the database is away', () => {
  it('continues from memory, reports what is stale, and recovers by itself', async () => {
    const before = await search()
    expect(before.statusCode).toBe(200)
    const curated = await curate()
    expect(curated.statusCode).toBe(200)
    const { stones: rendered } = app.services.diamonds
    const storedStones = () => rendered.storedSize().entries
    await expect.poll(storedStones).toBe(stones.length)
    line.cut()
    const during = await search()
    expect([during.statusCode, during.body]).toEqual([200, before.body])
    await expect.poll(indexCheck).toContain('stale')
    // A balancer keeps sending reads to a node that can answer them.
    expect((await app.inject('/readyz')).statusCode).toBe(200)
    expect((await app.inject('/readyz/write')).statusCode).toBe(503)
    const stale = await search()
    expect([stale.statusCode, stale.body]).toEqual([200, before.body])
    expect(stale.headers.warning).toBe('110 - "Response is Stale"')
    expect(Number(stale.headers.age)).toBeGreaterThan(0)

    const staleCurated = await curate()
    expect([staleCurated.statusCode, staleCurated.body]).toEqual([200, curated.body])
    expect(staleCurated.headers.warning).toBe('110 - "Response is Stale"')

    // A stone that has changed is shown as it was.
    rendered.forget(new Set(stones.map(({ id }) => id)))
    expect(rendered.peek([stones[3].id])).toBeUndefined()
    const former = await search()
    expect([former.statusCode, former.body]).toEqual([200, before.body])

    const unknown = { sku: [stones[3].sku] }
    rendered.remove([stones[3].id])
    const missing = await search(unknown)
    expect([missing.statusCode, missing.json().code]).toEqual([503, 'database_away'])
    expect(missing.headers['retry-after']).toBeDefined()

    stones[5] = { ...stones[5], weight: '2.1234' }
    await changeStone(writers.db, stones[5])
    line.restore()
    const heavy = { weight_min: 2.1234, weight_max: 2.1234 }
    await expect.poll(async () => (await search(heavy)).json().metadata.total_count).toBe(1)
    expect((await search(unknown)).statusCode).toBe(200)
    await expect.poll(indexCheck).toBe('ok')
    expect((await search()).headers.warning).toBeUndefined()
  })
})
