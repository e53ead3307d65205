import type { Static } from 'typebox'
import { findStone } from '../../gems/find-stone.ts'
import { renderExtensions, renderGem } from '../../gems/gem-rendering.ts'
import { renderPriceHistory } from '../../gems/price-changes.ts'
import { Refusal } from '../../lib/refusal.ts'
import { priceListOf } from '../../pricing/price-list.ts'
import { type App, merchantOf, shopWindowWith } from '../route.ts'
import { StoneParams, StoneQuery, StoneSchema } from '../schemas/inventory.ts'
import type { Services } from '../services.ts'

/** One stone, from the database: its prices in the past are not in memory. */
export function registerInventoryGems(app: App, services: Services): void {
  const { db, diamonds, publicUrl, clock } = services

  app.get(
    '/api/v3/inventory/gems/:sku',
    {
      config: { access: shopWindowWith('inventory:read'), scenarios: true },
      schema: {
        tags: ['Inventory'],
        summary: 'Returns one stone at your prices, with what it cost before',
        description:
          'A stone that is sold, on memo or not on sale is 404, and so is an offer of a stone of ' +
          'which you see another, and a treated diamond without include_treated. Earlier prices ' +
          'are at your present margins.',
        params: StoneParams,
        querystring: StoneQuery,
        response: { 200: StoneSchema },
      },
    },
    async (request) => {
      const merchant = merchantOf(request)
      const { sku } = request.params
      const { currency_code, include_treated: includeTreated } = request.query
      const found = await findStone(db, sku, { list: priceListOf(merchant), includeTreated })
      if (!found) throw new Refusal('not_found', `You see no stone with the SKU ${sku} on sale.`)
      const { gem, prices } = found
      const product = gem.product_type === 'gemstone' ? 'gemstone' : 'diamond'
      const rules = await diamonds.rules.get(merchant, currency_code, product)
      const { species, origin } = gem
      const stone = {
        ...renderGem(gem, rules, publicUrl, clock.now()),
        ...renderExtensions(gem),
        ...(product === 'gemstone' && { species, origin }),
        price_history: renderPriceHistory(gem, prices, rules),
      }
      // The rendered fields have the declared types; TypeScript does not know it of each.
      return stone as unknown as Static<typeof StoneSchema>
    },
  )
}
