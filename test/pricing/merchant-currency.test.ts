import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { addMerchant, removeRate } from '../../src/pricing/merchant-currency.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market.close())

const operator = (method: string, path: string, body?: unknown) =>
  market.call(method, `/api/operator/${path}`, { token: market.adminKey, body })
const setRate = (currency_code: string) =>
  operator('POST', 'exchange_rates', { currency_code, rate: 0.92 })
const create = (email: string, currency_code: string) =>
  operator('POST', 'merchants', { email, legal_dba: 'Shop', country_code: 'DE', currency_code })

describe("a merchant's currency", () => {
  it('is refused without an exchange rate, with the currencies that have one', async () => {
    await setRate('EUR')
    await setRate('JPY')
    const refused = {
      status: 422,
      body: {
        code: 'unknown_currency',
        errors: [{ field: 'currency_code', message: 'must be one of EUR, JPY, USD' }],
      },
    }
    expect(await create('gbp@shop.example', 'GBP')).toMatchObject(refused)
    expect((await create('gbp@shop.example', 'USD')).status).toBe(201)
    const { body: merchant } = await create('eur@shop.example', 'EUR')
    const path = `merchants/${merchant.uuid}`
    expect(await operator('PATCH', path, { currency_code: 'GBP' })).toMatchObject(refused)
    expect((await operator('GET', path)).body.currency_code).toBe('EUR')
    expect((await operator('PATCH', path, { currency_code: 'JPY' })).status).toBe(200)
  })

  it('keeps its exchange rate: removing a rate that merchants use is refused', async () => {
    await setRate('CHF')
    await setRate('CHF')
    const { body: merchant } = await create('chf@shop.example', 'CHF')
    expect(await operator('DELETE', 'exchange_rates/CHF')).toMatchObject({
      status: 409,
      body: { code: 'rate_in_use', detail: expect.stringContaining('chf@shop.example') },
    })
    expect((await operator('GET', 'exchange_rates/CHF')).body.exchange_rates).toHaveLength(2)
    await operator('PATCH', `merchants/${merchant.uuid}`, { currency_code: 'USD' })
    expect(await operator('DELETE', 'exchange_rates/CHF')).toMatchObject({
      status: 200,
      body: { currency_code: 'CHF', rate: 0.92 },
    })
    expect((await operator('GET', 'exchange_rates/CHF')).body.exchange_rates).toEqual([])
    expect((await operator('DELETE', 'exchange_rates/CHF')).status).toBe(404)
  })

  it('has a rate, however many create merchants while the rate is removed', async () => {
    const { db } = market.database
    for (let round = 0; round < 20; round++) {
      await setRate('SEK')
      const fields = { legal_dba: 'Shop', country_code: 'SE', currency_code: 'SEK' }
      const created = [0, 1, 2, 3].map((position) => {
        const email = `sek-${round}-${position}@shop.example`
        return inTransaction(db, (tx) => addMerchant(tx, { ...fields, email }))
      })
      const removed = inTransaction(db, (tx) => removeRate(tx, 'SEK'))
      const results = await Promise.allSettled([removed, ...created])
      const merchants = results.slice(1).filter(({ status }) => status === 'fulfilled')
      const users = db.selectFrom('merchant').select('uuid').where('currency_code', '=', 'SEK')
      expect(await users.execute()).toHaveLength(merchants.length)
      if (results[0].status === 'fulfilled') expect(merchants).toHaveLength(0)
      await db.updateTable('merchant').set({ currency_code: 'USD' }).execute()
    }
  })
})
