import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../../database/open.ts'
import {
  approveReturn,
  receiveReturn,
  rejectReturn,
} from '../../../orders/returns/change-return.ts'
import type { OrderReturn } from '../../../orders/returns/return.ts'
import { getReturn, searchReturns } from '../../../orders/returns/return-store.ts'
import { writeOnce } from '../../request/idempotency.ts'
import { type App, operatorWith } from '../../route.ts'
import { inlineObject, uuid } from '../../schemas/fields.ts'
import { NothingBody } from '../../schemas/orders/order-operator.ts'
import {
  OperatorReturnQuery,
  OrderReturnSchema,
  RejectReturnBody,
} from '../../schemas/orders/return.ts'
import { pageOf } from '../../schemas/page.ts'
import type { Services } from '../../services.ts'
import { renderReturn } from '../../shared/return-rendering.ts'

const reading = { access: operatorWith('orders:read') } as const
const writing = { access: operatorWith('orders:write') } as const
const tags = ['Orders']
const params = inlineObject({ uuid: uuid('UUID of the return') })
const response = { 200: OrderReturnSchema }

/** Returns in the operator's hands: decided, and received. */
export function registerOperatorReturns(app: App, { db, catchUp }: Services): void {
  app.get(
    '/api/operator/returns',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the returns of all merchants, newest first',
        querystring: OperatorReturnQuery,
        response: { 200: pageOf('OrderReturnPage', 'returns', OrderReturnSchema) },
      },
    },
    async ({ query }) => {
      const { limit, offset } = query
      const { returns, total } = await searchReturns(db, query)
      return { returns: returns.map(renderReturn), total, offset, limit }
    },
  )

  app.get(
    '/api/operator/returns/:uuid',
    { config: reading, schema: { tags, summary: 'Returns one return', params, response } },
    async (request) => renderReturn(await getReturn(db, request.params.uuid)),
  )

  app.post(
    '/api/operator/returns/:uuid/approve',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Tells the merchant to send the goods back',
        params,
        body: NothingBody,
        response,
      },
    },
    (request, reply) => change(request, reply, (tx) => approveReturn(tx, request.params.uuid)),
  )

  app.post(
    '/api/operator/returns/:uuid/reject',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Rejects a return that was not received yet',
        params,
        body: RejectReturnBody,
        response,
      },
    },
    (request, reply) =>
      change(request, reply, (tx) => rejectReturn(tx, request.params.uuid, request.body ?? {})),
  )

  app.post(
    '/api/operator/returns/:uuid/receive',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Records that the goods are back; restores the stock and credits the merchant',
        params,
        body: NothingBody,
        response,
      },
    },
    (request, reply) => change(request, reply, (tx) => receiveReturn(tx, request.params.uuid)),
  )

  async function change(
    request: FastifyRequest,
    reply: FastifyReply,
    changeReturn: (tx: Tx) => Promise<OrderReturn>,
  ) {
    const changed = await writeOnce(db, request, reply, 200, async (tx) =>
      renderReturn(await changeReturn(tx)),
    )
    await catchUp()
    return changed
  }
}
