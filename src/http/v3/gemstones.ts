import { searchGemstones } from '../../gems/search/gemstones.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { GemstonePage, GemstoneSearchBody } from '../schemas/gem-search.ts'
import type { Services } from '../services.ts'

export function registerGemstones(app: App, { gemstones }: Services): void {
  app.post(
    '/api/v3/gemstones/search',
    {
      config: { access: merchantWith('search'), countsAsSearch: true },
      schema: {
        tags: ['Gemstones'],
        summary: 'Searches the coloured stones at the prices of the merchant',
        body: GemstoneSearchBody,
        response: { 200: GemstonePage },
      },
    },
    async (request, reply) => {
      const answer = await searchGemstones(gemstones, merchantOf(request), request.body)
      // Rendered bytes of the declared shape, sent as they are.
      return reply.header('content-type', 'application/json; charset=utf-8').send(answer as never)
    },
  )
}
