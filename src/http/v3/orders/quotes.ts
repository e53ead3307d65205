import { substitutesFrom } from '../../../orders/placing/nearest-stones.ts'
import { removeQuote } from '../../../orders/quotes/answer-quote.ts'
import { makeQuote } from '../../../orders/quotes/make-quote.ts'
import { getQuote, searchQuotes } from '../../../orders/quotes/quote-store.ts'
import { write } from '../../request/acting.ts'
import { COSTS } from '../../request/call-costs.ts'
import { writeOnce } from '../../request/idempotency.ts'
import { type App, merchantOrOperatorWith } from '../../route.ts'
import { inlineObject, uuid } from '../../schemas/fields.ts'
import { QuoteBody, QuoteListQuery, QuoteSchema } from '../../schemas/orders/quote.ts'
import { pageOf, Removed } from '../../schemas/page.ts'
import type { Services } from '../../services.ts'
import { buyerOf, refuseRepeatedSkus } from '../../shared/order-placing.ts'
import { renderQuote } from '../../shared/quote-rendering.ts'

const tags = ['Orders']
const reading = { access: merchantOrOperatorWith('orders:read') } as const
const writing = { access: merchantOrOperatorWith('orders:write') } as const
const params = inlineObject({ uuid: uuid('UUID of the quote') })

/** Prices that are promised until a time, with holds of the stones where asked for. */
export function registerQuotes(app: App, services: Services): void {
  const { db, catchUp, diamonds, publicUrl } = services

  app.post(
    '/api/v3/quotes',
    {
      config: { ...writing, cost: COSTS.placement, scenarios: true },
      schema: {
        tags,
        summary: 'Freezes prices and the exchange rate for a while',
        description:
          'What cannot be ordered now is refused as an order of it. With `hold` the stones are ' +
          'held as well, within the limits of holds. With an `offer_price` in some line it is ' +
          '`requested` until the operator has accepted, declined or countered the offer. ' +
          'Orders charge its prices when they name it as `quote_uuid`.',
        body: QuoteBody,
        response: { 201: QuoteSchema },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      refuseRepeatedSkus(body.line_items)
      const merchant_uuid = buyerOf(caller, body.merchant_uuid)
      const byOperator = caller.merchant === undefined
      const deps = { publicUrl, findSubstitutes: substitutesFrom(diamonds.index) }
      const quote = await writeOnce(db, request, reply, 201, async (tx) =>
        renderQuote(await makeQuote(tx, { ...body, merchant_uuid, byOperator }, deps)),
      )
      if (body.hold) await catchUp()
      return quote
    },
  )

  app.get(
    '/api/v3/quotes',
    {
      config: { ...reading, cost: COSTS.list, conditional: true },
      schema: {
        tags,
        summary: "Lists the merchant's quotes, newest first; all quotes with an admin token",
        querystring: QuoteListQuery,
        response: { 200: pageOf('QuotePage', 'quotes', QuoteSchema) },
      },
    },
    async ({ caller, query }) => {
      const { limit, offset } = query
      const merchant_uuid = caller.merchant?.uuid
      const { quotes, total } = await searchQuotes(db, { ...query, merchant_uuid })
      return { quotes: quotes.map(renderQuote), total, offset, limit }
    },
  )

  app.get(
    '/api/v3/quotes/:uuid',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: "Returns one of the merchant's quotes; any quote with an admin token",
        params,
        response: { 200: QuoteSchema },
      },
    },
    async ({ caller, params: { uuid } }) =>
      renderQuote(await getQuote(db, uuid, caller.merchant?.uuid)),
  )

  app.delete(
    '/api/v3/quotes/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Deletes a quote and ends its holds; one that was ordered stays',
        params,
        response: { 204: Removed },
      },
    },
    async (request, reply) => {
      const { uuid } = request.params
      const merchantUuid = request.caller.merchant?.uuid
      await write(db, request, (tx) => removeQuote(tx, uuid, merchantUuid))
      await catchUp()
      return reply.code(204).send(null)
    },
  )
}
