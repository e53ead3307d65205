import { COSTS } from '../request/call-costs.ts'
import { type App, merchantOf, shopWindowWith } from '../route.ts'
import { GemstonePage, GemstoneSearchBody } from '../schemas/gem-search.ts'
import type { Services } from '../services.ts'
import { sendGemstones } from '../shared/gemstones.ts'

/** Searches colored stones, which v2 does not have. */
export function registerGemstones(app: App, services: Services): void {
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
    async (request, reply) => sendGemstones(reply, services, merchantOf(request), request.body),
  )
}
