import { searchGemstones } from '../../gems/search/gemstones.ts'
import { COSTS } from '../request/call-costs.ts'
import { type App, merchantOf, shopWindowWith } from '../route.ts'
import { GemstonePage, GemstoneSearchBody } from '../schemas/gem-search.ts'
import type { Services } from '../services.ts'

/** Searches colored stones, which v2 does not have. */
export function registerGemstones(app: App, { gemstones }: Services): void {
  app.post(
    '/api/v3/gemstones/search',
    {
      config: {
        access: shopWindowWith('search'),
        cost: COSTS.search,
        countsAsSearch: true,
        mayBeStale: true,
        changesNothing: true,
      },
      schema: {
        tags: ['Gemstones'],
        summary: "Searches the colored stones at the merchant's prices",
        body: GemstoneSearchBody,
        response: { 200: GemstonePage },
      },
    },
    async (request, reply) => {
      const page = await searchGemstones(gemstones, merchantOf(request), request.body)
      // The bytes have the declared shape; the type of the route expects an object.
      return reply.header('content-type', 'application/json; charset=utf-8').send(page as never)
    },
  )
}
