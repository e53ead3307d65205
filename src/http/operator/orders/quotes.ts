import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../../database/open.ts'
import { acceptQuote, counterQuote, declineQuote } from '../../../orders/quotes/answer-quote.ts'
import type { Quote } from '../../../orders/quotes/quote.ts'
import { getQuote, searchQuotes } from '../../../orders/quotes/quote-store.ts'
import { writeOnce } from '../../request/idempotency.ts'
import { type App, operatorWith } from '../../route.ts'
import { inlineObject, uuid } from '../../schemas/fields.ts'
import {
  AcceptQuoteBody,
  CounterQuoteBody,
  DeclineQuoteBody,
  OperatorQuoteQuery,
  QuoteSchema,
} from '../../schemas/orders/quote.ts'
import { pageOf } from '../../schemas/page.ts'
import type { Services } from '../../services.ts'
import { renderQuote } from '../../shared/quote-rendering.ts'

const reading = { access: operatorWith('orders:read') } as const
const writing = { access: operatorWith('orders:write') } as const
const tags = ['Orders']
const params = inlineObject({ uuid: uuid('UUID of the quote') })
const response = { 200: QuoteSchema }

/** Quotes in the operator's hands: offers are accepted, declined or countered. */
export function registerOperatorQuotes(app: App, { db, catchUp }: Services): void {
  app.get(
    '/api/operator/quotes',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the quotes of all merchants, newest first',
        querystring: OperatorQuoteQuery,
        response: { 200: pageOf('QuotePage', 'quotes', QuoteSchema) },
      },
    },
    async ({ query }) => {
      const { limit, offset } = query
      const { quotes, total } = await searchQuotes(db, query)
      return { quotes: quotes.map(renderQuote), total, offset, limit }
    },
  )

  app.get(
    '/api/operator/quotes/:uuid',
    { config: reading, schema: { tags, summary: 'Returns one quote', params, response } },
    async (request) => renderQuote(await getQuote(db, request.params.uuid)),
  )

  app.post(
    '/api/operator/quotes/:uuid/accept',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Accepts what the merchant offers; the quote is open at these prices',
        params,
        body: AcceptQuoteBody,
        response,
      },
    },
    (request, reply) =>
      answer(request, reply, (tx) => acceptQuote(tx, request.params.uuid, request.body ?? {})),
  )

  app.post(
    '/api/operator/quotes/:uuid/decline',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Declines what the merchant offers, and ends the holds of the quote',
        params,
        body: DeclineQuoteBody,
        response,
      },
    },
    (request, reply) =>
      answer(request, reply, (tx) => declineQuote(tx, request.params.uuid, request.body ?? {})),
  )

  app.post(
    '/api/operator/quotes/:uuid/counter',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Sets other prices than were offered; the quote is open at these',
        params,
        body: CounterQuoteBody,
        response,
      },
    },
    (request, reply) =>
      answer(request, reply, (tx) => counterQuote(tx, request.params.uuid, request.body)),
  )

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    answerQuote: (tx: Tx) => Promise<Quote>,
  ) {
    const quote = await writeOnce(db, request, reply, 200, async (tx) =>
      renderQuote(await answerQuote(tx)),
    )
    await catchUp()
    return quote
  }
}
