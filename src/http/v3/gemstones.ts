import type { FastifyReply } from 'fastify'
import type { PagedRequest } from '../../gems/search/cursor.ts'
import { searchGemstones } from '../../gems/search/gemstones.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { COSTS } from '../request/call-costs.ts'
import { type App, merchantOf, shopWindowWith } from '../route.ts'
import { GemstonePage, GemstoneSearchBody } from '../schemas/gem-search.ts'
import type { Services } from '../services.ts'

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

/** Searches colored stones, and sends the page as the bytes that the index side renders. */
export async function sendGemstones(
  reply: FastifyReply,
  { gemstones, searches }: Services,
  merchant: Merchant,
  asked: PagedRequest & { fields?: readonly string[] },
): Promise<FastifyReply> {
  const { bytes, total, offset } = await searchGemstones(gemstones, merchant, asked)
  // A further page is not another search.
  if (offset === 0) searches.days.count('gemstone', total)
  return reply.header('content-type', 'application/json; charset=utf-8').send(bytes)
}
