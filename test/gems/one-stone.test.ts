import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type OfferMarket, openOfferMarket } from '../offers/offer-support.ts'
import { stockStones } from '../support/stocked.ts'

let market: OfferMarket
beforeAll(async () => {
  market = await openOfferMarket()
})
afterAll(() => market.close())

const read = (token: string, sku: string, query = '') =>
  market.call('GET', `/api/v3/inventory/gems/${sku}${query}`, { token })

describe('GET /api/v3/inventory/gems/{sku}', () => {
  let sku: string
  beforeEach(async () => {
    const stones = await stockStones(market, { wholesale_price: 1100, wholesale_price_us: 1200 })
    sku = stones[0].sku
  })

  it('returns the stone as a search shows it', async () => {
    for (const { key } of [market.us, market.german]) {
      const { status, body } = await read(key, sku)
      expect(status).toBe(200)
      const { price_history, ...stone } = body
      const search = { filters: { sku: [sku] } }
      const { body: page } = await market.post('/api/v3/diamonds/merchant_search', key, search)
      expect(page.gems).toEqual([stone])
      const { wholesale_price, retail_price } = stone
      expect(price_history).toEqual([
        { changed_on: expect.any(String), wholesale_price, retail_price },
      ])
    }
  })

  it('returns a gemstone with its species, origin and treatment, at gemstone margins', async () => {
    const [{ sku: ruby }] = await stockStones(market, {
      product_type: 'gemstone',
      species: 'ruby',
      origin: 'Burma',
      treatment: 'heated',
      color: 'red',
    })
    const { key, merchant } = market.us
    await sql`
      insert into profit_margin (uuid, merchant_uuid, product_type, weight_or_price, weight_min,
        weight_max, price_min, price_max, mined_percent, lab_percent)
      values (gen_random_uuid(), ${merchant.uuid}, 'gemstone', 'weight', 0, 100, 0, 0, 77, 77)`.execute(
      market.database.db,
    )
    const { price_history, ...stone } = (await read(key, ruby)).body
    const search = { filters: { sku: [ruby] } }
    const { body: page } = await market.post('/api/v3/gemstones/search', key, search)
    expect(page.gems).toEqual([stone])
    expect(stone).toMatchObject({ species: 'ruby', origin: 'Burma', treatment: 'heated' })
    expect(stone.retail_price).toBe(2124)
    expect(price_history[0].retail_price).toBe(2124)
  })

  it('shows what the stone cost before, newest first, at the present margins', async () => {
    const { key } = market.german
    for (const [price, us] of [
      [1000, 1200],
      [1000, 1300],
      [950.5, 1300],
    ]) {
      await setPrices(price, us)
    }
    const { price_history, wholesale_price } = (await read(key, sku)).body
    const prices = price_history.map((price: { wholesale_price: number }) => price.wholesale_price)
    expect(wholesale_price).toBe(950.5)
    expect(prices).toEqual([950.5, 1000, 1100])
    const dates = price_history.map(({ changed_on }: { changed_on: string }) => changed_on)
    expect(dates.toSorted().toReversed()).toEqual(dates)
    expect(dates[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
    const margin = price_history[0].retail_price / 950.5
    expect(price_history[2].retail_price).toBeCloseTo(1100 * margin, 1)

    const us = (await read(market.us.key, sku)).body.price_history
    expect(us.map((price: { wholesale_price: number }) => price.wholesale_price)).toEqual([
      1300, 1200,
    ])
  })

  it('shows a hundred prices at most', async () => {
    for (let price = 1; price <= 120; price++) await setPrices(price, price)
    const { price_history } = (await read(market.us.key, sku)).body
    expect(price_history).toHaveLength(100)
    expect(price_history[0].wholesale_price).toBe(120)
    expect(price_history[99].wholesale_price).toBe(21)
  })

  it('takes a currency', async () => {
    await sql`
      insert into exchange_rate (currency_code, rate) values ('EUR', 0.5)
      on conflict do nothing`.execute(market.database.db)
    await setPrices(1100, 2000)
    const { body } = await read(market.us.key, sku, '?currency_code=EUR')
    expect(body).toMatchObject({ currency_code: 'EUR', wholesale_price: 1000 })
    expect(body.price_history.map((p: { wholesale_price: number }) => p.wholesale_price)).toEqual([
      1000, 600,
    ])
    // XXX has the form of a currency, but there is no rate for it.
    for (const currency of ['eur', 'XXX', '']) {
      expect((await read(market.us.key, sku, `?currency_code=${currency}`)).status).toBe(422)
    }
  })

  it('says that a stone is held, by any of its offers', async () => {
    expect((await market.hold(market.german.key, sku)).status).toBe(201)
    expect((await read(market.us.key, sku)).body.on_hold).toBe(true)
  })

  it('is 404 for a stone that is unknown, sold, on memo, gone or disabled', async () => {
    const { key } = market.us
    expect((await read(key, 'D-NONE')).status).toBe(404)
    expect((await read(key, `${sku}%20`)).status).toBe(404)
    expect((await read(key, sku.toLowerCase())).status).toBe(404)
    const { db } = market.database
    for (const [state, mover] of [
      ['sold', 'order'],
      ['memo', 'order'],
      ['gone', 'feed'],
      ['disabled', 'operator'],
    ]) {
      const [stone] = await stockStones(market, {})
      expect((await read(key, stone.sku)).status).toBe(200)
      await sql`
        update gem set state = ${state}, mover = ${mover},
          quantity = case when ${mover} = 'order' then 0 else 1 end
        where id = ${stone.id}`.execute(db)
      const { status, body } = await read(key, stone.sku)
      expect([state, status, body.code]).toEqual([state, 404, 'not_found'])
    }
    expect((await market.order(key, [sku])).status).toBe(200)
    expect((await read(key, sku)).status).toBe(404)
  })

  it('is 404 for a treated diamond, unless it is asked for', async () => {
    const { key } = market.us
    const [drilled] = await stockStones(market, { treatment: 'laser drilled' })
    expect((await read(key, drilled.sku)).status).toBe(404)
    expect((await read(key, drilled.sku, '?include_treated=false')).status).toBe(404)
    const { status, body } = await read(key, drilled.sku, '?include_treated=true')
    expect([status, body.sku]).toEqual([200, drilled.sku])
    expect((await read(key, sku, '?include_treated=true')).status).toBe(200)
  })

  it('was updated when the caller began to see this offer of it, as a search says', async () => {
    await market.list('Third Gems', [{ stock: 'C1', certificate: '2202', perCarat: 800 }])
    await market.list('Fourth Gems', [{ stock: 'D1', certificate: '2202', perCarat: 900 }])
    await market.list('Third Gems', [{ stock: 'C1', certificate: '2202', perCarat: 950 }])
    const { key } = market.us
    const shown = await market.skuOf('Fourth Gems', 'D1')
    const { price_history: _, ...stone } = (await read(key, shown)).body
    const search = { filters: { sku: [shown] } }
    const { body: page } = await market.post('/api/v3/diamonds/merchant_search', key, search)
    expect(page.gems).toEqual([stone])
  })

  it('is 404 for an offer that does not lead in the list of the caller', async () => {
    await market.list('First Gems', [{ stock: 'A1', certificate: '2201', perCarat: 900 }])
    await market.list('Second Gems', [{ stock: 'B1', certificate: '2201', perCarat: 800 }])
    const dearer = await market.skuOf('First Gems', 'A1')
    const cheaper = await market.skuOf('Second Gems', 'B1')
    const { key } = market.us
    expect((await read(key, cheaper)).status).toBe(200)
    expect((await read(key, dearer)).status).toBe(404)
    expect((await market.hold(key, dearer)).status).toBe(201)
    expect((await read(key, cheaper)).body.on_hold).toBe(true)
    await market.list('Second Gems', [{ stock: 'B1', certificate: '2201', perCarat: 950 }])
    expect((await read(key, cheaper)).status).toBe(404)
    const { body } = await read(key, dearer)
    expect(body.price_history).toHaveLength(1)
  })

  async function setPrices(price: number, us: number): Promise<void> {
    await sql`
      update gem set wholesale_price = ${price}, wholesale_price_us = ${us}
      where sku = ${sku}`.execute(market.database.db)
  }
})
