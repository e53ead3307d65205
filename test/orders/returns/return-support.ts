import { expect } from 'vitest'
import type { TestResponse } from '../../support/market.ts'
import { addStone } from '../order-support.ts'
import { openQuoteMarket, type QuoteMarket } from '../quotes/quote-support.ts'

export interface ReturnMarket extends QuoteMarket {
  /** A stone that may be returned for 14 days. */
  stone(fields?: Parameters<typeof addStone>[1]): Promise<string>
  /** Places an order of these SKUs and ships all of it, for the first merchant unless given. */
  shipped(skus: string[], body?: object, by?: string): Promise<TestResponse['body']>
  ship(uuid: string, body?: object): Promise<void>
  /** Asks to return lines; one of each line of the order unless given. */
  ask(order: Placed, lines?: Line[], by?: string): Promise<TestResponse>
  asked(order: Placed, lines?: Line[]): Promise<TestResponse['body']>
  decide(uuid: string, verb: string, body?: object): Promise<TestResponse>
}

interface Placed {
  uuid: string
  line_items: { uuid: string }[]
}
interface Line {
  uuid: string
  quantity: number
}

export async function openReturnMarket(): Promise<ReturnMarket> {
  const market = await openQuoteMarket()
  const ship: ReturnMarket['ship'] = async (uuid, body = {}) => {
    const done = await market.call('POST', `/api/operator/orders/${uuid}/fulfill`, {
      token: market.adminKey,
      body: { tracking_company: 'Facet Express', tracking_number: 'FX-1', ...body },
    })
    expect(done.status, done.text).toBe(200)
  }
  const ask: ReturnMarket['ask'] = (order, lines, by = market.buyer.key) =>
    market.call('POST', `/api/v3/orders/${order.uuid}/returns`, {
      token: by,
      body: {
        line_items: lines ?? order.line_items.map(({ uuid }) => ({ uuid, quantity: 1 })),
        reason: 'the customer chose another stone',
      },
    })
  return {
    ...market,
    ship,
    ask,
    stone: (fields) =>
      addStone(market.database.db, { returnable: true, days_to_return: 14, ...fields }),
    async shipped(skus, body = {}, by = market.buyer.key) {
      const placed = await market.place(skus, { by, body: { ...body } })
      expect(placed.status, placed.text).toBe(200)
      await ship(placed.body.uuid)
      return placed.body
    },
    async asked(order, lines) {
      const made = await ask(order, lines)
      expect(made.status, made.text).toBe(201)
      return made.body
    },
    decide: (uuid, verb, body) =>
      market.call('POST', `/api/operator/returns/${uuid}/${verb}`, {
        token: market.adminKey,
        ...(body && { body }),
      }),
  }
}
