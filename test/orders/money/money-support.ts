import { expect } from 'vitest'
import type { TestMerchant } from '../../support/market.ts'
import { addStones, type OrderMarket } from '../order-support.ts'

/** The price of each stone that tests order. */
export const PRICE = 1700
export const TRACKING = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }

/** The calls of the operator about orders and accounts, for tests of money. */
export function operatorOf(market: OrderMarket) {
  const token = market.adminKey
  const orderPath = (uuid: string) => `/api/operator/orders/${uuid}`
  return {
    stones: (count: number) => addStones(market.database.db, count),
    act: (uuid: string, step: string, body: object = {}) =>
      market.call('POST', `${orderPath(uuid)}/${step}`, { token, body }),
    pay: (uuid: string, body: object, headers: Record<string, string> = {}) =>
      market.call('POST', `${orderPath(uuid)}/payments`, { token, body, headers }),
    charge: (uuid: string, body: unknown) =>
      market.call('PUT', `${orderPath(uuid)}/charges`, { token, body }),
    order: async (uuid: string) => (await market.call('GET', orderPath(uuid), { token })).body,
    account: async ({ key }: TestMerchant) =>
      (await market.call('GET', '/api/v3/account', { token: key })).body,
    /** A merchant with these terms. */
    async buyerWith(terms: object, fields: object = {}): Promise<TestMerchant> {
      const buyer = await market.merchant(fields)
      const path = `/api/operator/merchants/${buyer.merchant.uuid}`
      const set = await market.call('PATCH', path, { token, body: terms })
      expect(set).toMatchObject({ status: 200, body: terms })
      return buyer
    },
  }
}
