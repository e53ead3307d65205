import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OVERRIDE_COLUMNS } from '../../src/gems/operator/override-fields.ts'
import { kindsOf } from '../offers/offer-support.ts'
import { type HandMarket, openHandMarket, pathOf } from './support.ts'

let market: HandMarket
beforeAll(async () => {
  market = await openHandMarket()
})
afterAll(() => market.close())

let suppliers = 0

/** A new supplier with one stone at 5000 a carat, 5050 dollars. */
async function listed(perCarat = 5000) {
  const supplier = `Hand ${++suppliers}`
  const uuid = await market.list(supplier, [{ stock: 'H-1', perCarat }])
  const sku = await market.skuOf(supplier, 'H-1')
  const relist = (price: number) => market.list(supplier, [{ stock: 'H-1', perCarat: price }])
  return { supplier, sku, uuid, relist }
}

const undo = (uuid: string) => market.post(`/api/operator/imports/${uuid}/undo`, market.adminKey)

/** A value that no imported stone has, for each field. */
const VALUES: Record<keyof typeof OVERRIDE_COLUMNS, unknown> = {
  can_hold: false,
  memo: true,
  returnable: false,
  wholesale_price: 4321.09,
  wholesale_price_us: 4444.44,
  is_sustainable: true,
  sustainability_details: { origin: 'recycled' },
  tolerance_positive: 0.02,
  tolerance_negative: 0.015,
  media_requested: true,
  image_top_url: 'https://media.example/top.jpg',
  image_bottom_url: 'https://media.example/bottom.jpg',
  video_url: 'https://media.example/film.mp4',
  ux_url: 'https://media.example/viewer',
  cached_ux_url: 'https://media.example/cached',
  v360_json_base_url: 'https://media.example/frames',
  v360_info: { frame_count: 64 },
  cert_url: 'https://media.example/certificate.pdf',
  original_imported_ext_url: 'https://media.example/page',
}

describe('PATCH /api/operator/inventory/gems/{sku}', () => {
  it('sets every field, which stands through imports, and gives back what the feed says', async () => {
    const { sku, relist } = await listed()
    const before = await market.show(sku)
    expect(before).toMatchObject({ overrides: {}, feed_values: {}, is_manual: false, note: null })
    const set = await market.set(sku, VALUES)
    expect(set).toMatchObject({ ...VALUES, overrides: VALUES, is_manual: true })
    for (const name of Object.keys(VALUES)) {
      expect((set.feed_values as Record<string, unknown>)[name], name).toEqual(before[name])
    }
    await relist(5100)
    expect(await market.show(sku)).toMatchObject({ ...VALUES, overrides: VALUES })
    const nothing = Object.fromEntries(Object.keys(VALUES).map((name) => [name, null]))
    const back = await market.set(sku, nothing)
    const prices = { wholesale_price: 5151, wholesale_price_us: 5151 }
    for (const name of Object.keys(VALUES)) {
      expect(back[name], name).toEqual({ ...before, ...prices }[name])
    }
    expect(back).toMatchObject({ overrides: {}, feed_values: {}, is_manual: false })
  })

  it('shows merchants the new values at once, on both nodes and in changes', async () => {
    const { sku } = await listed()
    const { sequence } = await market.snapshot(market.german.key)
    await market.set(sku, { wholesale_price: 4000, memo: true, note: 'As agreed by telephone' })
    const found = await market.search(sku)
    expect(found).toMatchObject({ base_wholesale_price: 4000, memo: true, is_manual: true })
    expect(found).not.toHaveProperty('note')
    await market.set(sku, { image_top_url: 'https://media.example/new.jpg' })
    await market.set(sku, { returnable: false })
    const { changes } = await market.changes(market.german.key, sequence)
    expect(kindsOf(changes)).toEqual([
      `price ${sku} shown`,
      `media ${sku} shown`,
      `details ${sku} shown`,
    ])
    const { gems } = await market.snapshot(market.german.key)
    expect(changes.at(-1)?.gem).toEqual(gems.get(sku))
  })

  it('keeps a note without an override, which merchants and followers do not see', async () => {
    const { sku } = await listed()
    const before = await market.snapshot(market.german.key)
    const { note, is_manual } = await market.set(sku, { note: 'Ask for a new picture' })
    expect([note, is_manual]).toEqual(['Ask for a new picture', false])
    expect((await market.changes(market.german.key, before.sequence)).changes).toEqual([])
    expect((await market.set(sku, { note: null })).note).toBeNull()
  })

  it('shows no picture when the address is empty, until it is null', async () => {
    const { sku } = await listed()
    await market.set(sku, { image_top_url: 'https://media.example/one.jpg' })
    expect(await market.set(sku, { image_top_url: '' })).toMatchObject({
      image_top_url: null,
      overrides: { image_top_url: '' },
    })
    expect(await market.set(sku, { image_top_url: null })).toMatchObject({ overrides: {} })
  })

  it('refuses unknown names, wrong values and an empty body, and changes nothing', async () => {
    const { sku } = await listed()
    const refused: [unknown, string][] = [
      [{ weight: 2 }, 'weight'],
      [{ wholesale_price: 0 }, 'wholesale_price'],
      [{ wholesale_price: 10.123 }, 'wholesale_price'],
      [{ wholesale_price_us: '900' }, 'wholesale_price_us'],
      [{ tolerance_positive: -1 }, 'tolerance_positive'],
      [{ image_top_url: 'ftp://media.example/x.jpg' }, 'image_top_url'],
      [{ enabled: 'no' }, 'enabled'],
      [{ sustainability_details: 'recycled' }, 'sustainability_details'],
      [{ note: 'x'.repeat(2001) }, 'note'],
    ]
    const token = market.adminKey
    for (const [body, field] of refused) {
      const response = await market.call('PATCH', pathOf(sku), { token, body })
      expect([response.status, response.body.errors?.[0].field]).toEqual([422, field])
    }
    expect((await market.call('PATCH', pathOf(sku), { token, body: {} })).status).toBe(422)
    expect(await market.show(sku)).toMatchObject({ overrides: {}, is_manual: false })
    const unknown = await market.call('PATCH', pathOf('NOSUCHSKU'), { token, body: { memo: true } })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
  })
})

