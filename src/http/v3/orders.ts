import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { loadSummaries } from '../../orders/load-orders.ts'
import { createKeptCounts } from '../../orders/order-counts.ts'
import { getVisibleOrder } from '../../orders/order-store.ts'
import { searchOrders } from '../../orders/search-orders.ts'
import { cancelOrder } from '../../orders/steps/cancel-order.ts'
import { COSTS } from '../request/call-costs.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, merchantOf, merchantOrOperatorWith, merchantWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { OrderSummarySchema, PlacedOrderV3Schema } from '../schemas/orders/order.ts'
import { CancelBody } from '../schemas/orders/order-operator.ts'
import {
  OrderListV3Query,
  OrderSearchV3Query,
  PlaceOrderV3Body,
} from '../schemas/orders/order-request.ts'
import { pageOf } from '../schemas/page.ts'
import type { Services } from '../services.ts'
import { datesOf } from '../shared/order-dates.ts'
import { PLACING_REFUSALS, placeFor } from '../shared/order-placing.ts'
import { renderPlacedV3, renderSummary } from '../shared/order-rendering.ts'
import { sortOf } from '../shared/order-sort.ts'

const tags = ['Orders']
const reading = {
  access: merchantOrOperatorWith('orders:read'),
  cost: COSTS.list,
  conditional: true,
} as const
const OrderPageSchema = pageOf('OrderPage', 'orders', OrderSummarySchema)

/** v3 names the order id `external_order_id`, requires it, and lists summaries of orders. */
export function registerOrdersV3(app: App, services: Services): void {
  const counts = createKeptCounts()
  app.post(
    '/api/v3/orders/place',
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
        body: PlaceOrderV3Body,
        response: { 200: PlacedOrderV3Schema },
      },
    },
    (request, reply) => {
      const { external_order_id: order_id, ...body } = request.body
      const canSkip = body.on_unavailable === 'skip'
      return placeFor(services, request, reply, { ...body, order_id }, ({ order, skipped }) => ({
        ...renderPlacedV3(order, services.publicUrl),
        ...(canSkip && { skipped }),
      }))
    },
  )

  app.get(
    '/api/v3/orders/list',
    {
      config: reading,
      schema: {
        tags,
        summary: "Lists summaries of the merchant's orders; all orders with an admin token",
        querystring: OrderListV3Query,
        response: { 200: OrderPageSchema },
      },
    },
    (request) => listPage(request, request.query),
  )

  app.get(
    '/api/v3/orders/search',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Searches orders by text',
        description:
          'Searches order id, order reference, memo id, merchant names, SKUs, certificate ' +
          "numbers, weights, the suppliers' stock numbers and the UUID of the order.",
        querystring: OrderSearchV3Query,
        response: { 200: OrderPageSchema },
      },
    },
    (request) => listPage(request, request.query),
  )

  app.get(
    '/api/v3/orders/:uuid',
    {
      config: { access: merchantOrOperatorWith('orders:read'), conditional: true },
      schema: {
        tags,
        summary: "Returns one of the merchant's orders; any order with an admin token",
        params: inlineObject({ uuid: uuid('UUID of the order') }),
        response: { 200: PlacedOrderV3Schema },
      },
    },
    async ({ caller, params }) =>
      renderPlacedV3(
        await getVisibleOrder(services.db, params.uuid, caller.merchant?.uuid),
        services.publicUrl,
      ),
  )

  app.post(
    '/api/v3/orders/:uuid/cancel',
    {
      config: { access: merchantWith('orders:write') },
      schema: {
        tags,
        summary: 'Cancels an order, completely or by line, and restores the stock',
        description:
          'Possible while nothing of the order has shipped; lines of suppliers that confirm ' +
          'their orders, while they are unconfirmed. Afterwards it is 409 `too_late_to_cancel`.',
        params: inlineObject({ uuid: uuid('UUID of the order') }),
        body: CancelBody,
        response: { 200: PlacedOrderV3Schema },
      },
    },
    async (request, reply) => {
      const actor = { role: 'merchant', merchant_uuid: merchantOf(request).uuid } as const
      const order = await writeOnce(services.db, request, reply, 200, async (tx) =>
        renderPlacedV3(
          await cancelOrder(tx, request.params.uuid, request.body ?? {}, actor),
          services.publicUrl,
        ),
      )
      await services.catchUp()
      return order
    },
  )

  async function listPage({ caller }: FastifyRequest, query: Static<typeof OrderSearchV3Query>) {
    const { limit, offset } = query
    const found = await searchOrders(
      services.db,
      {
        ...query,
        ...sortOf(query),
        ...datesOf(query),
        text: query.q,
        merchant_uuid: caller.merchant?.uuid,
      },
      counts,
    )
    const orders = await loadSummaries(services.db, found.uuids)
    return { orders: orders.map(renderSummary), total: found.total, offset, limit }
  }
}
