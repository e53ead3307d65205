import { sql } from 'kysely'
import { expect } from 'vitest'
import { buildApp } from '../../../src/http/app.ts'
import type { App } from '../../../src/http/route.ts'
import type { TestMarket, TestResponse } from '../../support/market.ts'
import { type OrderMarket, openOrderMarket } from '../order-support.ts'

interface Line {
  sku: string
  quantity?: number
  offer_price?: number
}

interface QuoteOptions {
  by?: string
  body?: Record<string, unknown>
}

export interface QuoteMarket extends OrderMarket {
  /** A second node on the same database. */
  node: App
  quote(lines: (string | Line)[], options?: QuoteOptions): Promise<TestResponse>
  /** The same, of a quote that is made. */
  quoted(lines: (string | Line)[], options?: QuoteOptions): Promise<TestResponse['body']>
  read(uuid: string, by?: string): Promise<TestResponse>
  answer(uuid: string, verb: string, body?: object): Promise<TestResponse>
  advance(interval: string): Promise<void>
}

export async function openQuoteMarket(): Promise<QuoteMarket> {
  const market = await openOrderMarket()
  const node = await buildApp(market.deps)
  await node.ready()
  const quote: QuoteMarket['quote'] = (lines, { by = market.buyer.key, body = {} } = {}) =>
    market.call('POST', '/api/v3/quotes', {
      token: by,
      body: {
        line_items: lines.map((line) =>
          typeof line === 'string' ? { sku: line, quantity: 1 } : { quantity: 1, ...line },
        ),
        ...body,
      },
    })
  return {
    ...market,
    node,
    quote,
    async quoted(lines, options) {
      const made = await quote(lines, options)
      expect(made.status, made.text).toBe(201)
      return made.body
    },
    read: (uuid, by = market.buyer.key) =>
      market.call('GET', `/api/v3/quotes/${uuid}`, { token: by }),
    answer: (uuid, verb, body) =>
      market.call('POST', `/api/operator/quotes/${uuid}/${verb}`, {
        token: market.adminKey,
        ...(body && { body }),
      }),
    advance: (interval) => advance(market, interval),
    async close() {
      await node.close()
      await market.close()
    },
  }
}

/** Moves the clock of the market. */
export async function advance({ database: { db }, app }: TestMarket, interval: string) {
  const { rows } = await sql<{ moved: string }>`
    select (market_offset() + ${interval}::interval)::text as moved`.execute(db)
  await sql`create or replace function market_offset() returns interval
    language sql stable parallel safe
    return interval '${sql.raw(rows[0].moved)}'`.execute(db)
  await app.services.clock.measure()
}

/** The types and the data of the merchant's events, oldest first. */
export async function eventsOf(market: OrderMarket, prefix: string, by = market.buyer.key) {
  const { body } = await market.call('GET', '/api/v3/events?after=0&limit=1000', { token: by })
  const events: { event_type: string; event_data: Record<string, unknown> }[] = body.events
  return events.filter(({ event_type }) => event_type.startsWith(prefix))
}
