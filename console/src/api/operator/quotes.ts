import type { Static } from 'typebox'
import type {
  CounterQuoteBody,
  OperatorQuoteQuery,
  QuoteSchema,
} from '../../../../src/http/schemas/orders/quote.ts'
import { call, newIdempotencyKey, type Page } from '../client.ts'

export type OperatorQuote = Static<typeof QuoteSchema>

export function listOperatorQuotes(
  query: Static<typeof OperatorQuoteQuery>,
  signal?: AbortSignal,
): Promise<Page<'quotes', typeof QuoteSchema>> {
  return call('GET', '/api/operator/quotes', { query, signal })
}

export function readOperatorQuote(uuid: string, signal?: AbortSignal): Promise<OperatorQuote> {
  return call('GET', '/api/operator/quotes/{uuid}', { path: { uuid }, signal })
}

const once = (uuid: string, body: unknown) => ({
  path: { uuid },
  body,
  idempotencyKey: newIdempotencyKey(),
})

export function acceptQuote(uuid: string): Promise<OperatorQuote> {
  return call('POST', '/api/operator/quotes/{uuid}/accept', once(uuid, {}))
}

export function declineQuote(uuid: string, reason: string): Promise<OperatorQuote> {
  const body = reason === '' ? {} : { reason }
  return call('POST', '/api/operator/quotes/{uuid}/decline', once(uuid, body))
}

export function counterQuote(
  uuid: string,
  counter: Static<typeof CounterQuoteBody>,
): Promise<OperatorQuote> {
  return call('POST', '/api/operator/quotes/{uuid}/counter', once(uuid, counter))
}
