import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { logChanges } from '../../src/events/change-log.ts'
import { buildApp } from '../../src/http/app.ts'
import type { App } from '../../src/http/route.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { indexed, stockStones } from '../support/stocked.ts'

const DIAMONDS = '/api/v3/diamonds/merchant_search'
const GEMSTONES = '/api/v3/gemstones/search'

let market: TestMarket
let second: App
let key: string

beforeAll(async () => {
  market = await openTestMarket()
  key = (await market.merchant()).key
  await stockStones(market, ...Array.from({ length: 60 }, (_, n) => diamond(n)))
  await stockStones(market, ...Array.from({ length: 9 }, (_, n) => sapphire(n)))
  second = await buildApp(market.deps)
  await second.ready()
  await indexed({ app: second })
})
afterAll(async () => {
  await second.close()
  await market.close()
})

/** Prices and colors repeat, so that ids decide between equal ones. */
function diamond(n: number) {
  const price = 1000 + 50 * (n % 12)
  return {
    color: 'DEFGH'[n % 5],
    weight: String(1 + (n % 7) / 10),
    cut_grade: n % 3 === 0 ? null : 'EX',
    wholesale_price: price,
    wholesale_price_us: price,
  }
}

function sapphire(n: number) {
  return { ...diamond(n), product_type: 'gemstone' as const, species: 'sapphire', color: 'blue' }
}

function search(body: object, path = DIAMONDS) {
  return market.call('POST', path, { token: key, body })
}

interface Page {
  gems: Record<string, unknown>[]
  total: number
  offset: number
  next_cursor: string | null
}

async function searchOn(node: App, body: object): Promise<Page> {
  const headers = { authorization: `Bearer ${key}` }
  const response = await node.inject({ method: 'POST', url: DIAMONDS, headers, payload: body })
  expect(response.statusCode).toBe(200)
  return response.json()
}

