import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HandMarket, openHandMarket } from './support.ts'

let market: HandMarket
beforeAll(async () => {
  market = await openHandMarket()
})
afterAll(() => market.close())

interface Entry {
  action: string
  actor: { kind: string; uuid: string | null; name: string | null }
  changes: Record<string, { from: unknown; to: unknown }>
  changed_on: string
  subject: { kind: string; uuid: string } | null
}

/** Oldest first, as it happened. */
async function historyOf(sku: string): Promise<Entry[]> {
  const { history } = await market.show(sku)
  const entries = history as Entry[]
  expect(entries.map(({ changed_on }) => changed_on)).toEqual(
    entries.map(({ changed_on }) => changed_on).toSorted((a, b) => (a < b ? 1 : -1)),
  )
  return entries.toReversed()
}

const operator = (path: string, body: unknown = {}) => market.post(path, market.adminKey, body)

describe('the history of a stone', () => {
  it('says who changed what: the supplier, the operator, merchants', async () => {
    const supplier = 'History House'
    await market.list(supplier, [{ stock: 'A-1', perCarat: 5000 }])
    const sku = await market.skuOf(supplier, 'A-1')
    const office = await market.token({ type: 'admin', name: 'Office' })
    await market.call('PATCH', `/api/operator/inventory/gems/${sku}`, {
      token: office.token,
      body: { wholesale_price: 4000, memo: true, note: 'Agreed' },
    })
    const hold = await market.hold(market.us.key, sku)
    await market.call('DELETE', `/api/v3/inventory/holds/${hold.body.uuid}`, {
      token: market.us.key,
    })
    const memo = await market.order(market.us.key, [sku], { order_type: 'memo' })
    await operator(`/api/operator/orders/${memo.body.uuid}/return`)
    const second = await market.list(supplier, [{ stock: 'A-1', perCarat: 5500 }])
    const entries = await historyOf(sku)
    expect(entries.map(({ action }) => action)).toEqual([
      'gem.list',
      'price.change',
      'gem.set',
      'hold.create',
      'hold.release',
      'order.create',
      'order.memo.return',
      'price.change',
      'import.change',
    ])
    const find = (action: string) => entries.filter((entry) => entry.action === action)
    expect(find('gem.list')[0].actor).toMatchObject({ kind: 'supplier', name: supplier })
    expect(find('gem.set')[0]).toMatchObject({
      actor: { kind: 'operator', uuid: office.uuid, name: 'Office' },
      changes: {
        wholesale_price: { from: 5050, to: 4000 },
        memo: { from: false, to: true },
        note: { from: null, to: 'Agreed' },
      },
    })
    expect(find('price.change').map(({ changes }) => changes)).toEqual([
      { wholesale_price: { from: 5050, to: 4000 } },
      { wholesale_price_us: { from: 5050, to: 5555 } },
    ])
    expect(find('hold.create')[0]).toMatchObject({
      actor: { kind: 'merchant', uuid: market.us.merchant.uuid },
      subject: { kind: 'hold', uuid: hold.body.uuid },
    })
    expect(find('order.create')[0]).toMatchObject({
      actor: { kind: 'merchant', name: market.us.merchant.legal_dba },
      changes: { ordered: { from: null, to: 1 } },
      subject: { kind: 'order', uuid: memo.body.uuid },
    })
    expect(find('order.memo.return')[0].actor.kind).toBe('operator')
    expect(find('import.change')[0]).toMatchObject({
      subject: { kind: 'import', uuid: second },
      changes: { wholesale_price: { from: 5050, to: 5555 }, cost: { from: 5050, to: 5555 } },
    })
  })

  it('names cancelled and converted orders, those of the operator, and no other stones', async () => {
    await market.list('Order House', [
      { stock: 'B-1', perCarat: 5000 },
      { stock: 'B-2', perCarat: 5000 },
    ])
    const [one, two] = [
      await market.skuOf('Order House', 'B-1'),
      await market.skuOf('Order House', 'B-2'),
    ]
    const both = await market.order(market.adminKey, [one, two], {
      merchant_uuid: market.us.merchant.uuid,
    })
    const line = both.body.line_items.find((item: { sku: string }) => item.sku === one)
    await operator(`/api/operator/orders/${both.body.uuid}/cancel`, {
      line_items: [{ uuid: line.uuid, quantity: 1 }],
    })
    const actions = async (sku: string) => (await historyOf(sku)).map(({ action }) => action)
    expect(await actions(one)).toEqual(['gem.list', 'order.create', 'order.cancel'])
    expect(await actions(two)).toEqual(['gem.list', 'order.create'])
    expect((await historyOf(two))[1].actor.kind).toBe('operator')
  })

  it('stays when undoing an import deletes the stone and the next file lists it again', async () => {
    const uuid = await market.list('Twice House', [{ stock: 'C-1', perCarat: 5000 }])
    const sku = await market.skuOf('Twice House', 'C-1')
    await market.set(sku, { memo: true })
    await market.set(sku, { memo: null })
    await operator(`/api/operator/imports/${uuid}/undo`)
    const { status } = await market.call('GET', `/api/operator/inventory/gems/${sku}`, {
      token: market.adminKey,
    })
    expect(status).toBe(404)
    await market.list('Twice House', [{ stock: 'C-1', perCarat: 5000 }])
    const actions = (await historyOf(sku)).map(({ action }) => action)
    expect(actions).toEqual(['gem.set', 'gem.set', 'gem.list'])
  })
})
