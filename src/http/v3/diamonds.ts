import { COSTS } from '../request/call-costs.ts'
import { type App, merchantOf, shopWindowWith } from '../route.ts'
import { CuratedGems, CurationBody } from '../schemas/curation.ts'
import { ParcelFiltersSchema, ParcelQuery } from '../schemas/gem-parcel.ts'
import { DiamondSearchBodyV3, DiamondSearchResultV3 } from '../schemas/gem-search.ts'
import type { Services } from '../services.ts'
import { readParcelFilters, sendCurated, sendDiamondsV3 } from '../shared/diamonds.ts'

const access = shopWindowWith('search')
const tags = ['Diamonds']

/** Searches from memory. The responses are bytes that the index side renders, not objects. */
export function registerDiamondsV3(app: App, services: Services): void {
  app.post(
    '/api/v3/diamonds/merchant_search',
    {
      config: {
        access,
        cost: COSTS.search,
        countsAsSearch: true,
        mayBeStale: true,
        changesNothing: true,
        scenarios: true,
      },
      schema: {
        tags,
        summary: "Searches the diamond market at the merchant's prices",
        description:
          'Treated diamonds are found only when the filter `treatment` asks for them, by the ' +
          'words that suppliers use for treatments, or include_treated asks for all. Pages are ' +
          'read by offset, or with next_cursor of the page before as cursor: see /docs/search.',
        body: DiamondSearchBodyV3,
        response: { 200: DiamondSearchResultV3 },
      },
    },
    (request, reply) => sendDiamondsV3(reply, services, merchantOf(request), request.body),
  )

  app.post(
    '/api/v3/diamonds/get_diamonds_by_merchant_templates',
    {
      config: {
        access,
        cost: COSTS.curation,
        countsAsSearch: true,
        mayBeStale: true,
        changesNothing: true,
        namesOthers: true,
      },
      schema: {
        tags,
        summary: 'Chooses one stone, or one matched pair, for each template',
        description: '/docs/curated-search explains how stones are chosen.',
        body: CurationBody,
        response: { 200: CuratedGems },
      },
    },
    async (request, reply) => sendCurated(services, request, reply, request.body),
  )

  app.get(
    '/api/v3/diamonds/get_parcel_filters',
    {
      config: { access, conditional: true, mayBeStale: true },
      schema: {
        tags,
        summary: 'Lists melee parcels in stock as a tree',
        description:
          'The levels are shape, cut code, type, size in millimetres and quality. Each leaf is a ' +
          'parcel.',
        querystring: ParcelQuery,
        response: { 200: ParcelFiltersSchema },
      },
    },
    (request) => readParcelFilters(services, merchantOf(request), request.query),
  )
}
