import { listMemos } from '../../../orders/memos/memo-ledger.ts'
import { extendMemo } from '../../../orders/steps/memo.ts'
import { writeOnce } from '../../request/idempotency.ts'
import { type App, operatorWith } from '../../route.ts'
import { inlineObject, uuid } from '../../schemas/fields.ts'
import { ExtendBody, OperatorMemoPageSchema, OperatorMemoQuery } from '../../schemas/orders/memo.ts'
import { OperatorOrderSchema } from '../../schemas/orders/order-operator.ts'
import type { Services } from '../../services.ts'
import { renderMemos, renderOperatorMemo } from '../../shared/memo-rendering.ts'
import { renderForOperator } from '../../shared/operator-order-rendering.ts'

const tags = ['Orders']

/** What merchants have on memo, and more time for a memo. */
export function registerOperatorMemos(app: App, { db, publicUrl }: Services): void {
  app.get(
    '/api/operator/memos',
    {
      config: { access: operatorWith('orders:read'), conditional: true },
      schema: {
        tags,
        summary: 'Lists what merchants have on memo, the first due first',
        querystring: OperatorMemoQuery,
        response: { 200: OperatorMemoPageSchema },
      },
    },
    async ({ query }) => renderMemos(await listMemos(db, query), renderOperatorMemo, query),
  )

  app.post(
    '/api/operator/orders/:uuid/extend',
    {
      config: { access: operatorWith('orders:write') },
      schema: {
        tags,
        summary: 'Moves the due date of a memo by some days',
        description:
          'The days are added to the due date, also when it has passed. A due date in the future ' +
          'is reminded of again.',
        params: inlineObject({ uuid: uuid('UUID of the order') }),
        body: ExtendBody,
        response: { 200: OperatorOrderSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 200, async (tx) =>
        renderForOperator(await extendMemo(tx, request.params.uuid, request.body.days), publicUrl),
      ),
  )
}
