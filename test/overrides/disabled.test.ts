import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { indexed } from '../support/stocked.ts'
import { insertStone } from '../support/stones.ts'
import { type HandMarket, openHandMarket, pathOf } from './support.ts'

let market: HandMarket
beforeAll(async () => {
  market = await openHandMarket()
})
afterAll(() => market.close())

let stones = 0

/** A certified stone, listed by one supplier for each price. */
async function listed(...prices: number[]) {
  const certificate = String(7_700_000_000 + ++stones)
  const skus: string[] = []
  for (const [at, perCarat] of prices.entries()) {
    const supplier = `Off ${stones} ${at}`
    await market.list(supplier, [{ stock: 'O-1', certificate, perCarat }])
    skus.push(await market.skuOf(supplier, 'O-1'))
  }
  const found = async () => Object.keys(await market.found(market.german.key, [certificate]))
  return { certificate, skus, found }
}

const call = (method: string, path: string, body?: unknown) =>
  market.call(method, path, { token: market.adminKey, ...(body !== undefined && { body }) })

describe('a disabled stone', () => {
  it('is neither found, held nor sold, and followers hear that it is gone and back', async () => {
    const { skus, found } = await listed(5000)
    const [sku] = skus
    const { sequence } = await market.snapshot(market.german.key)
    expect(await market.set(sku, { enabled: false, note: 'Chip at the girdle' })).toMatchObject({
      enabled: false,
      state: 'disabled',
      is_manual: true,
      overrides: { enabled: false },
    })
    expect(await found()).toEqual([])
    const order = await market.order(market.german.key, [sku])
    expect([order.status, order.body.code]).toEqual([409, 'sku_unavailable'])
    const backorder = await market.order(market.adminKey, [sku], {
      merchant_uuid: market.german.merchant.uuid,
      allow_unavailable: true,
    })
    expect(backorder.body.code).toBe('sku_unavailable')
    expect((await market.hold(market.german.key, sku)).body.code).toBe('sku_unavailable')
    const back = await market.set(sku, { enabled: null })
    expect(back).toMatchObject({ enabled: true, state: 'available', is_manual: false })
    expect(await found()).toEqual([sku])
    const { changes } = await market.changes(market.german.key, sequence)
    expect(changes.map(({ kind }) => kind)).toEqual(['gone', 'back'])
  })

  it('stays disabled whatever its feed does, and is gone when it is enabled after that', async () => {
    const supplier = 'Off and gone'
    const rows = [
      { stock: 'A', perCarat: 5000 },
      { stock: 'B', perCarat: 5100 },
    ]
    await market.list(supplier, rows)
    const sku = await market.skuOf(supplier, 'A')
    await market.set(sku, { enabled: false })
    await market.list(supplier, [{ stock: 'A', perCarat: 5200 }, rows[1]])
    expect(await market.show(sku)).toMatchObject({ state: 'disabled', wholesale_price: 5252 })
    const removal = await market.list(supplier, [rows[1]])
    expect(await market.show(sku)).toMatchObject({ state: 'disabled', quantity: 0 })
    await call('POST', `/api/operator/imports/${removal}/undo`)
    expect(await market.show(sku)).toMatchObject({ state: 'disabled', quantity: 1 })
    await market.list(supplier, [rows[1]])
    expect(await market.set(sku, { enabled: true })).toMatchObject({ state: 'gone', enabled: true })
    await market.list(supplier, rows)
    expect(await market.show(sku)).toMatchObject({ state: 'available', quantity: 1 })
  })

  it('gives the lead to the next offer of the stone, and takes it again', async () => {
    const { skus, found } = await listed(5000, 5200)
    const [cheap, dear] = skus
    const { sequence } = await market.snapshot(market.german.key)
    expect(await found()).toEqual([cheap])
    const { offers } = await market.set(cheap, { enabled: false })
    expect(offers).toMatchObject([
      { sku: cheap, state: 'disabled', leads: false },
      { sku: dear, state: 'available', leads: true, leads_us: true },
    ])
    expect(await found()).toEqual([dear])
    expect((await market.order(market.german.key, [cheap])).body.code).toBe('sku_unavailable')
    await market.set(cheap, { enabled: true })
    expect(await found()).toEqual([cheap])
    await market.set(cheap, { wholesale_price: 6000 })
    expect(await found()).toEqual([dear])
    const { changes } = await market.changes(market.german.key, sequence)
    expect(changes.map(({ kind, sku }) => `${kind} ${sku}`)).toEqual([
      `gone ${cheap}`,
      `new ${dear}`,
      `back ${cheap}`,
      `gone ${dear}`,
      `gone ${cheap}`,
      `back ${dear}`,
    ])
  })

  it('loses its hold, and the holder hears of it', async () => {
    const { skus } = await listed(5000)
    await market.hold(market.german.key, skus[0])
    const { hold, state } = await market.set(skus[0], { enabled: false })
    expect([hold, state]).toEqual([null, 'disabled'])
    const { body } = await market.call('GET', '/api/v3/inventory/holds', {
      token: market.german.key,
    })
    expect(body.holds.map(({ sku }: { sku: string }) => sku)).not.toContain(skus[0])
  })

  it('that is sold stays sold for its order, and is not on sale when the order is cancelled', async () => {
    const { skus, found } = await listed(5000)
    const [sku] = skus
    const order = await market.order(market.german.key, [sku])
    expect(await market.set(sku, { enabled: false })).toMatchObject({
      state: 'sold',
      enabled: false,
    })
    const kept = await market.call('GET', `/api/v3/orders/list`, { token: market.german.key })
    expect(JSON.stringify(kept.body)).toContain(order.body.uuid)
    await call('POST', `/api/operator/orders/${order.body.uuid}/cancel`, {})
    expect(await market.show(sku)).toMatchObject({ state: 'disabled', quantity: 1 })
    expect(await found()).toEqual([])
    await market.set(sku, { enabled: null })
    expect(await found()).toEqual([sku])
  })

  it('is either sold or disabled when both happen at once', async () => {
    for (let round = 0; round < 10; round++) {
      const { skus, found } = await listed(5000)
      const [sku] = skus
      const [order] = await Promise.all([
        market.order(market.german.key, [sku]),
        market.set(sku, { enabled: false }),
      ])
      const { state } = await market.show(sku)
      expect([order.status, state]).toEqual(
        order.status === 200 ? [200, 'sold'] : [409, 'disabled'],
      )
      expect(await found()).toEqual([])
    }
  })
})

