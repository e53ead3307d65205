import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/http/app.ts'
import { createSearchDays } from '../../src/http/console/search-days.ts'
import { addStone } from '../orders/order-support.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'

let market: TestMarket
let buyer: TestMerchant
beforeAll(async () => {
  market = await openTestMarket()
  buyer = await market.merchant()
  await addStone(market.database.db, { shape: 'oval' })
})
afterAll(() => market.close())

interface Counted {
  kind: string
  searches: number
  empty: number
}

/** What is stored of a day, of the present one unless given. */
async function saved(day?: string): Promise<Counted[]> {
  const isDay = day === undefined ? sql`(market_now() at time zone 'UTC')::date` : sql`${day}::date`
  const { rows } = await sql<Counted>`
    select kind, searches::int as searches, empty::int as empty from search_day
    where day = ${isDay} order by kind`.execute(market.database.db)
  return rows
}

async function search(path: string, body: object): Promise<void> {
  const { status, text } = await market.call('POST', path, { token: buyer.key, body })
  expect(status, text).toBe(200)
}

const V2 = '/api/v2/diamonds/merchant_search'
const V3 = '/api/v3/diamonds/merchant_search'

describe('searches by day', () => {
  it('count what was searched for, and what found nothing, in every kind of search', async () => {
    await expect.poll(async () => (await market.app.inject('/readyz')).statusCode).toBe(200)
    await market.app.services.catchUp()
    await search(V2, { filters: { shape: ['oval'] } })
    await search(V2, { filters: { shape: ['pear'] } })
    await search(V3, { filters: { shape: ['oval'] } })
    await search(V3, { filters: { shape: ['heart'] } })
    await search(V3, { filters: { shape: ['oval'] }, offset: 100 })
    await search('/api/v3/gemstones/search', {})
    const curated = { weight: '1.5', shape: 'heart', types: ['mined'] }
    await search('/api/v3/diamonds/get_diamonds_by_merchant_templates', curated)
    const { status, body } = await market.call('GET', '/api/operator/figures', {
      token: market.adminKey,
    })
    expect(status).toBe(200)
    expect(body.days.at(-1)).toMatchObject({ searches: 6, empty_searches: 4 })
    expect(body.totals).toMatchObject({ searches: 6, empty_searches: 4 })
    expect(await saved()).toEqual([
      { kind: 'curated', searches: 1, empty: 1 },
      { kind: 'diamond', searches: 4, empty: 2 },
      { kind: 'gemstone', searches: 1, empty: 1 },
    ])
  })

  it('are added up over nodes, and what could not be saved is saved later', async () => {
    const { db } = market.database
    const day = Date.parse('2026-01-31T23:59:59.999Z')
    const nodes = [createSearchDays({ now: () => day }), createSearchDays({ now: () => day })]
    for (const node of nodes) {
      node.count('diamond', 12)
      node.count('diamond', 0)
      node.count('curated', 0)
    }
    await sql`alter table search_day rename to away`.execute(db)
    await expect(nodes[0].save(db)).rejects.toThrow('search_day')
    await sql`alter table away rename to search_day`.execute(db)
    nodes[0].count('diamond', 0)
    await Promise.all(nodes.map((node) => node.save(db)))
    await Promise.all(nodes.map((node) => node.save(db)))
    expect(await saved('2026-01-31')).toEqual([
      { kind: 'curated', searches: 2, empty: 2 },
      { kind: 'diamond', searches: 5, empty: 3 },
    ])
  })

  it('are saved when a node stops', async () => {
    const node = await buildApp(market.deps)
    await node.ready()
    await expect.poll(async () => (await node.inject('/readyz')).statusCode).toBe(200)
    const [, before] = await saved()
    const answer = await node.inject({
      method: 'POST',
      url: V3,
      payload: { filters: { shape: ['marquise'] } },
      headers: { authorization: `Bearer ${buyer.key}` },
    })
    expect(answer.json()).toMatchObject({ total: 0 })
    await node.close()
    const [, after] = await saved()
    expect(after).toEqual({
      kind: 'diamond',
      searches: before.searches + 1,
      empty: before.empty + 1,
    })
  })
})
