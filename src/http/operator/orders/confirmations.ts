import { OPERATOR } from '../../../orders/order-life.ts'
import { substitutesFrom } from '../../../orders/placing/nearest-stones.ts'
import { confirmLines, declineLines } from '../../../orders/steps/confirm-lines.ts'
import { writeOnce } from '../../request/idempotency.ts'
import { type App, operatorWith } from '../../route.ts'
import { inlineObject, uuid } from '../../schemas/fields.ts'
import {
  ConfirmBody,
  DeclineBody,
  OperatorOrderSchema,
} from '../../schemas/orders/order-operator.ts'
import type { Services } from '../../services.ts'
import { renderForOperator } from '../../shared/operator-order-rendering.ts'

const config = { access: operatorWith('orders:write') } as const
const tags = ['Orders']
const params = inlineObject({ uuid: uuid('UUID of the order') })
const response = { 200: OperatorOrderSchema }

/** The answers of suppliers to an order, recorded by the operator. */
export function registerConfirmations(app: App, services: Services): void {
  const { db, catchUp, publicUrl, diamonds } = services
  app.post(
    '/api/operator/orders/:uuid/confirm',
    {
      config,
      schema: {
        tags,
        summary: 'Confirms lines that wait for an answer; all of them unless lines are given',
        params,
        body: ConfirmBody,
        response,
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 200, async (tx) =>
        renderForOperator(
          await confirmLines(tx, request.params.uuid, request.body ?? {}, OPERATOR),
          publicUrl,
        ),
      ),
  )

  app.post(
    '/api/operator/orders/:uuid/decline',
    {
      config,
      schema: {
        tags,
        summary: 'Declines lines that the supplier cannot deliver',
        description:
          'The lines are cancelled, and their stones are gone until a feed lists them again. ' +
          'The event `order.line.decline` has up to five similar stones for each of them. Lines ' +
          'that somebody has confirmed are cancelled instead.',
        params,
        body: DeclineBody,
        response,
      },
    },
    async (request, reply) => {
      const deps = { publicUrl, findSubstitutes: substitutesFrom(diamonds.index) }
      const order = await writeOnce(db, request, reply, 200, async (tx) =>
        renderForOperator(
          await declineLines(tx, request.params.uuid, request.body, OPERATOR, deps),
          publicUrl,
        ),
      )
      await catchUp()
      return order
    },
  )
}