describe('a cursor', () => {
  it.each([DIAMONDS, GEMSTONES])(
    'leads through all pages of %s, the last without one',
    async (path) => {
      const body = { sort_col: 'weight', sort_order: 'desc', limit: 4 }
      const { body: whole } = await search({ ...body, limit: 100 }, path)
      expect(whole.next_cursor).toBe(null)
      const met: unknown[] = []
      let page = (await search(body, path)).body as Page
      for (;;) {
        expect(page.offset).toBe(met.length)
        expect(page.total).toBe(whole.total)
        met.push(...page.gems)
        if (page.next_cursor === null) break
        page = (await search({ ...body, cursor: page.next_cursor }, path)).body
      }
      expect(met).toEqual(whole.gems)
    },
  )

  it('continues behind a page that was read by its offset', async () => {
    const { body: first } = await search({ offset: 10, limit: 5 })
    const { body: next } = await search({ limit: 5, cursor: first.next_cursor })
    const { body: expected } = await search({ offset: 15, limit: 5 })
    expect(next).toEqual({ ...expected, offset: 15, next_cursor: next.next_cursor })
  })

  it('is null at the end, also when the last page is full or empty', async () => {
    const { body: all } = await search({ limit: 1000 })
    expect(all.next_cursor).toBe(null)
    expect((await search({ limit: all.total })).body.next_cursor).toBe(null)
    expect((await search({ offset: all.total - 5, limit: 5 })).body.next_cursor).toBe(null)
    expect((await search({ offset: all.total })).body).toMatchObject({
      gems: [],
      next_cursor: null,
    })
    expect((await search({ filters: { sku: ['none'] } })).body.next_cursor).toBe(null)
  })

  it('may be followed with another limit, other fields and values in another order', async () => {
    const filters = { color: ['D', 'E'], weight_min: 1 }
    const { body: first } = await search({ filters, limit: 3 })
    const { body: next } = await search({
      filters: { weight_min: 1, color: ['E', 'D'] },
      limit: 6,
      fields: ['sku'],
      cursor: first.next_cursor,
    })
    const { body: expected } = await search({ filters, offset: 3, limit: 6, fields: ['sku'] })
    expect(next.gems).toEqual(expected.gems)
  })

  it('is refused with another filter, sort, currency, merchant or kind of stone', async () => {
    const body = { filters: { color: ['D', 'E'] }, limit: 3 }
    const { next_cursor: cursor } = (await search(body)).body
    const others = [
      { ...body, filters: { color: ['D'] } },
      { ...body, filters: {} },
      { ...body, sort_col: 'weight' },
      { ...body, sort_order: 'desc' },
      { ...body, currency_code: 'EUR' },
    ]
    await sql`
      insert into exchange_rate (currency_code, rate) values ('EUR', 0.9)
      on conflict do nothing`.execute(market.database.db)
    const responses = await Promise.all(others.map((other) => search({ ...other, cursor })))
    const { key: stranger } = await market.merchant()
    responses.push(
      await market.call('POST', DIAMONDS, { token: stranger, body: { ...body, cursor } }),
      await search({ filters: { color: ['D', 'E'] }, limit: 3, cursor }, GEMSTONES),
    )
    for (const { status, body: problem } of responses) {
      expect(status).toBe(422)
      expect(problem.errors).toEqual([
        { field: 'cursor', message: expect.stringContaining('belongs to another search') },
      ])
    }
    expect((await search({ ...body, cursor, currency_code: 'USD' })).status).toBe(200)
  })

  it('is refused together with an offset, even 0', async () => {
    const { next_cursor: cursor } = (await search({ limit: 3 })).body
    const { status, body } = await search({ limit: 3, cursor, offset: 0 })
    expect(status).toBe(422)
    expect(body.errors).toEqual([
      { field: 'offset', message: expect.stringContaining('cannot be combined with cursor') },
    ])
  })

  it('is refused when any character of it was changed, or it is none', async () => {
    const { next_cursor: cursor } = (await search({ limit: 3 })).body as { next_cursor: string }
    const changed = Array.from(cursor, (character, i) => {
      const other = character === 'A' ? 'B' : 'A'
      return cursor.slice(0, i) + other + cursor.slice(i + 1)
    })
    const last = cursor.slice(0, -1)
    const similar = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('')
    const signed = (text: string) =>
      Buffer.from(hash('sha256', text, 'base64url').slice(0, 8) + text).toString('base64url')
    const wrong: unknown[] = [
      ...changed,
      ...similar.map((end) => last + end).filter((text) => text !== cursor),
      ...['', ' ', 'x', last, `${cursor}=`, `${cursor}A`, cursor.toUpperCase(), 'x'.repeat(301)],
      ...['no JSON', '{}', '[]', '[1,0.5,1,1,1,"x"]', '[2,5,1,1,1,"x"]', '[1,5,-1,1,1,"x"]'].map(
        signed,
      ),
      ...[null, 7, ['x'], {}],
    ]
    for (const text of wrong) {
      const { status, body } = await search({ limit: 3, cursor: text })
      expect([text, status]).toEqual([text, 422])
      expect(body.errors[0].field).toMatch(/^cursor/)
    }
  })

  it('is unknown to v2', async () => {
    const path = '/api/v2/diamonds/merchant_search'
    for (const body of [{ cursor: 'x' }, { fields: ['sku'] }]) {
      expect((await search(body, path)).status).toBe(422)
    }
    expect((await search({}, path)).body).not.toHaveProperty('next_cursor')
  })
})

