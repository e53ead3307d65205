import { parcelTree } from '../../gems/parcels.ts'
import { searchDiamonds } from '../../gems/search/diamonds.ts'
import { priceListOf } from '../../pricing/price-list.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { ParcelFiltersSchema, ParcelQuery } from '../schemas/gem-parcel.ts'
import { DiamondSearchBody, DiamondSearchResultV3 } from '../schemas/gem-search.ts'
import type { Services } from '../services.ts'
import { sendDiamonds } from '../shared/diamond-answer.ts'

export function registerDiamondsV3(app: App, { diamonds, parcels, publicUrl }: Services): void {
  app.post(
    '/api/v3/diamonds/merchant_search',
    {
      config: { access: merchantWith('search'), countsAsSearch: true },
      schema: {
        tags: ['Diamonds'],
        summary: 'Searches the diamond market at the prices of the merchant',
        body: DiamondSearchBody,
        response: { 200: DiamondSearchResultV3 },
      },
    },
    async (request, reply) => {
      const { body } = request
      const found = await searchDiamonds(diamonds, merchantOf(request), body)
      const { limit, offset } = body
      return sendDiamonds(reply, diamonds.stones, found, body, {
        total: found.result.total,
        offset,
        limit,
      })
    },
  )

  app.get(
    '/api/v3/diamonds/get_parcel_filters',
    {
      config: { access: merchantWith('search'), hasTwin: true },
      schema: {
        tags: ['Diamonds'],
        summary: 'Lists melee parcels in stock as a tree',
        description: 'Shape, cut code, type, size in millimetres, quality; each leaf is a parcel.',
        querystring: ParcelQuery,
        response: { 200: ParcelFiltersSchema },
      },
    },
    async (request) => {
      const { shape, type } = request.query
      const merchant = merchantOf(request)
      const rows = await parcels.of(shape, type)
      return { filters: parcelTree(rows, priceListOf(merchant), publicUrl) }
    },
  )
}
