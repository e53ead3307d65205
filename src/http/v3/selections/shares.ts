import type { Static } from 'typebox'
import { isoOrNull, isoWithOffset, millisecondsOf } from '../../../lib/timestamps.ts'
import { actorOf } from '../../../merchants/token-audit.ts'
import {
  createShare,
  LIVING_SHARES_MAX,
  listShares,
  revokeShare,
  SHARE_DAYS_DEFAULT,
  type Share,
} from '../../../saved-searches/selections/shares.ts'
import { write } from '../../request/acting.ts'
import { writeOnce } from '../../request/idempotency.ts'
import { type App, merchantOf, merchantWith } from '../../route.ts'
import { inlineObject, uuid } from '../../schemas/fields.ts'
import { ListQuery, pageOf, Removed } from '../../schemas/page.ts'
import { NewShareSchema, ShareBody, ShareSchema } from '../../schemas/stock/shares.ts'
import type { Services } from '../../services.ts'
import { registerSharePage, SHARE_PATH } from './share-page.ts'

const tags = ['Shares']
// A page for everybody is made by those who may act for the merchant, not by those who look on.
const writing = { access: merchantWith('orders:write') } as const

/** Links that show stones to a merchant's customer at retail prices, and the pages behind them. */
export function registerShares(app: App, services: Services): void {
  const { db, clock, publicUrl } = services

  app.get(
    '/api/v3/shares',
    {
      config: { access: merchantWith('search'), conditional: true },
      schema: {
        tags,
        summary: "Lists the merchant's share links, newest first",
        description: 'A link that ended stays in the list for a week.',
        querystring: ListQuery,
        response: { 200: pageOf('SharePage', 'shares', ShareSchema) },
      },
    },
    async (request) => {
      const { limit, offset } = request.query
      const { shares, total } = await listShares(db, merchantOf(request).uuid, request.query)
      const nowMs = clock.now()
      return { shares: shares.map((share) => renderShare(share, nowMs)), total, offset, limit }
    },
  )

  app.post(
    '/api/v3/shares',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Makes a link that shows stones to a customer until it ends',
        description:
          "The page shows the stones at the merchant's retail prices, as they are when somebody " +
          'opens it, and never what the merchant pays or who supplies them. A merchant may have ' +
          `${LIVING_SHARES_MAX} links at once; one more is 409. See /docs/shares.`,
        body: ShareBody,
        response: { 201: NewShareSchema },
      },
    },
    (request, reply) => {
      const { skus, expires_in_days: days, title = null, note = null } = request.body
      const { name: created_by } = actorOf(request.caller.token)
      return writeOnce(db, request, reply, 201, async (tx) => {
        const asked = { skus, days: days ?? SHARE_DAYS_DEFAULT, title, note, created_by }
        const { share, code } = await createShare(tx, merchantOf(request), asked)
        return { ...renderShare(share, clock.now()), url: `${publicUrl}${SHARE_PATH}/${code}` }
      })
    },
  )

  app.delete(
    '/api/v3/shares/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Revokes a share link: its page is gone at once',
        params: inlineObject({ uuid: uuid('UUID of the share') }),
        response: { 204: Removed },
      },
    },
    async (request, reply) => {
      await write(db, request, (tx) => revokeShare(tx, merchantOf(request), request.params.uuid))
      return reply.code(204).send(null)
    },
  )
  registerSharePage(app, services)
}

function renderShare(share: Share, nowMs: number): Static<typeof ShareSchema> {
  const { uuid: id, skus, title, note, created_by, created_on, expires_on, revoked_on } = share
  const isOver = millisecondsOf(expires_on) <= nowMs
  return {
    uuid: id,
    skus,
    title,
    note,
    status: revoked_on === null ? (isOver ? 'expired' : 'active') : 'revoked',
    created_by,
    created_on: isoWithOffset(created_on),
    expires_on: isoWithOffset(expires_on),
    revoked_on: isoOrNull(revoked_on),
  }
}
