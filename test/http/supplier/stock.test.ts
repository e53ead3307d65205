import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvOf, stones } from '../../feeds/import-support.ts'
import { openTestMarket, type TestMarket } from '../../support/market.ts'
import { openSupplier, type TestSupplier } from './supplier-support.ts'

let market: TestMarket
let own: TestSupplier
let other: TestSupplier
beforeAll(async () => {
  market = await openTestMarket()
  own = await openSupplier(market, 'Own Stones', { markup: 10, markup_us: 20 })
  other = await openSupplier(market, 'Other Stones', { markup: 10 })
})
afterAll(() => market.close())

const operator = (method: string, path: string, body?: object) =>
  market.call(method, `/api/operator${path}`, { token: market.adminKey, ...(body && { body }) })

describe("a supplier's token", () => {
  it('is made by the operator for a supplier, with the scopes that suppliers use', async () => {
    const body = { type: 'supplier', supplier_uuid: own.uuid, name: 'stock software' }
    const created = await operator('POST', '/tokens', body)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      type: 'supplier',
      supplier_uuid: own.uuid,
      merchant_uuid: null,
      scopes: ['orders:read', 'orders:write', 'inventory'],
    })
    const token = created.body.token as string
    const { body: session } = await market.call('GET', '/api/v3/session', { token })
    expect(session).toMatchObject({ role: 'supplier', supplier_uuid: own.uuid, merchant: null })
    const list = await operator('GET', `/tokens?supplier_uuid=${own.uuid}`)
    expect(list.body.tokens.map(({ uuid }: { uuid: string }) => uuid)).toContain(created.body.uuid)
    const rotated = await operator('POST', `/tokens/${created.body.uuid}/rotate`, {
      overlap_seconds: 0,
    })
    expect(rotated.body).toMatchObject({ type: 'supplier', supplier_uuid: own.uuid })
    const path = '/api/supplier/inventory'
    await expect
      .poll(async () => (await market.call('GET', path, { token })).status, { timeout: 30_000 })
      .toBe(401)
  })

  it('needs a supplier that exists and no merchant, and has no scope of merchants', async () => {
    const { merchant } = await market.merchant()
    const refused = async (body: object) => {
      const { status, body: problem } = await operator('POST', '/tokens', body)
      return [status, problem.errors?.[0]?.field]
    }
    const supplier = { type: 'supplier', supplier_uuid: own.uuid }
    expect(await refused({ type: 'supplier' })).toEqual([422, 'supplier_uuid'])
    const ofMerchant = { ...supplier, merchant_uuid: merchant.uuid }
    expect(await refused(ofMerchant)).toEqual([422, 'merchant_uuid'])
    expect(await refused({ type: 'admin', supplier_uuid: own.uuid })).toEqual([
      422,
      'supplier_uuid',
    ])
    expect(await refused({ ...supplier, scopes: ['search'] })).toEqual([422, 'scopes'])
    const unknown = { type: 'supplier', supplier_uuid: '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90' }
    expect((await operator('POST', '/tokens', unknown)).status).toBe(404)
  })
})

