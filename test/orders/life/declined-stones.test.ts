import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HandMarket, openHandMarket } from '../../overrides/support.ts'

let market: HandMarket
beforeAll(async () => {
  market = await openHandMarket()
})
afterAll(() => market.close())

const stone = { stock: 'D-1', perCarat: 5000 }
const others = [
  { stock: 'D-2', perCarat: 5200 },
  { stock: 'D-3', perCarat: 5300 },
]

/** Orders a stone and has it declined by the operator. */
async function declined(sku: string): Promise<string> {
  const { body } = await market.order(market.german.key, [sku])
  const path = `/api/operator/orders/${body.uuid}/decline`
  const { status } = await market.post(path, market.adminKey, { reason: 'sold elsewhere' })
  expect(status).toBe(200)
  return body.uuid
}

describe('a declined stone', () => {
  it('is gone until its feed lists it again, with an unchanged row, too', async () => {
    await market.list('Decline House', [stone, ...others])
    const sku = await market.skuOf('Decline House', stone.stock)
    const uuid = await declined(sku)
    expect(await market.show(sku)).toMatchObject({ state: 'gone', quantity: 0 })
    expect(await market.search(sku)).toBeUndefined()
    const history = (await market.show(sku)).history as unknown[]
    expect(history[0]).toMatchObject({
      action: 'order.line.decline',
      actor: { kind: 'operator', uuid: null },
      subject: { kind: 'order', uuid },
    })
    await market.list('Decline House', [stone, ...others])
    expect(await market.show(sku)).toMatchObject({ state: 'available', quantity: 1 })
    expect(await market.search(sku)).toMatchObject({ sku })
  })

  it('is replaced first of all by the offer of another supplier, which leads from now on', async () => {
    const certificate = '2141439001'
    await market.list('First House', [{ stock: 'O-1', certificate, perCarat: 5000 }])
    await market.list('Dearer House', [{ stock: 'O-2', certificate, perCarat: 5400 }])
    await market.list('Second House', [{ stock: 'O-3', certificate, perCarat: 5200 }])
    const uuid = await declined(await market.skuOf('First House', 'O-1'))
    const path = `/api/v3/orders/${uuid}`
    const { body } = await market.call('GET', path, { token: market.german.key })
    const [{ stones }] = body.events[0].event_data.substitutes
    const skus = stones.map(({ sku }: { sku: string }) => sku)
    const other = await market.skuOf('Second House', 'O-3')
    expect(skus[0]).toBe(other)
    expect(stones[0]).toMatchObject({ cert_num: certificate, base_wholesale_price: 5252 })
    expect(skus).not.toContain(await market.skuOf('Dearer House', 'O-2'))
    expect(await market.search(other)).toMatchObject({ sku: other })
  })

  it('stays gone when an import is undone that had dropped it meanwhile', async () => {
    const rows = [{ stock: 'E-1', perCarat: 5000 }, ...others]
    await market.list('Undo House', rows)
    const sku = await market.skuOf('Undo House', 'E-1')
    const { body } = await market.order(market.german.key, [sku])
    const dropped = await market.list('Undo House', others)
    const path = `/api/operator/orders/${body.uuid}/decline`
    await market.post(path, market.adminKey, { reason: 'lost' })
    const undone = await market.post(`/api/operator/imports/${dropped}/undo`, market.adminKey)
    expect(undone.status).toBe(200)
    expect(await market.show(sku)).toMatchObject({ state: 'gone', quantity: 0 })
  })

  it('tells who cancelled in the history of the stone', async () => {
    await market.list('Cancel House', [{ stock: 'F-1', perCarat: 5000 }, ...others])
    const sku = await market.skuOf('Cancel House', 'F-1')
    const { body } = await market.order(market.german.key, [sku])
    const { status } = await market.post(`/api/v3/orders/${body.uuid}/cancel`, market.german.key)
    expect(status).toBe(200)
    const history = (await market.show(sku)).history as unknown[]
    expect(history[0]).toMatchObject({
      action: 'order.cancel',
      actor: { kind: 'merchant', uuid: market.german.merchant.uuid },
    })
  })
})
