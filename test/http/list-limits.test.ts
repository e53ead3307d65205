import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DemoTestMarket, openDemoMarket } from '../support/demo-market.ts'

let market: DemoTestMarket

beforeAll(async () => {
  market = await openDemoMarket()
})
afterAll(() => market.close())

const of = (prefix: string, names: string) => names.split(' ').map((name) => prefix + name)

const LISTS = [
  ...of('/api/v3/', 'quotes returns users memos notices shares watched saved_searches audit'),
  ...of(
    '/api/operator/',
    'quotes returns users memos notices mails sources price_grids charge_rules inventory/gems ' +
      'inventory/conflicts inventory/quarantine audit suppliers suppliers/figures catalogues',
  ),
  ...of('/api/supplier/', 'users imports orders inventory notices'),
]

function read(path: string) {
  const { merchantKey, adminKey, supplierKey } = market.keys
  const side = path.split('/')[2]
  const token = side === 'v3' ? merchantKey : side === 'operator' ? adminKey : supplierKey
  return market.call('GET', path, { token })
}

describe.each(LISTS)('the list %s', (path) => {
  it('has 100 rows on a page unless the caller names another number, up to 500', async () => {
    const { status, body } = await read(path)
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: expect.any(Number), offset: 0, limit: 100 })
    expect((await read(`${path}?limit=500`)).body.limit).toBe(500)
    const beyond = await read(`${path}?limit=501`)
    expect(beyond.status).toBe(422)
    expect(beyond.body.errors).toEqual([{ field: 'limit', message: 'must be at most 500' }])
  })
})

const PAGED = [
  ...of('/api/operator/', 'price_grids charge_rules suppliers catalogues exchange_rates'),
  ...of('$merchant/', 'addresses templates'),
]

describe.each(PAGED)('a page of %s', (listed) => {
  it('has the rows that limit and offset name, and the number of all', async () => {
    const { merchant_uuid } = (await read('/api/v3/orders/list?limit=1')).body.orders[0]
    const path = listed.replace('$merchant', `/api/operator/merchants/${merchant_uuid}`)
    const name = path.split('/').at(-1) ?? ''
    const { body: all } = await read(path)
    expect(all.total).toBe(all[name].length)
    expect(all.total).toBeGreaterThan(1)
    const { body: second } = await read(`${path}?limit=1&offset=1`)
    expect(second).toMatchObject({ total: all.total, offset: 1, limit: 1 })
    expect(second[name]).toEqual([all[name][1]])
  })
})

it('a page of the rates that a currency has had goes on after the first one', async () => {
  const path = '/api/operator/exchange_rates'
  for (const rate of [0.91, 0.93]) {
    const body = { currency_code: 'EUR', rate }
    await market.call('POST', path, { token: market.keys.adminKey, body })
  }
  const { body: all } = await read(`${path}/EUR`)
  expect(all.total).toBe(all.exchange_rates.length)
  const { body: second } = await read(`${path}/EUR?limit=1&offset=1`)
  expect(second).toMatchObject({ total: all.total, offset: 1, limit: 1 })
  expect(second.exchange_rates).toEqual([all.exchange_rates[1]])
  expect(second.exchange_rates[0].rate).toBe(0.91)
})
