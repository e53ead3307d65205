import type { Tx } from '../../database/open.ts'
import { lockMerchant } from '../../merchants/merchant-store.ts'
import { getMargin } from '../../pricing/margin-store.ts'
import { previewMargins } from '../../pricing/preview-margins.ts'
import { addTier, changeTier, removeTier } from '../../pricing/set-margins.ts'
import { COSTS } from '../request/call-costs.ts'
import { writeOnce } from '../request/idempotency.ts'
import { withEtag, writeIfMatch } from '../request/if-match.ts'
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

const config = { access: merchantWith('settings:write'), hasEtag: true } as const
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
        description:
          'An empty table restores the default tiers. If-Match is compared with the ETag of ' +
          '`GET /api/v3/profit_margins/list`, which stands for all tiers of the merchant.',
        body: MarginsBody,
        response: { 200: MarginTableSchema },
      },
    },
    (request, reply) =>
      replaceMarginTable(services, request, reply, merchantOf(request).uuid, request.body),
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
        withEtag(
          reply,
          renderMargin(await addTier(tx, merchantOf(request).uuid, product_type, draft)),
        ),
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
    async (request, reply) => {
      const merchantUuid = merchantOf(request).uuid
      const { uuid } = request.params
      const written = writeIfMatch(db, request, marginOf(merchantUuid, uuid), (tx) =>
        changeTier(tx, merchantUuid, uuid, request.body),
      )
      return withEtag(reply, renderMargin(await afterNewPrices(services, written)))
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
      const merchantUuid = merchantOf(request).uuid
      const { uuid } = request.params
      const written = writeIfMatch(db, request, marginOf(merchantUuid, uuid), (tx) =>
        removeTier(tx, merchantUuid, uuid),
      )
      await afterNewPrices(services, written)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/v3/profit_margins/preview',
    {
      config: { access: merchantWith('settings:read'), cost: COSTS.preview, changesNothing: true },
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

/** The tier as its GET shows it, with its merchant locked as every change of it does. */
function marginOf(merchantUuid: string, uuid: string) {
  return async (tx: Tx) => {
    await lockMerchant(tx, merchantUuid)
    return renderMargin(await getMargin(tx, merchantUuid, uuid))
  }
}
