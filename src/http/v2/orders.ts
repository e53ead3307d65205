import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { createJsonTexts } from '../../lib/json-text.ts'
import { loadOrderPage } from '../../orders/load-orders.ts'
import { createKeptCounts } from '../../orders/order-counts.ts'
import { getVisibleOrder } from '../../orders/order-store.ts'
import { searchOrders } from '../../orders/search-orders.ts'
import { COSTS } from '../request/call-costs.ts'
import { sendWithTexts } from '../response/serialization.ts'
import { type App, merchantOrOperatorWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { OrderListSchema, OrderSchema, PlacedOrderSchema } from '../schemas/orders/order.ts'
import {
  OrderListQuery,
  OrderSearchQuery,
  PlaceOrderBody,
} from '../schemas/orders/order-request.ts'
import type { Services } from '../services.ts'
import { datesOf } from '../shared/order-dates.ts'
import { PLACING_REFUSALS, placeFor } from '../shared/order-placing.ts'
import { listedFor, PLACED, renderOrder, singleFor } from '../shared/order-rendering.ts'

type ListQuery = Static<typeof OrderListQuery> & { text?: string | undefined }

const tags = ['Orders']
const reading = {
  access: merchantOrOperatorWith('orders:read'),
  cost: COSTS.list,
  conditional: true,
} as const

/** v2 returns whole orders, with copies of their products; v3 returns summaries. */
export function registerOrdersV2(app: App, services: Services): void {
  const counts = createKeptCounts()
  app.post(
    '/api/v2/orders/place',
    {
      config: {
        access: merchantOrOperatorWith('orders:write'),
        cost: COSTS.placement,
        scenarios: true,
      },
      schema: {
        tags,
        summary: 'Places an order by SKUs and quantities, all lines or none',
        description: PLACING_REFUSALS,
        body: PlaceOrderBody,
        response: { 200: PlacedOrderSchema },
      },
    },
    (request, reply) =>
      placeFor(
        services,
        request,
        reply,
        { ...request.body, order_id: request.body.order_id || undefined },
        ({ order }) => renderOrder(order, PLACED),
      ),
  )

  app.get(
    '/api/v2/orders/list',
    {
      config: reading,
      schema: {
        tags,
        summary: "Lists the merchant's orders; all orders with an admin token",
        querystring: OrderListQuery,
        response: { 200: OrderListSchema },
      },
    },
    (request, reply) => listPage(request, reply, request.query),
  )

  app.get(
    '/api/v2/orders/search',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Searches orders by text',
        description:
          'Searches order id, order reference, memo id, merchant names, SKUs, certificate ' +
          "numbers, weights, the suppliers' stock numbers and the UUID of the order.",
        querystring: OrderSearchQuery,
        response: { 200: OrderListSchema },
      },
    },
    (request, reply) => {
      const { query: text, ...query } = request.query
      return listPage(request, reply, { ...query, text })
    },
  )

  app.get(
    '/api/v2/orders/:uuid',
    {
      config: { access: merchantOrOperatorWith('orders:read'), conditional: true },
      schema: {
        tags,
        summary: "Returns one of the merchant's orders; any order with an admin token",
        params: inlineObject({ uuid: uuid('UUID of the order') }),
        response: { 200: OrderSchema },
      },
    },
    async ({ caller, params }) => {
      const order = await getVisibleOrder(services.db, params.uuid, caller.merchant?.uuid)
      return renderOrder(order, singleFor(caller.merchant ? 'buyer' : 'supplier'))
    },
  )

  async function listPage({ caller }: FastifyRequest, reply: FastifyReply, query: ListQuery) {
    const { limit, offset } = query
    const found = await searchOrders(
      services.db,
      {
        ...query,
        ...datesOf(query),
        merchant_uuid: caller.merchant?.uuid,
      },
      counts,
    )
    const loaded = await loadOrderPage(services.db, found.uuids)
    const texts = createJsonTexts()
    const form = listedFor(caller.merchant ? 'buyer' : 'supplier', texts)
    const orders = loaded.map((order) => renderOrder(order, form))
    const metadata = { limit, offset, total_count: found.total }
    return sendWithTexts(reply, { metadata, orders }, texts)
  }
}
