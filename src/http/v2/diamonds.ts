import { DIAMOND_SEARCH } from '../../gems/search/field-tables.ts'
import { COSTS } from '../request/call-costs.ts'
import { type App, merchantOf, shopWindowWith } from '../route.ts'
import { CuratedGems, CurationBody } from '../schemas/curation.ts'
import { ParcelFiltersSchema, ParcelQuery } from '../schemas/gem-parcel.ts'
import { DiamondSearchBodyV2, DiamondSearchResultV2 } from '../schemas/gem-search.ts'
import type { Services } from '../services.ts'
import { readParcelFilters, sendCurated, sendDiamonds } from '../shared/diamonds.ts'

const access = shopWindowWith('search')
const tags = ['Diamonds']

/** The searches of v3, with the fields and filters of the specification only. */
export function registerDiamondsV2(app: App, services: Services): void {
  app.post(
    '/api/v2/diamonds/merchant_search',
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
        body: DiamondSearchBodyV2,
        response: { 200: DiamondSearchResultV2 },
      },
    },
    (request, reply) => {
      const { body } = request
      const { limit, offset } = body
      return sendDiamonds(reply, services, merchantOf(request), body, {
        table: DIAMOND_SEARCH,
        part: 'specified',
        countsOf: ({ total }) => ({ metadata: { limit, offset, total_count: total } }),
      })
    },
  )

  app.post(
    '/api/v2/diamonds/ai_search',
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
    '/api/v2/diamonds/get_parcel_filters',
    {
      config: { access, conditional: true, mayBeStale: true },
      schema: {
        tags,
        summary: 'Lists melee parcels in stock as a tree',
        description: 'The same as GET /api/v3/diamonds/get_parcel_filters.',
        querystring: ParcelQuery,
        response: { 200: ParcelFiltersSchema },
      },
    },
    (request) => readParcelFilters(services, merchantOf(request), request.query),
  )
}
