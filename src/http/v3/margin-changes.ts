import { inTransaction } from '../../database/transaction.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { previewMargins } from '../../pricing/preview-margins.ts'
import { addTier, changeTier, removeTier, setMargins } from '../../pricing/set-margins.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import {
  MarginChange,
  MarginPreviewSchema,
  MarginSchema,
  MarginsBody,
  MarginTableSchema,
  NewMargin,
} from '../schemas/margins.ts'
import { Removed } from '../schemas/page.ts'
import type { Services } from '../services.ts'
import { renderMargin } from '../shared/settings-rendering.ts'

const config = { access: merchantWith('settings:write') } as const
const tags = ['Profit Margins']
const params = inlineObject({ uuid: uuid('The profit margin') })

/** A merchant's own tiers, one by one or as a whole table. In force on every node at once. */
export function registerMarginChanges(app: App, { db, catchUp }: Services): void {
  /** The next search on this node has the new prices; other nodes hear of them at once. */
  async function inForce<T>(write: Promise<T>): Promise<T> {
    const answer = await write
    await catchUp()
    return answer
  }

  app.put(
    '/api/v3/profit_margins',
    {
      config,
      schema: {
        tags,
        summary: 'Replaces the whole table of tiers for one kind of product',
        description: 'An empty table brings the default tiers back.',
        body: MarginsBody,
        response: { 200: MarginTableSchema },
      },
    },
    (request) =>
      inForce(
        inTransaction(db, async (tx) => {
          const { uuid: merchantUuid } = merchantOf(request)
          const margins = await setMargins(tx, merchantUuid, request.body)
          const { margin_mode } = await getMerchant(tx, merchantUuid)
          return { margin_mode, profit_margins: margins.map(renderMargin) }
        }),
      ),
  )

  app.post(
    '/api/v3/profit_margins',
    {
      config,
      schema: {
        tags,
        summary: 'Adds one tier beside the others, which it must not overlap',
        body: NewMargin,
        response: { 201: MarginSchema },
      },
    },
    (request, reply) =>
      inForce(
        writeOnce(db, request, reply, 201, async (tx) => {
          const { product_type, ...draft } = request.body
          return renderMargin(await addTier(tx, merchantOf(request).uuid, product_type, draft))
        }),
      ),
  )

  app.patch(
    '/api/v3/profit_margins/:uuid',
    {
      config,
      schema: {
        tags,
        summary: 'Changes the bounds or the percents of one tier',
        params,
        body: MarginChange,
        response: { 200: MarginSchema },
      },
    },
    (request) =>
      inForce(
        inTransaction(db, async (tx) => {
          const { uuid: merchantUuid } = merchantOf(request)
          return renderMargin(await changeTier(tx, merchantUuid, request.params.uuid, request.body))
        }),
      ),
  )

  app.delete(
    '/api/v3/profit_margins/:uuid',
    {
      config,
      schema: {
        tags,
        summary: 'Removes one tier; without any left the default tiers apply',
        params,
        response: { 204: Removed },
      },
    },
    async (request, reply) => {
      const { uuid: merchantUuid } = merchantOf(request)
      await inForce(inTransaction(db, (tx) => removeTier(tx, merchantUuid, request.params.uuid)))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/v3/profit_margins/preview',
    {
      config: { access: merchantWith('settings:read') },
      schema: {
        tags,
        summary: 'Says what a draft of tiers would do to retail prices, and saves nothing',
        body: MarginsBody,
        response: { 200: MarginPreviewSchema },
      },
    },
    (request) => previewMargins(db, merchantOf(request), request.body),
  )
}
