import type { Insertable } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GemTable } from '../../src/database/tables/gems.ts'
import { logChanges } from '../../src/events/change-log.ts'
import { createSupplier } from '../../src/gems/supplier-store.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { indexed } from '../support/stocked.ts'

const PATH = '/api/v3/diamonds/get_parcel_filters'

let market: TestMarket
let american: TestMerchant
let german: TestMerchant
let supplierId: number
let count = 0

beforeAll(async () => {
  market = await openTestMarket()
  american = await market.merchant()
  german = await market.merchant({ country_code: 'DE' })
  supplierId = (await createSupplier(market.database.db, 'Melee House')).id
})

afterAll(() => market.close())

async function parcel(fields: Partial<Insertable<GemTable>> = {}): Promise<string> {
  const sku = `M-${++count}`
  await market.database.db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('gem')
      .values({
        sku,
        supplier_id: supplierId,
        vendor_sku: sku,
        product_type: 'melee',
        type: 'mined',
        shape: 'round',
        cut_code: 'brilliant_cut',
        weight: '0.0025',
        length: '0.8',
        width: '0.8',
        color: 'F',
        color_max: 'D',
        clarity: 'VS2',
        clarity_max: 'VVS1',
        cost: '600',
        wholesale_price: '650',
        wholesale_price_us: '660.5',
        quantity: 1200,
        ...fields,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await logChanges(tx, [{ gem_id: id, sku, kind: 'new' }])
  })
  await indexed(market)
  return sku
}

const tree = async (query = '', { key }: TestMerchant = german) => {
  const answer = await market.call('GET', `${PATH}${query}`, { token: key })
  expect(answer.status).toBe(200)
  return answer.body.filters
}

describe('GET /api/v3/diamonds/get_parcel_filters', () => {
  it('is empty without parcels', async () => {
    expect(await tree()).toEqual({})
  })

  it("orders parcels by shape, cut, type, size and quality, at the merchant's price list", async () => {
    const sku = await parcel()
    const leaf = (await tree()).round.brilliant_cut.mined['0.8']['D-F/VVS1-VS2']
    expect(leaf).toMatchObject({
      sku,
      product_type: 'melee',
      stone_type: null,
      quality: 'D-F/VVS1-VS2',
      quantity: 1200,
      weight: 0.0025,
      wholesale_price: 650,
      wholesale_price_per_ct: 650,
      shape_icon_url: 'http://pavilion.test/shapes/round.svg',
      shape_image_url: 'http://pavilion.test/shapes/round.png',
    })
    const us = (await tree('', american)).round.brilliant_cut.mined['0.8']['D-F/VVS1-VS2']
    expect(us.wholesale_price).toBe(660.5)
  })

  it('need not be sent again to a caller who has it', async () => {
    const path = `${PATH}?shape=shield`
    const first = await market.call('GET', path, { token: german.key })
    const headers = { 'if-none-match': String(first.headers.etag) }
    expect((await market.call('GET', path, { token: german.key, headers })).status).toBe(304)
    await parcel({ shape: 'shield' })
    expect((await market.call('GET', path, { token: german.key, headers })).status).toBe(200)
  })

  it('have memo days only if they can go on memo, and always days of return and delivery', async () => {
    await parcel({ shape: 'marquise', memo: false, memo_days_to_return: 9, days_to_return: 5 })
    await parcel({ shape: 'triangle', memo: true, delivery_days_min: 1, delivery_days_max: 2 })
    const leaf = async (shape: string) => {
      return (await tree(`?shape=${shape}`))[shape].brilliant_cut.mined['0.8 x 0.8']['D-F/VVS1-VS2']
    }
    expect(await leaf('marquise')).toMatchObject({
      memo_days_to_return: null,
      days_to_return: 5,
      internal_days_to_return: 21,
      delivery_days_min: 3,
      delivery_days_max: 7,
    })
    expect(await leaf('triangle')).toMatchObject({
      memo_days_to_return: 14,
      days_to_return: 14,
      delivery_days_min: 1,
      delivery_days_max: 2,
    })
  })

  it('writes sizes with one or two decimals, and two measurements unless the shape is round', async () => {
    await parcel({ length: '1', width: '1' })
    await parcel({ length: '1.250', width: '1.25' })
    await parcel({ shape: 'oval', length: '3.5', width: '2', type: 'lab grown' })
    expect(Object.keys((await tree()).round.brilliant_cut.mined)).toEqual(['0.8', '1.0', '1.25'])
    const ovals = await tree('?shape=oval&type=lab%20grown')
    expect(Object.keys(ovals.oval.brilliant_cut['lab grown'])).toEqual(['3.5 x 2.0'])
  })

  it('leaves out empty parcels, and shows the cheapest of equal ones', async () => {
    await parcel({ shape: 'pear', quantity: 0 })
    expect(await tree('?shape=pear')).toEqual({})
    await parcel({ shape: 'heart', wholesale_price: '700' })
    const cheap = await parcel({ shape: 'heart', wholesale_price: '500' })
    await parcel({ shape: 'heart', wholesale_price: '900' })
    const leaf = (await tree('?shape=heart')).heart.brilliant_cut.mined['0.8 x 0.8']
    expect(leaf['D-F/VVS1-VS2'].sku).toBe(cheap)
  })

  it('is not found by diamond search', async () => {
    const { body } = await market.call('POST', '/api/v2/diamonds/merchant_search', {
      token: german.key,
      body: {},
    })
    expect(body.metadata.total_count).toBe(0)
  })

  it.each(['?shape=ball', '?type=stolen', '?size=1'])('refuses %s with 422', async (query) => {
    const answer = await market.call('GET', `${PATH}${query}`, { token: german.key })
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_request'])
  })

  it('refuses the operator with 403 and a missing token with 401', async () => {
    expect((await market.call('GET', PATH, { token: market.adminKey })).status).toBe(403)
    expect((await market.call('GET', PATH)).status).toBe(401)
  })
})
