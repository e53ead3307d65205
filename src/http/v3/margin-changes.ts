import { previewMargins } from '../../pricing/preview-margins.ts'
import { addTier, changeTier, removeTier } from '../../pricing/set-margins.ts'
import { write } from '../request/acting.ts'
import { COSTS } from '../request/call-costs.ts'
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
import { afterNewPrices, renderMargin, replaceMarginTable } from '../shared/settings.ts'

const config = { access: merchantWith('settings:write') } as const
const tags = ['Profit Margins']
const params = inlineObject({ uuid: uuid('UUID of the profit margin') })

/** How a merchant changes its own margin tiers, one by one or as a whole table. */
export function registerMarginChanges(app: App, services: Services): void {
  const { db } = services

  app.put(
    '/api/v3/profit_margins',
    {
      config,
      schema: {
        tags,
        summary: 'Replaces the whole table of tiers for one kind of product',
        description: 'An empty table restores the default tiers.',
        body: MarginsBody,
        response: { 200: MarginTableSchema },
      },
    },
    (request) => replaceMarginTable(services, request, merchantOf(request).uuid, request.body),
  )

  app.post(
    '/api/v3/profit_margins',
    {
      config,
      schema: {
        tags,
        summary: 'Adds one tier, which must not overlap the others',
        body: NewMargin,
        response: { 201: MarginSchema },
      },
    },
    (request, reply) => {
      const { product_type, ...draft } = request.body
      const written = writeOnce(db, request, reply, 201, async (tx) =>
        renderMargin(await addTier(tx, merchantOf(request).uuid, product_type, draft)),
      )
      return afterNewPrices(services, written)
    },
  )

  app.patch(
    '/api/v3/profit_margins/:uuid',
    {
      config,
      schema: {
        tags,
        summary: 'Changes the bounds or the percentages of one tier',
        params,
        body: MarginChange,
        response: { 200: MarginSchema },
      },
    },
    (request) => {
      const merchant = merchantOf(request)
      const written = write(db, request, async (tx) =>
        renderMargin(await changeTier(tx, merchant.uuid, request.params.uuid, request.body)),
      )
      return afterNewPrices(services, written)
    },
  )

  app.delete(
    '/api/v3/profit_margins/:uuid',
    {
      config,
      schema: {
        tags,
        summary: 'Deletes one tier; when none is left, the default tiers apply',
        params,
        response: { 204: Removed },
      },
    },
    async (request, reply) => {
      const merchant = merchantOf(request)
      const written = write(db, request, (tx) => removeTier(tx, merchant.uuid, request.params.uuid))
      await afterNewPrices(services, written)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/v3/profit_margins/preview',
    {
      config: { access: merchantWith('settings:read'), cost: COSTS.preview },
      schema: {
        tags,
        summary: 'Previews what a table of tiers would do to retail prices, without saving it',
        body: MarginsBody,
        response: { 200: MarginPreviewSchema },
      },
    },
    (request) => previewMargins(db, merchantOf(request), request.body),
  )
}
