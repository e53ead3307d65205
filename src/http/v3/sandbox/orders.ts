import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../../database/open.ts'
import type { Order } from '../../../orders/order.ts'
import { OPERATOR } from '../../../orders/order-life.ts'
import { getVisibleOrder } from '../../../orders/order-store.ts'
import { substitutesFrom } from '../../../orders/placing/nearest-stones.ts'
import { SANDBOX_SHIPMENT } from '../../../orders/sandbox/run-scenarios.ts'
import { declineLines } from '../../../orders/steps/confirm-lines.ts'
import { fulfillOrder } from '../../../orders/steps/fulfill-order.ts'
import { payOrder } from '../../../orders/steps/pay-order.ts'
import { writeOnce } from '../../request/idempotency.ts'
import { type App, merchantOrOperatorWith } from '../../route.ts'
import { PlacedOrderV3Schema } from '../../schemas/orders/order.ts'
import { NothingBody } from '../../schemas/orders/order-operator.ts'
import { StepParams } from '../../schemas/stock/sandbox.ts'
import type { Services } from '../../services.ts'
import { renderPlacedV3 } from '../../shared/order-rendering.ts'

const config = { access: merchantOrOperatorWith('orders:write') } as const
const tags = ['Sandbox']
const response = { 200: PlacedOrderV3Schema }

/** In a sandbox a merchant does itself what the operator and suppliers do in production. */
export function registerSandboxOrders(app: App, services: Services): void {
  const { db, catchUp, publicUrl, diamonds } = services
  const schemaOf = (summary: string, description: string) => {
    return { tags, summary, description, params: StepParams, body: NothingBody, response }
  }

  app.post(
    '/api/sandbox/orders/:uuid/fulfill',
    {
      config,
      schema: schemaOf(
        'Ships what has not shipped yet',
        'As the operator does it, with a tracking number of the sandbox. An order that must be ' +
          'paid first is 409 `unpaid`.',
      ),
    },
    (request, reply) =>
      take(request, reply, (tx) => fulfillOrder(tx, request.params.uuid, SANDBOX_SHIPMENT)),
  )

  app.post(
    '/api/sandbox/orders/:uuid/decline',
    {
      config,
      schema: schemaOf(
        'Declines what nobody has confirmed yet',
        'As the supplier does it: the lines are cancelled, and `order.line.decline` names ' +
          'similar stones.',
      ),
    },
    (request, reply) =>
      take(request, reply, (tx) => {
        const deps = { publicUrl, findSubstitutes: substitutesFrom(diamonds.index) }
        const declined = { reason: 'Declined in the sandbox.' }
        return declineLines(tx, request.params.uuid, declined, OPERATOR, deps)
      }),
  )

  app.post(
    '/api/sandbox/orders/:uuid/pay',
    {
      config,
      schema: schemaOf('Records that the balance was paid', 'As the operator does it.'),
    },
    (request, reply) => take(request, reply, (tx) => payOrder(tx, request.params.uuid, 'sandbox')),
  )

  async function take(
    request: FastifyRequest & { params: { uuid: string } },
    reply: FastifyReply,
    step: (tx: Tx) => Promise<Order>,
  ) {
    const order = await writeOnce(db, request, reply, 200, async (tx) => {
      // Only the caller's own orders; those of others do not exist for it.
      await getVisibleOrder(tx, request.params.uuid, request.caller.merchant?.uuid)
      return renderPlacedV3(await step(tx), publicUrl)
    })
    await catchUp()
    return order
  }
}