describe('POST /api/supplier/imports', () => {
  it('imports the file for the caller, with the same report, and shows no wholesale price', async () => {
    const dry = await own.upload('dry_run=true', csvOf(stones(3)))
    expect(dry.status).toBe(200)
    expect(dry.body).toMatchObject({ dry_run: true, added: 3, supplier: 'Own Stones' })
    expect(dry.body.diff.added[0]).toEqual({
      row: 2,
      vendor_sku: stones(3)[0].stock,
      price: expect.any(String),
    })
    const first = await own.upload('file_name=a.csv', csvOf(stones(3)))
    expect(first.body).toMatchObject({ added: 3, rows: 3, mode: 'update', dry_run: false })
    const dearer = csvOf(stones(3, (stone) => ({ ...stone, perCarat: stone.perCarat * 1.5 })))
    const changed = await own.upload('dry_run=true&max_jumps=100', dearer)
    expect(changed.body.diff.price_jumps).toHaveLength(3)
    expect(changed.body.diff.price_jumps[0].percent).toBe(50)
    expect(Object.keys(changed.body.diff.changed[0].fields)).toEqual(['cost'])
    expect(changed.text).not.toContain('wholesale')
  })

  it('knows the caller: a supplier cannot be named', async () => {
    const { status, body } = await own.upload('supplier=Other%20Stones', csvOf(stones(1)))
    expect([status, body.errors[0].field]).toEqual([422, 'supplier'])
  })

  it('replays the response of a repeated upload; keys belong to the supplier', async () => {
    const headers = { 'idempotency-key': 'nightly' }
    const first = await own.upload('file_name=b.csv', csvOf(stones(4)), headers)
    const again = await own.upload('file_name=b.csv', csvOf(stones(4)), headers)
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
    const others = await other.upload('file_name=b.csv', csvOf(stones(4)), headers)
    expect(others.body).toMatchObject({ supplier: 'Other Stones', added: 4 })
  })

  it('lists, returns and undoes its own imports; those of others do not exist', async () => {
    const { body: list } = await own.call('GET', '/imports')
    expect(list.imports.length).toBe(list.total)
    for (const { supplier } of list.imports) expect(supplier).toBe('Own Stones')
    const [{ uuid }] = list.imports
    const found = await own.call('GET', '/imports?q=B.CSV&status=done')
    expect(found.body).toMatchObject({ total: 1, imports: [{ uuid, file_name: 'b.csv' }] })
    expect((await own.call('GET', '/imports?status=failed')).body.total).toBe(0)
    const foreign = (await other.call('GET', '/imports')).body.imports[0].uuid
    expect((await own.call('GET', `/imports/${uuid}`)).body).toMatchObject({ uuid, rejections: [] })
    expect((await own.call('GET', `/imports/${foreign}`)).status).toBe(404)
    expect((await own.call('POST', `/imports/${foreign}/undo`)).status).toBe(404)
    const undone = await own.call('POST', `/imports/${uuid}/undo`)
    expect(undone.body).toMatchObject({ uuid, status: 'undone' })
    const stock = await own.call('GET', '/inventory?state=available')
    expect(stock.body.total).toBe(3)
    expect((await other.call('GET', '/inventory')).body.total).toBe(4)
  })
})

describe('GET /api/supplier/inventory', () => {
  it('shows what the feed says and its price, also where the operator set something', async () => {
    const { body } = await own.call('GET', '/inventory')
    const [stone] = body.stones
    const [written] = stones(1)
    expect(stone).toMatchObject({
      vendor_sku: written.stock,
      state: 'available',
      price: Number((written.perCarat * written.weight).toFixed(2)),
      weight: written.weight,
      memo: false,
      quantity: 1,
      feed_quantity: 1,
    })
    await operator('PATCH', `/inventory/gems/${stone.sku}`, { memo: true, note: 'call first' })
    const after = await own.call('GET', `/inventory?q=${stone.sku}`)
    expect(after.body.stones[0]).toMatchObject({ sku: stone.sku, memo: false })
    expect(after.text).not.toMatch(/wholesale|retail|call first/)
    await operator('PATCH', `/inventory/gems/${stone.sku}`, { enabled: false })
    const disabled = await own.call('GET', '/inventory?state=disabled')
    expect(disabled.body.stones.map(({ sku }: { sku: string }) => sku)).toEqual([stone.sku])
  })

  it('is sorted by stock number and paged, and finds the beginning of a number', async () => {
    const { body } = await own.call('GET', '/inventory')
    const numbers: string[] = body.stones.map(
      ({ vendor_sku }: { vendor_sku: string }) => vendor_sku,
    )
    expect(numbers).toEqual([...numbers].sort())
    const second = await own.call('GET', '/inventory?limit=1&offset=1')
    expect(second.body).toMatchObject({ total: body.total, limit: 1, offset: 1 })
    expect(second.body.stones[0].vendor_sku).toBe(numbers[1])
    const found = await own.call('GET', `/inventory?q=${numbers[1].toLowerCase()}`)
    expect(found.body.stones[0].vendor_sku).toBe(numbers[1])
    expect((await own.call('GET', '/inventory?supplier=Other')).status).toBe(422)
  })
})
