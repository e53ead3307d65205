import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { createRecentPages } from '../../src/gems/search/recent-pages.ts'
import { replaceMargins } from '../../src/pricing/margin-store.ts'
import type { PriceRules } from '../../src/pricing/price-rules.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { indexed, stockStones } from '../support/stocked.ts'

const PATH = '/api/v3/diamonds/merchant_search'
const ORIGIN = 'https://shop.example'
let market: TestMarket
let shop: TestMerchant
let sku: string

beforeAll(async () => {
  market = await openTestMarket()
  shop = await market.merchant()
  const stones = await stockStones(market, ...Array.from({ length: 5 }, () => ({})))
  sku = stones[0].sku
})
afterAll(() => market.close())

const search = (token = shop.key, headers: Record<string, string> = {}) =>
  market.app.inject({
    method: 'POST',
    url: PATH,
    payload: { limit: 10 },
    headers: { authorization: `Bearer ${token}`, ...headers },
  })

/** Asked for often enough that the page is sent again. */
async function searchAgain(token?: string, headers?: Record<string, string>) {
  await search(token, headers)
  await search(token, headers)
  return search(token, headers)
}

interface Shown {
  sku: string
  on_hold: boolean
  retail_price: number
}

const shown = async () => {
  const { gems }: { gems: Shown[] } = (await searchAgain()).json()
  return gems.find((gem) => gem.sku === sku)
}

describe('a page that was sent before', () => {
  it('is sent again, and counts as a search', async () => {
    const first = await search()
    const again = await searchAgain()
    expect(again.statusCode).toBe(200)
    expect(again.rawPayload.equals(first.rawPayload)).toBe(true)
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  })

  it('is compressed for those who accept it, and not for the others', async () => {
    const plain = await searchAgain()
    const zipped = await searchAgain(undefined, { 'accept-encoding': 'gzip' })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(zipped.headers['content-length']).toBe(String(zipped.rawPayload.length))
    expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true)
    const { headers, rawPayload } = await search()
    expect(headers['content-encoding']).toBeUndefined()
    expect(rawPayload.equals(plain.rawPayload)).toBe(true)
  })

  it('shows what has changed since: holds, prices and new stones', async () => {
    const before = await shown()
    expect(before?.on_hold).toBe(false)
    const holds = '/api/v3/inventory/holds'
    const held = await market.call('POST', holds, { token: shop.key, body: { sku } })
    expect([held.status, (await shown())?.on_hold]).toEqual([201, true])
    const tiers = [{ min: 0, max: 100, mined_percent: 400, lab_percent: 400 }]
    const margins = { mode: 'weight', product_type: 'diamond', tiers } as const
    const { uuid } = shop.merchant
    await inTransaction(market.database.db, (tx) => replaceMargins(tx, uuid, margins))
    await indexed(market)
    await expect
      .poll(async () => (await shown())?.retail_price)
      .toBeGreaterThan(before?.retail_price ?? Number.NaN)
    await stockStones(market, {})
    expect((await searchAgain()).json().total).toBe(6)
  })

  it('shows merchants their own prices, and publishable keys nothing that they may not see', async () => {
    const other = await market.merchant()
    const { token } = await market.token({
      type: 'publishable',
      merchant_uuid: shop.merchant.uuid,
      origins: [ORIGIN],
    })
    const own = await searchAgain()
    const theirs = await searchAgain(other.key)
    expect(own.json().gems[0].wholesale_price).toBeGreaterThan(0)
    expect(theirs.json().gems[0].retail_price).not.toBe(own.json().gems[0].retail_price)
    for (const coding of ['identity', 'gzip']) {
      await searchAgain(undefined, { 'accept-encoding': coding })
      const window = await searchAgain(token, { origin: ORIGIN, 'accept-encoding': coding })
      expect((await searchAgain()).json().gems[0]).toHaveProperty('wholesale_price')
      const bytes = window.rawPayload
      const text = (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
      expect(JSON.parse(text).gems).toHaveLength(6)
      expect(text).not.toContain('wholesale_price')
    }
  })
})

describe('the pages that are kept', () => {
  const rules = {} as PriceRules
  const pageOf = (bytes: number) => ({
    bytes: Buffer.alloc(bytes),
    compressed: new Map(),
    total: 1,
  })

  it('are those that were asked for twice, from the same index and the same prices', () => {
    const store = { version: {} }
    const { version } = store
    const pages = createRecentPages(() => store)
    pages.keep('a', { rules, version }, pageOf(10))
    expect(pages.find('a', rules)).toBeUndefined()
    const page = pageOf(10)
    pages.keep('a', { rules, version }, page)
    expect(pages.find('a', rules)).toBe(page)
    expect(pages.find('a', { ...rules })).toBeUndefined()
    store.version = {}
    expect(pages.find('a', rules)).toBeUndefined()
  })

  it('take no more memory than they may, and the one that was used last stays', () => {
    const store = { version: {} }
    const pages = createRecentPages(() => store, 2_000)
    for (const key of ['a', 'b', 'a', 'b']) pages.keep(key, { rules, ...store }, pageOf(300))
    pages.find('a', rules)
    for (const _ of [1, 2]) pages.keep('c', { rules, ...store }, pageOf(300))
    const kept = ['a', 'b', 'c'].filter((key) => pages.find(key, rules))
    expect(kept).toEqual(['a', 'c'])
  })
})