describe('an override', () => {
  it('stands when an import is undone, and the feed of before it counts beneath', async () => {
    const { sku, relist } = await listed()
    const second = await relist(5200)
    await market.set(sku, { wholesale_price: 4000 })
    await undo(second)
    const undone = await market.show(sku)
    expect(undone).toMatchObject({ wholesale_price: 4000, wholesale_price_us: 5050 })
    expect(undone.feed_values).toEqual({ wholesale_price: 5050 })
    expect(await market.set(sku, { wholesale_price: null })).toMatchObject({
      wholesale_price: 5050,
    })
  })

  it('that was set before an import is not lost by undoing the import', async () => {
    const { sku, relist } = await listed()
    await market.set(sku, { wholesale_price: 4000 })
    await undo(await relist(5200))
    expect(await market.show(sku)).toMatchObject({
      wholesale_price: 4000,
      feed_values: { wholesale_price: 5050 },
    })
  })

  it('counts again when the first import of the stone is undone and repeated', async () => {
    const { supplier, sku, uuid, relist } = await listed()
    await market.set(sku, { wholesale_price: 4000, note: 'Cheaper for the season' })
    await undo(uuid)
    expect(await market.show(sku)).toMatchObject({ state: 'gone', quantity: 0 })
    await relist(5300)
    expect(await market.skuOf(supplier, 'H-1')).toBe(sku)
    expect(await market.show(sku)).toMatchObject({
      state: 'available',
      wholesale_price: 4000,
      wholesale_price_us: 5353,
      note: 'Cheaper for the season',
      feed_values: { wholesale_price: 5353 },
    })
  })

  it('does not make the same file a change, nor hide a price that equals it', async () => {
    const { sku, relist } = await listed()
    await market.set(sku, { wholesale_price: 5151 })
    const path = '/api/operator/imports'
    const latest = async () =>
      (await market.call('GET', `${path}?limit=1`, { token: market.adminKey })).body.imports[0]
    await relist(5000)
    expect(await latest()).toMatchObject({ unchanged: 1, changed: 0 })
    await relist(5100)
    expect(await market.show(sku)).toMatchObject({ feed_values: { wholesale_price: 5151 } })
    await relist(5000)
    expect(await latest()).toMatchObject({ unchanged: 0, changed: 1 })
    expect(await market.show(sku)).toMatchObject({
      wholesale_price: 5151,
      wholesale_price_us: 5050,
      feed_values: { wholesale_price: 5050 },
    })
  })

  it('stands when the supplier gets another markup, which goes beneath it', async () => {
    const { supplier, sku } = await listed()
    await market.set(sku, { wholesale_price: 4000 })
    const { body } = await market.call('GET', '/api/operator/suppliers', { token: market.adminKey })
    const { uuid } = body.suppliers.find(({ name }: { name: string }) => name === supplier)
    const change = async (markups: object) => {
      const path = `/api/operator/suppliers/${uuid}`
      const response = await market.call('PATCH', path, { token: market.adminKey, body: markups })
      return response.body.changed
    }
    expect(await change({ markup: 10 })).toBe(0)
    expect(await change({ markup_us: 10 })).toBe(1)
    expect(await market.show(sku)).toMatchObject({
      wholesale_price: 4000,
      wholesale_price_us: 5555,
      feed_values: { wholesale_price: 5555 },
    })
    expect(await market.set(sku, { wholesale_price: null })).toMatchObject({
      wholesale_price: 5555,
    })
  })

  it('stands when a sheet of reference prices is loaded', async () => {
    const { sku } = await listed()
    await market.set(sku, { wholesale_price: 4000 })
    const sheet = await market.app.inject({
      method: 'POST',
      url: '/api/operator/price_grids',
      headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': 'text/csv' },
      payload: 'BR,VS1,G,1.00,1.49,9000,2026-01-02\n',
    })
    expect(sheet.statusCode).toBeLessThan(300)
    const found = await market.search(sku)
    expect(found).toMatchObject({ base_wholesale_price: 4000, off_rap_percentage: -56 })
    expect(await market.show(sku)).toMatchObject({ off_rap_price: 9090, cost: 5050 })
  })
})
