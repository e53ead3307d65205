import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addStone, type OrderMarket, openOrderMarket } from '../../orders/order-support.ts'
import { openSupplier, type TestSupplier } from './supplier-support.ts'

let market: OrderMarket
/** It confirms and ships itself. */
let shipping: TestSupplier
/** It confirms, and the operator ships. */
let confirming: TestSupplier
beforeAll(async () => {
  market = await openOrderMarket()
  shipping = await openSupplier(market, 'Shipping Stones', { confirms: true, ships: true })
  confirming = await openSupplier(market, 'Confirming Stones', { confirms: true })
})
afterAll(() => market.close())

const tracking = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }
const stoneOf = ({ id }: TestSupplier) =>
  addStone(market.database.db, { supplier_id: id, cost: '1234.00' })

async function placed(...suppliers: TestSupplier[]) {
  const skus = await Promise.all(suppliers.map(stoneOf))
  const { status, body } = await market.place(skus, { version: 'v3' })
  expect(status).toBe(200)
  return { uuid: body.uuid as string, skus }
}

const skusOf = ({ line_items }: { line_items: { sku: string }[] }) =>
  line_items.map(({ sku }) => sku)

describe("a supplier's orders", () => {
  it('have its own lines and prices only, newest first', async () => {
    const first = await placed(shipping, confirming)
    const second = await placed(shipping)
    const { body } = await shipping.call('GET', '/orders?limit=2')
    expect(body.orders.map(({ uuid }: { uuid: string }) => uuid)).toEqual([second.uuid, first.uuid])
    const { body: order } = await shipping.call('GET', `/orders/${first.uuid}`)
    expect(skusOf(order)).toEqual([first.skus[0]])
    expect(order.line_items[0]).toMatchObject({ price: 1234, open_quantity: 1, quantity: 1 })
    expect(order.line_items[0].vendor_sku).toMatch(/^V-/)
    expect(order).toMatchObject({ confirmation: null, fulfillment_status: null })
    expect(body.orders[1]).toEqual(order)
  })

  it('of others do not exist, neither to be read nor to be answered', async () => {
    const { uuid } = await placed(confirming)
    expect((await shipping.call('GET', `/orders/${uuid}`)).status).toBe(404)
    const path = `/orders/${uuid}`
    expect((await shipping.call('POST', `${path}/confirm`)).status).toBe(404)
    expect((await shipping.call('POST', `${path}/decline`, { reason: 'sold' })).status).toBe(404)
    expect((await shipping.call('POST', `${path}/fulfill`, tracking)).status).toBe(404)
  })

  it('are found by what waits, by stock number and by time', async () => {
    const { uuid, skus } = await placed(confirming)
    const uuids = async (query: string) => {
      const { status, body } = await confirming.call('GET', `/orders?${query}`)
      expect(status).toBe(200)
      return body.orders.map((order: { uuid: string }) => order.uuid)
    }
    expect(await uuids('unconfirmed=true')).toContain(uuid)
    expect(await uuids(`q=${skus[0].toLowerCase()}`)).toEqual([uuid])
    const { body } = await confirming.call('GET', `/orders/${uuid}`)
    expect(await uuids(`q=${body.line_items[0].vendor_sku}`)).toEqual([uuid])
    expect(await uuids('q=Facet')).toEqual([])
    expect(await uuids('ordered_to=2020-01-01')).toEqual([])
    const { body: confirmed } = await confirming.call('POST', `/orders/${uuid}/confirm`)
    expect(confirmed).toMatchObject({ confirmation: 'confirmed' })
    expect(await uuids('unconfirmed=true')).not.toContain(uuid)
    const since = encodeURIComponent(confirmed.line_items[0].updated_on)
    expect(await uuids(`updated_since=${since}`)).toEqual([uuid])
    expect(await uuids('has_unfulfilled=true')).toContain(uuid)
  })

  it('are found as updated when a memo becomes an invoice', async () => {
    const sku = await stoneOf(shipping)
    const memoOf = { version: 'v3', body: { order_type: 'memo' } } as const
    const { body: memo } = await market.place([sku], memoOf)
    const { body: before } = await shipping.call('GET', `/orders/${memo.uuid}`)
    const path = `/api/operator/orders/${memo.uuid}/convert`
    expect((await market.call('POST', path, { token: market.adminKey })).status).toBe(200)
    const { body: after } = await shipping.call('GET', `/orders/${memo.uuid}`)
    expect([before.order_type, after.order_type]).toEqual(['memo', 'invoice'])
    const [{ updated_on }] = after.line_items
    expect(updated_on > before.line_items[0].updated_on).toBe(true)
    const since = `updated_since=${encodeURIComponent(updated_on)}`
    const { body } = await shipping.call('GET', `/orders?${since}`)
    expect(body.orders.map(({ uuid }: { uuid: string }) => uuid)).toEqual([memo.uuid])
  })

  it('are confirmed for its own lines, once, and the merchant reads it', async () => {
    const { uuid } = await placed(shipping, confirming)
    const { status, body } = await confirming.call('POST', `/orders/${uuid}/confirm`)
    expect(status).toBe(200)
    expect(body.line_items[0]).toMatchObject({
      confirmation: 'confirmed',
      confirmed_by: 'supplier',
    })
    const again = await confirming.call('POST', `/orders/${uuid}/confirm`)
    expect([again.status, again.body.code]).toEqual([409, 'wrong_state'])
    const { body: order } = await market.call('GET', `/api/v3/orders/${uuid}`, {
      token: market.buyer.key,
    })
    expect(order).toMatchObject({ confirmation: 'partial' })
  })

  it('are declined with a reason, and a line of another supplier is not found', async () => {
    const { uuid, skus } = await placed(confirming, shipping)
    const { body: seen } = await shipping.call('GET', `/orders/${uuid}`)
    const foreign = { line_item_uuids: [seen.line_items[0].uuid], reason: 'sold elsewhere' }
    const refused = await confirming.call('POST', `/orders/${uuid}/decline`, foreign)
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      422,
      'is not a line of this order',
    ])
    const path = `/orders/${uuid}/decline`
    const { body } = await confirming.call('POST', path, { reason: 'sold elsewhere' })
    expect(body).toMatchObject({ confirmation: 'declined' })
    expect((await market.stateOf(skus[0])).state).toBe('gone')
    expect((await market.stateOf(skus[1])).state).toBe('sold')
  })

  it('are shipped only by a supplier that ships, which sees where to and nothing else', async () => {
    const { uuid } = await placed(shipping, confirming)
    const refused = await confirming.call('POST', `/orders/${uuid}/fulfill`, tracking)
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    const { body } = await shipping.call('POST', `/orders/${uuid}/fulfill`, tracking)
    expect(body).toMatchObject({ fulfillment_status: 'fulfilled', confirmation: 'confirmed' })
    expect(body.fulfillments).toHaveLength(1)
    expect(body.fulfillments[0]).toMatchObject({
      ...tracking,
      line_items: [{ uuid: body.line_items[0].uuid, quantity: 1 }],
    })
    expect(body.shipping_address).toMatchObject({ country_code: 'US' })
    const { body: other } = await confirming.call('GET', `/orders/${uuid}`)
    expect(other).toMatchObject({ shipping_address: null, fulfillments: [] })
    expect(other.line_items[0]).toMatchObject({ fulfilled_quantity: 0 })
  })

  it('are refused with advice that the supplier can follow', async () => {
    const { uuid } = await placed(confirming, confirming, shipping, shipping)
    const late = async (supplier: TestSupplier) => {
      const { body: seen } = await supplier.call('GET', `/orders/${uuid}`)
      const line_item_uuids = [seen.line_items[0].uuid]
      await supplier.call('POST', `/orders/${uuid}/confirm`, { line_item_uuids })
      const request = { line_item_uuids, reason: 'sold elsewhere' }
      return (await supplier.call('POST', `/orders/${uuid}/decline`, request)).body
    }
    const refused = await late(confirming)
    // The operator ships the stones of this one.
    expect(refused.allowed).toEqual(['confirm', 'decline'])
    expect(refused.detail).toContain('is confirmed already, ask the operator to cancel it; ')
    expect((await late(shipping)).allowed).toEqual(['confirm', 'fulfill', 'decline'])
  })

  it('that are prepaid wait for the payment, without saying how much it is', async () => {
    const prepaid = await market.merchant({ payment_terms_days: 0 })
    const sku = await stoneOf(shipping)
    const { body: order } = await market.place([sku], { by: prepaid.key, version: 'v3' })
    const refused = await shipping.call('POST', `/orders/${order.uuid}/fulfill`, tracking)
    expect([refused.status, refused.body.code]).toEqual([409, 'unpaid'])
    expect(refused.text).not.toContain('1,7')
    expect(refused.body.balance).toBeUndefined()
  })

  it('follow the settings of the supplier at once', async () => {
    const { uuid } = await placed(confirming)
    const set = (ships: boolean) =>
      market.call('PATCH', `/api/operator/suppliers/${confirming.uuid}`, {
        token: market.adminKey,
        body: { ships },
      })
    await set(true)
    const { body } = await confirming.call('GET', `/orders/${uuid}`)
    expect(body.shipping_address).not.toBeNull()
    await set(false)
    const refused = await confirming.call('POST', `/orders/${uuid}/fulfill`, tracking)
    expect(refused.status).toBe(403)
  })
})

