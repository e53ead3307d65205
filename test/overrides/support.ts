import { expect } from 'vitest'
import { type Json, type OfferMarket, openOfferMarket } from '../offers/offer-support.ts'

/** A market whose operator changes stones by hand. */
export interface HandMarket extends OfferMarket {
  set(sku: string, change: Json): Promise<Json>
  show(sku: string): Promise<Json>
  /** The stone as a merchant of the default list finds it. */
  search(sku: string): Promise<Json | undefined>
}

export async function openHandMarket(): Promise<HandMarket> {
  const market = await openOfferMarket()
  const token = market.adminKey
  return {
    ...market,
    async set(sku, body) {
      const path = `/api/operator/inventory/gems/${sku}`
      const response = await market.call('PATCH', path, { token, body })
      expect(response.status, response.text).toBe(200)
      return response.body
    },
    async show(sku) {
      const { status, body } = await market.call('GET', `/api/operator/inventory/gems/${sku}`, {
        token,
      })
      expect(status).toBe(200)
      return body
    },
    async search(sku) {
      const { body } = await market.post('/api/v2/diamonds/merchant_search', market.german.key, {
        filters: { sku: [sku] },
      })
      return body.gems[0]
    },
  }
}

export const pathOf = (sku: string) => `/api/operator/inventory/gems/${sku}`
