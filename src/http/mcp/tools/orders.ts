import type { Static } from 'typebox'
import { Type } from 'typebox'
import { flag, inlineObject, oneOf, uuid } from '../../schemas/fields.ts'
import type { AccountSchema } from '../../schemas/orders/account.ts'
import { OrderSearchV3Query, PlaceOrderV3Body } from '../../schemas/orders/order-request.ts'
import type { QuoteSchema } from '../../schemas/orders/quote.ts'
import { QuoteBody } from '../../schemas/orders/quote.ts'
import { limitField } from '../../schemas/page.ts'
import { orderPage, stonePage } from '../console-pages.ts'
import { type MarketCalls, RefusedCall } from '../market-calls.ts'
import {
  dryRunOf,
  type OrderSummary,
  orderOf,
  type PlacedOrder,
  quoteOf,
  summaryOf,
} from '../orders.ts'
import { ADDS, READS, tool } from '../tool.ts'
import { holdOf, listHolds } from './stones.ts'
import { idempotencyKey } from './writing.ts'

type Quote = Static<typeof QuoteSchema>

const ORDERS = 10
const ORDERS_MAX = 50
/** As many holds as a model reads with pleasure; `release_hold` finds the others by SKU. */
const HOLDS_SHOWN = 20

/** For the operator, whose tokens `/mcp` does not admit. */
const OF_THE_OPERATOR = ['merchant_uuid', 'allow_unavailable', 'ignore_limits']

export const makeQuote = tool('make_quote', {
  description:
    'Freeze prices and the exchange rate for a while, or offer your own with offer_price. ' +
    'place_order charges them when given its uuid as quote_uuid.',
  schema: inlineObject({ ...QuoteBody.properties, idempotency_key: idempotencyKey }),
  hidden: OF_THE_OPERATOR,
  annotations: ADDS,
  run: async ({ idempotency_key, ...body }, market) => {
    const quote = await market.post<Quote>('/api/v3/quotes', body, idempotency_key)
    return { ...quoteOf(quote), console: market.page(stonePage(body.line_items[0].sku)) }
  },
})

export const placeOrder = tool('place_order', {
  description:
    'Buy (invoice) or take on memo, by SKUs. Without confirm: true it is a dry run that checks ' +
    'and prices the order and buys nothing: show that to the user, and confirm when they agree.',
  schema: inlineObject({
    ...PlaceOrderV3Body.properties,
    confirm: Type.Optional(flag('true places the order; anything else is a dry run', true)),
    idempotency_key: idempotencyKey,
  }),
  hidden: [...OF_THE_OPERATOR, 'dry_run'],
  run: async ({ confirm, idempotency_key, ...body }, market) => {
    const dry_run = confirm !== true || body.dry_run === true
    const path = '/api/v3/orders/place'
    const order = await market.post<PlacedOrder>(path, { ...body, dry_run }, idempotency_key)
    if (dry_run) {
      const next = 'Nothing is ordered yet. Repeat with confirm: true to place this order.'
      return { ...dryRunOf(order), next, console: market.page(stonePage(body.line_items[0].sku)) }
    }
    return { ...orderOf(order), console: market.page(orderPage(order.external_order_id)) }
  },
})

export const listOrders = tool('list_orders', {
  description: 'Your orders, newest first. q searches ids, SKUs and certificate numbers.',
  schema: inlineObject({
    ...OrderSearchV3Query.properties,
    limit: limitField(ORDERS, ORDERS_MAX),
    sort_order: oneOf(['asc', 'desc'], 'Sort direction', { default: 'desc' }),
  }),
  hidden: ['debug', 'order_by', 'order', 'has_unfulfilled', 'updated_since'],
  annotations: READS,
  run: async (query, market) => {
    const page = await market.get<OrderPage>('/api/v3/orders/search', query)
    return {
      total: page.total,
      orders: page.orders.map(summaryOf),
      console: market.page('/orders'),
    }
  },
})

interface OrderPage {
  orders: OrderSummary[]
  total: number
}

export const getOrder = tool('get_order', {
  description: 'One of your orders: lines, charges, balance, tracking, documents.',
  schema: inlineObject({ uuid: uuid('UUID of the order') }),
  annotations: READS,
  run: async ({ uuid: id }, market) => {
    const order = await market.get<PlacedOrder>(`/api/v3/orders/${id}`)
    return { ...orderOf(order), console: market.page(orderPage(order.external_order_id)) }
  },
})

export const account = tool('account', {
  description: 'Your credit and memo limits, what you owe, and the stones that you hold.',
  schema: inlineObject({}),
  annotations: READS,
  run: async (_, market) => ({
    ...(await market.get<Static<typeof AccountSchema>>('/api/v3/account')),
    ...(await heldStones(market)),
    console: market.page('/orders'),
  }),
})

/** A key may be allowed to read the account and not the stock. */
async function heldStones(market: MarketCalls): Promise<object> {
  try {
    const { holds, total } = await listHolds(market, HOLDS_SHOWN)
    return { holds: holds.map(holdOf), holds_total: total }
  } catch (error) {
    if (error instanceof RefusedCall && error.problem.code === 'missing_scope') return {}
    throw error
  }
}
