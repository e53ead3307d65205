import { requestReturn } from '../../../orders/returns/change-return.ts'
import { getReturn, searchReturns } from '../../../orders/returns/return-store.ts'
import { COSTS } from '../../request/call-costs.ts'
import { writeOnce } from '../../request/idempotency.ts'
import { type App, merchantOf, merchantOrOperatorWith, merchantWith } from '../../route.ts'
import { inlineObject, uuid } from '../../schemas/fields.ts'
import {
  OrderReturnSchema,
  ReturnListQuery,
  ReturnRequestBody,
} from '../../schemas/orders/return.ts'
import { pageOf } from '../../schemas/page.ts'
import type { Services } from '../../services.ts'
import { renderReturn } from '../../shared/return-rendering.ts'

const tags = ['Orders']
const reading = { access: merchantOrOperatorWith('orders:read'), conditional: true } as const

/** Merchants ask to send invoiced goods back; memos are returned by the operator. */
export function registerReturns(app: App, { db }: Services): void {
  app.post(
    '/api/v3/orders/:uuid/returns',
    {
      config: { access: merchantWith('orders:write'), cost: COSTS.placement },
      schema: {
        tags,
        summary: 'Asks to return shipped goods of an invoice',
        description:
          'Goods that were not `returnable` when they were ordered, have not shipped, or are ' +
          'returned or asked to be already, are 409 `not_returnable`. After `days_to_return` ' +
          'times 24 hours from their shipping it is 409 `return_window_over`, and ' +
          '`window_ended_on` says when that was.',
        params: inlineObject({ uuid: uuid('UUID of the order') }),
        body: ReturnRequestBody,
        response: { 201: OrderReturnSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) => {
        const merchantUuid = merchantOf(request).uuid
        return renderReturn(
          await requestReturn(tx, request.params.uuid, merchantUuid, request.body),
        )
      }),
  )

  app.get(
    '/api/v3/returns',
    {
      config: { ...reading, cost: COSTS.list },
      schema: {
        tags,
        summary: "Lists the merchant's returns, newest first; all returns with an admin token",
        querystring: ReturnListQuery,
        response: { 200: pageOf('OrderReturnPage', 'returns', OrderReturnSchema) },
      },
    },
    async ({ caller, query }) => {
      const { limit, offset } = query
      const merchant_uuid = caller.merchant?.uuid
      const { returns, total } = await searchReturns(db, { ...query, merchant_uuid })
      return { returns: returns.map(renderReturn), total, offset, limit }
    },
  )

  app.get(
    '/api/v3/returns/:uuid',
    {
      config: reading,
      schema: {
        tags,
        summary: "Returns one of the merchant's returns; any return with an admin token",
        params: inlineObject({ uuid: uuid('UUID of the return') }),
        response: { 200: OrderReturnSchema },
      },
    },
    async ({ caller, params }) =>
      renderReturn(await getReturn(db, params.uuid, caller.merchant?.uuid)),
  )
}
