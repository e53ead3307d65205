import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestMarket, type TestMarket } from '../../support/market.ts'
import { stockStones } from '../../support/stocked.ts'
import { type Agent, buyOne, overHttp, stoneOf } from './mcp-support.ts'

/** What an agent does, with the SDK's own client over HTTP. */
let market: TestMarket
let address: string
let agent: Agent
let rings: { sku: string }[]

const FANCY = { color: 'YL', is_fancy: true, fancy_color_intensity: 'INT' } as const

beforeAll(async () => {
  market = await openTestMarket()
  rings = await stockStones(market, ...Array.from({ length: 12 }, (_, n) => stoneOf(n)))
  await stockStones(market, ...Array.from({ length: 10 }, (_, n) => stoneOf(20 + n, FANCY)))
  address = await market.app.listen({ port: 0, host: '127.0.0.1' })
  agent = await overHttp(address, (await market.merchant()).key)
})
afterAll(async () => {
  await agent.client.close()
  await market.close()
})

describe('an agent', () => {
  it('searches, compares, holds, rehearses, orders and reads its order', async () => {
    const sku = await buyOne(agent, 'AGENT-1')
    const again = await agent.call('place_order', {
      order_type: 'invoice',
      external_order_id: 'AGENT-2',
      line_items: [{ sku, quantity: 1 }],
    })
    expect(again).toMatchObject({ isError: true, body: { code: 'sku_unavailable' } })
    const [line] = again.body.substitutes
    expect(line.sku).toBe(sku)
    expect(line.stones.length).toBeGreaterThan(0)
  })

  it('pays at most 4 kB for ten stones, however long their values are', async () => {
    const everything = { filters: { is_fancy: true }, currency_code: 'USD' }
    const { merchant } = await market.merchant()
    const { token } = await market.token({ merchant_uuid: merchant.uuid })
    const other = await overHttp(address, token)
    const shown = await agent.call('search_diamonds', everything)
    for (const { sku } of shown.body.gems) await other.call('hold_stone', { sku })
    const found = await agent.call('search_diamonds', everything)
    expect(found.body.gems).toHaveLength(10)
    expect(found.body.gems[0]).toMatchObject({ on_hold: true, fancy_color_intensity: 'INT' })
    expect(found.bytes).toBeLessThanOrEqual(4_000)
    const skus = found.body.gems.map(({ sku }: { sku: string }) => sku)
    const compared = await agent.call('compare_stones', { skus })
    expect(compared.body.gems).toHaveLength(10)
    expect(compared.bytes).toBeLessThanOrEqual(4_000)
    await other.client.close()
  })

  it('reads one stone with everything that is known about it', async () => {
    const { sku } = rings[5]
    const { body } = await agent.call('get_stone', { sku })
    expect(body).toMatchObject({ sku, weight: 1.05, delivery_days_min: 3, can_hold: true })
    expect(body.console).toBe(`http://pavilion.test/stones/${sku}`)
    expect(Object.values(body)).not.toContain(null)
  })

  it('pages by cursor, and chooses other fields', async () => {
    const sort = { sort_col: 'weight', limit: 5, fields: ['sku', 'weight'] }
    const first = await agent.call('search_diamonds', sort)
    const { next_cursor: cursor } = first.body
    const second = await agent.call('search_diamonds', { ...sort, cursor })
    expect(Object.keys(second.body.gems[0])).toEqual(['sku', 'weight'])
    expect(second.body.gems[0].weight).toBeGreaterThan(first.body.gems.at(-1).weight)
  })

  it('counts what matches, in few bytes', async () => {
    const args = { limit: 1, include: ['facets'] }
    const { body } = await agent.call('search_diamonds', args)
    expect(body.facets.lab).toEqual({ GCAL: body.total })
    expect(body.facets.histograms.weight).toEqual({
      min: expect.any(Number),
      max: expect.any(Number),
    })
  })

  it('is told which filter to change when nothing matches', async () => {
    const impossible = { shape: ['round'], weight_min: 1, retail_price_max: 5 }
    const { body } = await agent.call('search_diamonds', { filters: impossible })
    expect(body).toMatchObject({ total: 0, gems: [] })
    expect(body.relaxations).toMatchObject([{ filter: 'retail_price_max' }])
  })

  it('gets a curated choice with its reasons', async () => {
    const wanted = { weight: 1, shape: 'round', types: ['lab grown'], explain: true }
    const { body } = await agent.call('curated_diamonds', wanted)
    expect(body.gems[0]).toMatchObject({ shape: 'round', match: { reasons: expect.any(Array) } })
    expect(body.gems[0].template).toMatch(/^DEFAULT /)
  })

  it('freezes a price, holds with it, and orders by it', async () => {
    const { sku } = rings[8]
    const line_items = [{ sku, quantity: 1 }]
    const quote = await agent.call('make_quote', { line_items, hold: true })
    expect(quote.body).toMatchObject({ status: 'open', line_items: [{ sku }] })
    const placed = await agent.call('place_order', {
      order_type: 'invoice',
      external_order_id: 'AGENT-QUOTE',
      line_items,
      quote_uuid: quote.body.uuid,
      confirm: true,
    })
    expect(placed.body).toMatchObject({ total: quote.body.total })
  })

  it('releases a hold by its uuid or by the SKU of its stone', async () => {
    const { sku } = rings[9]
    const hold = await agent.call('hold_stone', { sku })
    const { uuid } = hold.body
    expect((await agent.call('release_hold', { uuid })).body.released).toBe(uuid)
    await agent.call('hold_stone', { sku })
    expect((await agent.call('release_hold', { sku })).isError).toBe(false)
    expect(await agent.call('release_hold', { sku })).toMatchObject({
      isError: true,
      body: { code: 'not_found' },
    })
    expect((await agent.call('release_hold')).body.detail).toBe('uuid is required, or sku.')
  })

  it('searches coloured stones', async () => {
    const stone = { product_type: 'gemstone', species: 'sapphire', origin: 'Sri Lanka' } as const
    await stockStones(market, { ...stone, color: 'blue', clarity: null, weight: '2.10' })
    await expect
      .poll(async () => (await agent.call('search_gemstones')).body.gems)
      .toMatchObject([{ species: 'sapphire', origin: 'Sri Lanka', weight: 2.1 }])
  })
})
