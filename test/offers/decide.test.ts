import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OfferMarket, openOfferMarket } from './offer-support.ts'

let market: OfferMarket
let us: string
beforeAll(async () => {
  market = await openOfferMarket()
  us = market.us.key
})
afterAll(() => market.close())

const CONFLICTS = '/api/operator/inventory/conflicts'
const conflicts = async () =>
  (await market.call('GET', CONFLICTS, { token: market.adminKey })).body.conflicts
const decide = (certificate: string, body: unknown, token = market.adminKey) =>
  market.post(`${CONFLICTS}/${certificate}/decide`, token, body)

let stones = 0

/** Lists a stone at two suppliers, of which one says another color. */
async function contradiction() {
  const certificate = `66${String(++stones).padStart(8, '0')}`
  const [one, two] = [`One ${stones}`, `Two ${stones}`]
  const row = { stock: 'S', certificate, perCarat: 5000 }
  await market.list(one, [row])
  await market.list(two, [{ ...row, color: 'J', perCarat: 4000 }])
  const [first, second] = [await market.skuOf(one, 'S'), await market.skuOf(two, 'S')]
  return { certificate, one, two, first, second }
}

describe('offers of one certificate that contradict each other', () => {
  it('are one stone for selling, and a conflict until the operator keeps one', async () => {
    const { certificate, first, second } = await contradiction()
    expect(await conflicts()).toMatchObject([
      { lab: 'GIA', cert_num: certificate, contradicts: ['color'], suppliers: 2 },
    ])
    expect(await market.found(us, [certificate])).toEqual({ [second]: false })
    const { body: hold } = await market.hold(us, second)
    const kept = await decide(`gia/${certificate}`, { decision: 'keep', sku: first })
    expect(kept).toMatchObject({
      status: 200,
      body: {
        lab: 'GIA',
        cert_num: certificate,
        decision: 'keep',
        sku: first,
        disabled: [second],
      },
    })
    expect(await conflicts()).toEqual([])
    expect(await market.found(us, [certificate])).toEqual({ [first]: false })
    expect((await market.order(us, [second])).body.code).toBe('sku_unavailable')
    const path = `/api/v3/inventory/holds/${hold.uuid}`
    expect((await market.call('DELETE', path, { token: us })).status).toBe(404)
    const events = await market.call('GET', '/api/v3/events', { token: us })
    expect(JSON.stringify(events.body)).toContain('hold.release')
    const other = await decide(`GIA/${certificate}`, { decision: 'keep', sku: second })
    expect(other.body.disabled).toEqual([first])
    expect(await market.found(us, [certificate])).toEqual({ [second]: false })
  })

  it('are different stones when the operator says so, also those that come later', async () => {
    const { certificate, one, two, first, second } = await contradiction()
    const apart = await decide(`GIA/${certificate}`, { decision: 'apart' })
    expect(apart).toMatchObject({ status: 200, body: { decision: 'apart', sku: null } })
    expect(await market.found(us, [certificate])).toEqual({ [first]: false, [second]: false })
    expect(await conflicts()).toEqual([])
    await market.list('Three', [{ stock: 'S', certificate, perCarat: 4500, color: 'D' }])
    expect(Object.keys(await market.found(us, [certificate]))).toHaveLength(3)
    expect(await conflicts()).toEqual([])
    expect((await market.order(us, [first])).status).toBe(200)
    expect((await market.order(us, [second])).status).toBe(200)
    const together = await decide(`GIA/${certificate}`, { decision: 'keep', sku: first })
    expect(together).toMatchObject({ status: 409, body: { code: 'wrong_state' } })
    expect([one, two]).toHaveLength(2)
  })

  it('are listed again when a third offer comes after the decision', async () => {
    const { certificate, first } = await contradiction()
    await decide(`GIA/${certificate}`, { decision: 'keep', sku: first })
    expect(await conflicts()).toEqual([])
    await market.list('Four', [{ stock: 'S', certificate, perCarat: 4500, color: 'D' }])
    expect(await conflicts()).toMatchObject([{ cert_num: certificate, contradicts: ['color'] }])
    await decide(`GIA/${certificate}`, { decision: 'keep', sku: first })
    expect(await conflicts()).toEqual([])
  })

  it('are decided by the operator only, and the refusals name what is wrong', async () => {
    const { certificate } = await contradiction()
    const path = `GIA/${certificate}`
    expect((await decide(path, { decision: 'apart' }, us)).status).toBe(403)
    expect((await decide('GIA/1', { decision: 'apart' })).status).toBe(404)
    expect((await decide('-/1', { decision: 'apart' })).status).toBe(404)
    for (const body of [
      { decision: 'keep' },
      { decision: 'apart', sku: 'X' },
      { decision: 'keep', sku: 'X' },
    ]) {
      const refused = await decide(path, body)
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'sku' }] } })
    }
    expect((await decide(path, { decision: 'both' })).status).toBe(422)
    expect(await conflicts()).toHaveLength(1)
  })
})