describe('a decision to keep one offer', () => {
  it('disables the others as the operator would, and enabling one of them counts', async () => {
    const { certificate, skus, found } = await listed(5000, 5200)
    const path = `/api/operator/inventory/conflicts/GIA/${certificate}/decide`
    await call('POST', path, { decision: 'keep', sku: skus[1] })
    const other = await market.show(skus[0])
    expect(other).toMatchObject({ state: 'disabled', overrides: { enabled: false } })
    expect(other.history).toMatchObject([{ action: 'conflict.decide' }, { action: 'gem.list' }])
    await market.set(skus[0], { enabled: null })
    expect(await found()).toEqual([skus[0]])
    await call('POST', path, { decision: 'apart' })
    const [newest] = (await market.show(skus[1])).history as { changes: unknown }[]
    expect(newest.changes).toEqual({ apart: { from: false, to: true } })
  })
})

describe('DELETE /api/operator/inventory/gems/{sku}/hold', () => {
  it("ends any merchant's hold by any offer of the stone, and tells the holder", async () => {
    const { skus } = await listed(5000, 5200)
    await market.hold(market.us.key, skus[1])
    const { sequence } = await market.snapshot(market.german.key)
    expect((await market.hold(market.german.key, skus[0])).body.code).toBe('sku_on_hold')
    const ended = await call('DELETE', `${pathOf(skus[0])}/hold`)
    expect([ended.status, ended.text]).toEqual([204, ''])
    const { changes } = await market.changes(market.german.key, sequence)
    expect(changes).toMatchObject([{ kind: 'release', sku: skus[0], gem: { on_hold: false } }])
    const events = await market.call('GET', '/api/v3/events?after=0', { token: market.us.key })
    expect(events.body.events.at(-1)).toMatchObject({ event_type: 'hold.release' })
    expect((await market.hold(market.german.key, skus[0])).status).toBe(201)
    const { history } = await market.show(skus[1])
    expect((history as { action: string }[]).map(({ action }) => action)).toEqual([
      'gem.release',
      'hold.create',
      'gem.list',
    ])
    const [{ actor }] = history as { actor: { kind: string } }[]
    expect(actor.kind).toBe('operator')
  })

  it('is 404 for a stone that nobody holds, and for an unknown SKU', async () => {
    const { skus } = await listed(5000)
    for (const sku of [skus[0], 'NOSUCHSKU']) {
      const { status, body } = await call('DELETE', `${pathOf(sku)}/hold`)
      expect([status, body.code]).toEqual([404, 'not_found'])
    }
  })
})

describe('a melee parcel', () => {
  const tree = async () => {
    await indexed(market)
    const path = '/api/v3/diamonds/get_parcel_filters?shape=round&type=mined'
    const { text } = await market.call('GET', path, { token: market.german.key })
    return text
  }

  it('is priced, described and disabled by hand like a stone', async () => {
    const { db } = market.database
    const { sku } = await insertStone(db, {
      product_type: 'melee',
      weight: '0.01',
      length: '1.3',
      width: '1.3',
      color_max: 'F',
      clarity_max: 'VVS2',
      quantity: 50,
      feed_quantity: 60,
    })
    const set = await market.set(sku, { wholesale_price: 777, tolerance_positive: 0.05 })
    expect(set).toMatchObject({ product_type: 'melee', wholesale_price: 777, quantity: 50 })
    expect(await tree()).toContain('"wholesale_price":777,')
    expect(await tree()).toContain('"tolerance_positive":0.05')
    await market.set(sku, { enabled: false })
    expect(await tree()).not.toContain(sku)
    const order = await market.order(market.german.key, [sku])
    expect(order.body.code).toBe('sku_unavailable')
    expect(await market.set(sku, { enabled: null })).toMatchObject({ quantity: 50 })
    expect(await tree()).toContain(sku)
  })

  it('whose pieces are all sold stays so when it is disabled and enabled', async () => {
    const { sku } = await insertStone(market.database.db, {
      product_type: 'melee',
      weight: '0.01',
      quantity: 0,
      feed_quantity: 60,
    })
    await market.set(sku, { enabled: false })
    expect(await market.set(sku, { enabled: null })).toMatchObject({
      state: 'available',
      quantity: 0,
    })
  })
})
