import { searchDiamonds } from '../../gems/search/diamonds.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { DiamondSearchBody, DiamondSearchResultV2 } from '../schemas/gem-search.ts'
import type { Services } from '../services.ts'
import { sendDiamonds } from '../shared/diamond-answer.ts'

export function registerDiamondsV2(app: App, { diamonds }: Services): void {
  app.post(
    '/api/v2/diamonds/merchant_search',
    {
      config: { access: merchantWith('search'), countsAsSearch: true },
      schema: {
        tags: ['Diamonds'],
        summary: 'Searches the diamond market at the prices of the merchant',
        body: DiamondSearchBody,
        response: { 200: DiamondSearchResultV2 },
      },
    },
    async (request, reply) => {
      const { body } = request
      const found = await searchDiamonds(diamonds, merchantOf(request), body)
      const { limit, offset } = body
      const metadata = { limit, offset, total_count: found.result.total }
      return sendDiamonds(reply, diamonds.stones, found, body, { metadata })
    },
  )
}
