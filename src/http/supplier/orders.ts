import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../database/open.ts'
import { getSupplierByUuid } from '../../gems/supplier-store.ts'
import type { OrderActor } from '../../orders/order-life.ts'
import { substitutesFrom } from '../../orders/placing/nearest-stones.ts'
import { confirmLines, declineLines } from '../../orders/steps/confirm-lines.ts'
import { fulfillOrder } from '../../orders/steps/fulfill-order.ts'
import { getSupplierOrder, listSupplierOrders } from '../../orders/supplier-orders.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, supplierUuidOf, supplierWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { ConfirmBody, DeclineBody, FulfillBody } from '../schemas/orders/order-operator.ts'
import {
  SupplierOrderPage,
  SupplierOrderQuery,
  SupplierOrderSchema,
} from '../schemas/orders/supplier-order.ts'
import type { Services } from '../services.ts'
import { datesOf } from '../shared/order-dates.ts'
import { renderSupplierOrder } from '../shared/supplier-order-rendering.ts'

const reading = { access: supplierWith('orders:read') } as const
const writing = { access: supplierWith('orders:write') } as const
const tags = ['Orders']
const params = inlineObject({ uuid: uuid('UUID of the order') })
const response = { 200: SupplierOrderSchema }

/** A supplier's own lines of orders: read, answered and shipped. */
export function registerSupplierOrders(app: App, services: Services): void {
  const { db } = services
  app.get(
    '/api/supplier/orders',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the orders that have lines of yours, newest first',
        querystring: SupplierOrderQuery,
        response: { 200: SupplierOrderPage },
      },
    },
    async (request) => {
      const { query } = request
      const { limit, offset } = query
      const supplier = await getSupplierByUuid(db, supplierUuidOf(request))
      const found = await listSupplierOrders(db, supplier, { ...query, ...datesOf(query) })
      return { orders: found.orders.map(renderSupplierOrder), total: found.total, offset, limit }
    },
  )

  app.get(
    '/api/supplier/orders/:uuid',
    {
      config: reading,
      schema: { tags, summary: 'Returns one order with your lines', params, response },
    },
    async (request) => {
      const supplier = await getSupplierByUuid(db, supplierUuidOf(request))
      return renderSupplierOrder(await getSupplierOrder(db, supplier, request.params.uuid))
    },
  )

  registerAnswers(app, services)
}

type SupplierActor = Extract<OrderActor, { role: 'supplier' }>

function registerAnswers(app: App, { db, catchUp, publicUrl, diamonds }: Services): void {
  app.post(
    '/api/supplier/orders/:uuid/confirm',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Confirms lines of yours; all that wait for an answer unless lines are given',
        params,
        body: ConfirmBody,
        response,
      },
    },
    (request, reply) =>
      change(request, reply, (tx, actor) =>
        confirmLines(tx, request.params.uuid, request.body ?? {}, actor),
      ),
  )

  app.post(
    '/api/supplier/orders/:uuid/decline',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Declines lines that you cannot deliver',
        description:
          'The lines are cancelled, and their stones are gone until your feed lists them again. ' +
          'The merchant reads the reason. Lines that were confirmed cannot be declined any more.',
        params,
        body: DeclineBody,
        response,
      },
    },
    (request, reply) => {
      const deps = { publicUrl, findSubstitutes: substitutesFrom(diamonds.index) }
      return change(request, reply, (tx, actor) =>
        declineLines(tx, request.params.uuid, request.body, actor, deps),
      )
    },
  )

  app.post(
    '/api/supplier/orders/:uuid/fulfill',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Ships units of your lines; everything that is left unless lines are given',
        description:
          'Only for suppliers that ship to merchants themselves; 403 otherwise. Shipping ' +
          'confirms lines that were not confirmed yet.',
        params,
        body: FulfillBody,
        response,
      },
    },
    (request, reply) =>
      change(request, reply, (tx, actor) =>
        fulfillOrder(tx, request.params.uuid, request.body, actor),
      ),
  )

  /** The response is read again: what a step returns has everything of the order. */
  async function change(
    request: FastifyRequest<{ Params: { uuid: string } }>,
    reply: FastifyReply,
    takeStep: (tx: Tx, actor: SupplierActor) => Promise<unknown>,
  ) {
    const order = await writeOnce(db, request, reply, 200, async (tx) => {
      const { id, ships } = await getSupplierByUuid(tx, supplierUuidOf(request))
      await takeStep(tx, { role: 'supplier', supplier_id: id, ships })
      return renderSupplierOrder(await getSupplierOrder(tx, { id, ships }, request.params.uuid))
    })
    await catchUp()
    return order
  }
}
