import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getRate } from '../../src/pricing/exchange-rates.ts'
import { lastNumber, listChanges } from '../support/change-log.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

const PATH = '/api/operator/exchange_rates'
let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market.close())

function set(body: unknown, headers = {}) {
  return market.call('POST', PATH, { token: market.adminKey, body, headers })
}

describe('exchange rates', () => {
  it('put the newest rate into force and keep the older ones', async () => {
    const { db } = market.database
    expect((await set({ currency_code: 'EUR', rate: 0.92 })).status).toBe(201)
    await set({ currency_code: 'JPY', rate: 151.2 })
    const newest = await set({ currency_code: 'EUR', rate: 0.93125 })
    expect(newest.body).toEqual({
      currency_code: 'EUR',
      rate: 0.93125,
      set_on: expect.stringMatching(/^\d{4}-.*T.*\.\d{6}\+00:00$/),
    })
    const list = await market.call('GET', PATH, { token: market.adminKey })
    expect(list.body.exchange_rates).toMatchObject([
      { currency_code: 'EUR', rate: 0.93125 },
      { currency_code: 'JPY', rate: 151.2 },
    ])
    const history = await market.call('GET', `${PATH}/EUR`, { token: market.adminKey })
    expect(history.body.exchange_rates).toMatchObject([{ rate: 0.93125 }, { rate: 0.92 }])
    expect(await getRate(db, 'EUR')).toBe('0.93125000')
    expect(await getRate(db, 'USD')).toBe('1')
    await expect(getRate(db, 'XTS')).rejects.toMatchObject({ code: 'unknown_currency' })
  })

  it('announce new prices to exactly the merchants that pay in the currency', async () => {
    const { db } = market.database
    const { merchant } = await market.merchant({ country_code: 'GB', currency_code: 'GBP' })
    await market.merchant({ country_code: 'US', currency_code: 'USD' })
    const before = await lastNumber(db)
    await set({ currency_code: 'GBP', rate: 0.8 })
    expect(await listChanges(db, before, 10)).toMatchObject([
      { kind: 'prices', merchant_uuid: merchant.uuid, sku: null },
    ])
  })

  it('are set once by a repeated request', async () => {
    const headers = { 'idempotency-key': 'rate-1' }
    const first = await set({ currency_code: 'CHF', rate: 0.9 }, headers)
    const second = await set({ currency_code: 'CHF', rate: 0.9 }, headers)
    expect(second.text).toBe(first.text)
    const history = await market.call('GET', `${PATH}/CHF`, { token: market.adminKey })
    expect(history.body.exchange_rates).toHaveLength(1)
  })

  it.each([
    ['the base currency', { currency_code: 'USD', rate: 1 }],
    ['a rate of nothing', { currency_code: 'EUR', rate: 0 }],
    ['more decimals than are kept', { currency_code: 'EUR', rate: 0.123456789 }],
    ['a rate beyond all money', { currency_code: 'EUR', rate: 1e30 }],
    ['a currency in small letters', { currency_code: 'eur', rate: 1 }],
    ['a rate in words', { currency_code: 'EUR', rate: '0.9' }],
  ])('refuse %s with 422', async (_, body) => {
    const answer = await set(body)
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } })
    expect(answer.body.errors).toHaveLength(1)
  })

  it('can be set by the operator only', async () => {
    const { key } = await market.merchant()
    expect((await market.call('GET', PATH, { token: key })).status).toBe(403)
    expect((await market.call('GET', PATH)).status).toBe(401)
  })
})