describe('fields', () => {
  it.each([DIAMONDS, GEMSTONES])('are the only ones of each stone of %s', async (path) => {
    const fields = ['retail_price', 'sku', 'weight', 'sku']
    const { body: whole } = await search({ limit: 5 }, path)
    const { body } = await search({ limit: 5, fields }, path)
    expect(body.gems).toEqual(
      whole.gems.map(({ sku, weight, retail_price }: Record<string, unknown>) => ({
        sku,
        weight,
        retail_price,
      })),
    )
    expect({ ...body, gems: [] }).toEqual({ ...whole, gems: [] })
  })

  it('may be all that a stone has', async () => {
    const { body: whole } = await search({ limit: 2 })
    const { text } = await search({ limit: 2, fields: Object.keys(whole.gems[0]) })
    expect(JSON.parse(text)).toEqual(whole)
  })

  it('are refused when a name is unknown, with the nearest one', async () => {
    const { status, body } = await search({ fields: ['sku', 'retail_prise'] })
    expect(status).toBe(422)
    expect(body.errors[0].field).toBe('fields[1]')
    expect(body.errors[0].message).toContain('did you mean retail_price?')
    for (const fields of [[], 'sku', [1], ['species'], ['cost'], ['supplier_id'], ['__proto__']]) {
      expect((await search({ fields })).status).toBe(422)
    }
    expect((await search({ fields: ['species'] }, GEMSTONES)).body.gems[0]).toEqual({
      species: 'sapphire',
    })
  })
})

describe('pages by cursor from two nodes, while others buy, add and reprice', () => {
  const sorts = ['retail_price', 'weight', 'color', 'cut_grade', 'created_on', 'price_per_carat']

  it.each(sorts)('show by %s each stone once that was there all the time', async (sort_col) => {
    for (const sort_order of ['asc', 'desc']) {
      const sort = {
        sort_col,
        sort_order,
        fields: ['sku', sort_col === 'price_per_carat' ? 'id' : sort_col],
      }
      await indexed({ app: second })
      const { gems: before } = await searchOn(second, { ...sort, limit: 1000 })
      const touched = new Set<unknown>()
      const met: unknown[] = []
      let cursor: string | null | undefined
      for (let n = 0; cursor !== null; n++) {
        const node = n % 2 === 0 ? market.app : second
        const page = await searchOn(node, { ...sort, limit: 7, ...(cursor && { cursor }) })
        met.push(...page.gems.map(({ sku }) => sku))
        cursor = page.next_cursor
        for (const sku of await disturb(before.map((gem) => String(gem.sku)))) touched.add(sku)
      }
      const untouched = before.map(({ sku }) => sku).filter((sku) => !touched.has(sku))
      expect(met.filter((sku) => untouched.includes(sku))).toEqual(untouched)
      expect(untouched.length).toBeGreaterThan(20)
    }
  })

  it('show what the page before could have shown, on a node that is behind', async () => {
    const [fresh] = await stockStones(market, { ...diamond(0), weight: '9.5' })
    const body = { sort_col: 'weight', limit: 10 }
    const { next_cursor } = await searchOn(market.app, body)
    const rest = await searchOn(second, { ...body, limit: 1000, cursor: next_cursor })
    expect(rest.gems.at(-1)).toMatchObject({ sku: fresh.sku })
  })

  let state = 4711
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }

  /** One stone is sold, one repriced, one added; returns the SKUs. */
  async function disturb(skus: string[]): Promise<string[]> {
    const { db } = market.database
    const pick = () => skus[random(skus.length)]
    const [sold, repriced] = [pick(), pick()]
    const { key: buyer } = await market.merchant()
    await market.call('POST', '/api/v2/orders/place', {
      token: buyer,
      body: { order_type: 'invoice', line_items: [{ sku: sold, quantity: 1 }] },
    })
    await inTransaction(db, async (tx) => {
      const price = 900 + random(900)
      const { rows } = await sql<{ id: number; sku: string }>`
        update gem set wholesale_price = ${price}, wholesale_price_us = ${price}
        where sku = ${repriced} returning id, sku`.execute(tx)
      await logChanges(
        tx,
        rows.map(({ id, sku }) => ({ gem_id: id, sku, kind: 'price' as const })),
      )
    })
    const added = await stockStones(market, diamond(random(60)))
    return [sold, repriced, ...added.map(({ sku }) => sku)]
  }
})