describe('GET /api/operator/suppliers/figures', () => {
  it('counts open lines, those that wait, stones and sources, for every supplier', async () => {
    const counted = await openSupplier(market, 'Counted Stones', { confirms: true })
    await openSupplier(market, 'Empty Stones')
    const { uuid } = await placed(counted)
    await placed(counted)
    await stoneOf(counted)
    expect((await counted.call('POST', `/orders/${uuid}/confirm`)).status).toBe(200)
    const body = { supplier: 'Counted Stones', url: 'https://feeds.example/a.csv' }
    const added = await market.call('POST', '/api/operator/sources', {
      token: market.adminKey,
      body,
    })
    const path = `/api/operator/sources/${added.body.uuid}/pause`
    await market.call('POST', path, { token: market.adminKey })
    const figures = await market.call('GET', '/api/operator/suppliers/figures', {
      token: market.adminKey,
    })
    expect(figures.status).toBe(200)
    const of = (name: string) =>
      figures.body.suppliers.find((each: { name: string }) => each.name === name)
    expect(of('Counted Stones')).toEqual({
      uuid: counted.uuid,
      name: 'Counted Stones',
      stones: 1,
      fresh: true,
      open_lines: 2,
      unconfirmed_lines: 1,
      sources: 1,
      failing_sources: 0,
      paused_sources: 1,
    })
    expect(of('Empty Stones')).toMatchObject({ stones: 0, open_lines: 0, sources: 0 })
  })
})
