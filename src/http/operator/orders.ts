import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../database/open.ts'
import { createJsonTexts } from '../../lib/json-text.ts'
import { loadOrderPage } from '../../orders/load-orders.ts'
import type { Order } from '../../orders/order.ts'
import { createKeptCounts } from '../../orders/order-counts.ts'
import { getOrder } from '../../orders/order-store.ts'
import { searchOrders } from '../../orders/search-orders.ts'
import { cancelOrder } from '../../orders/steps/cancel-order.ts'
import { fulfillOrder } from '../../orders/steps/fulfill-order.ts'
import { convertMemo, returnMemo } from '../../orders/steps/memo.ts'
import { payOrder } from '../../orders/steps/pay-order.ts'
import { writeOnce } from '../request/idempotency.ts'
import { sendWithTexts } from '../response/serialization.ts'
import { type App, operatorOf, operatorWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import {
  CancelBody,
  FulfillBody,
  NothingBody,
  OperatorOrderQuery,
  OperatorOrderSchema,
  ReturnBody,
} from '../schemas/orders/order-operator.ts'
import { pageOf } from '../schemas/page.ts'
import type { Services } from '../services.ts'
import { renderForOperator, renderListedForOperator } from '../shared/operator-order-rendering.ts'
import { datesOf } from '../shared/order-dates.ts'
import { sortOf } from '../shared/order-sort.ts'

const reading = { access: operatorWith('orders:read') } as const
const writing = { access: operatorWith('orders:write') } as const
const tags = ['Orders']
const params = inlineObject({ uuid: uuid('UUID of the order') })
const response = { 200: OperatorOrderSchema }
export const OperatorOrderPage = pageOf('OperatorOrderPage', 'orders', OperatorOrderSchema)

/** What happens to an order after it is placed. Each change also moves its stock. */
export function registerOperatorOrders(app: App, { db, catchUp, publicUrl }: Services): void {
  const counts = createKeptCounts()
  app.get(
    '/api/operator/orders',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists and searches the orders of all merchants',
        querystring: OperatorOrderQuery,
        response: { 200: OperatorOrderPage },
      },
    },
    async ({ query }, reply) => {
      const { limit, offset } = query
      const found = await searchOrders(
        db,
        {
          ...query,
          ...sortOf(query),
          ...datesOf(query),
          text: query.q,
        },
        counts,
      )
      const loaded = await loadOrderPage(db, found.uuids)
      const texts = createJsonTexts()
      const orders = loaded.map((order) => renderListedForOperator(order, publicUrl, texts))
      return sendWithTexts(reply, { orders, total: found.total, offset, limit }, texts)
    },
  )

  app.get(
    '/api/operator/orders/:uuid',
    { config: reading, schema: { tags, summary: 'Returns one order', params, response } },
    async (request) => renderForOperator(await getOrder(db, request.params.uuid), publicUrl),
  )

  app.post(
    '/api/operator/orders/:uuid/fulfill',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Ships units of an order; everything that is left unless lines are given',
        params,
        body: FulfillBody,
        response,
      },
    },
    (request, reply) =>
      change(request, reply, (tx) => fulfillOrder(tx, request.params.uuid, request.body)),
  )

  app.post(
    '/api/operator/orders/:uuid/pay',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Records that the balance was paid',
        params,
        body: NothingBody,
        response,
      },
    },
    (request, reply) =>
      change(request, reply, (tx) => payOrder(tx, request.params.uuid, operatorOf(request))),
  )

  app.post(
    '/api/operator/orders/:uuid/cancel',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Cancels what has not shipped, completely or by line, and restores the stock',
        params,
        body: CancelBody,
        response,
      },
    },
    (request, reply) =>
      change(request, reply, (tx) => cancelOrder(tx, request.params.uuid, request.body ?? {})),
  )

  app.post(
    '/api/operator/orders/:uuid/return',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Takes a memo back, completely or by line, and restores the stock',
        params,
        body: ReturnBody,
        response,
      },
    },
    (request, reply) =>
      change(request, reply, (tx) => returnMemo(tx, request.params.uuid, request.body ?? {})),
  )

  app.post(
    '/api/operator/orders/:uuid/convert',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Converts a memo to an invoice',
        params,
        body: NothingBody,
        response,
      },
    },
    (request, reply) => change(request, reply, (tx) => convertMemo(tx, request.params.uuid)),
  )

  async function change(
    request: FastifyRequest,
    reply: FastifyReply,
    changeOrder: (tx: Tx) => Promise<Order>,
  ) {
    const order = await writeOnce(db, request, reply, 200, async (tx) =>
      renderForOperator(await changeOrder(tx), publicUrl),
    )
    await catchUp()
    return order
  }
}
