import { releaseHold } from '../../gems/holds/end-holds.ts'
import { type Hold, listLiveHolds } from '../../gems/holds/hold-store.ts'
import { placeHold } from '../../gems/holds/place-hold.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import { write } from '../request/acting.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { HoldBody, HoldSchema } from '../schemas/inventory.ts'
import { PageQuery, pageFrom, pageOf, Removed } from '../schemas/page.ts'
import type { Services } from '../services.ts'

const reading = { access: merchantWith('inventory:read') } as const
const writing = { access: merchantWith('inventory') } as const
const tags = ['Inventory']

/** A hold changes what others can search for, so each request waits for the index at its end. */
export function registerHolds(app: App, { db, catchUp }: Services): void {
  app.post(
    '/api/v3/inventory/holds',
    {
      config: { ...writing, scenarios: true },
      schema: {
        tags,
        summary: 'Holds a stone, so that no one else can order or hold it for a while',
        description:
          'Holding a stone again that you already hold moves the end of the hold. One merchant ' +
          'holds a stone for 72 hours in all, unless the operator sets another limit, so ' +
          '`expires_on` may be earlier than requested. After that the stone is refused with 409 ' +
          '`hold_exhausted`, and `hold_again_on` says when the merchant can hold it again.',
        body: HoldBody,
        response: { 201: HoldSchema },
      },
    },
    async (request, reply) => {
      const { uuid: merchantUuid } = merchantOf(request)
      const hold = await writeOnce(db, request, reply, 201, async (tx) =>
        renderHold(await placeHold(tx, merchantUuid, request.body)),
      )
      await catchUp()
      return hold
    },
  )

  app.get(
    '/api/v3/inventory/holds',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: "Lists the merchant's live holds, oldest first",
        querystring: PageQuery,
        response: { 200: pageOf('HoldPage', 'holds', HoldSchema) },
      },
    },
    async (request) => {
      const holds = await listLiveHolds(db, merchantOf(request).uuid)
      return pageFrom('holds', holds.map(renderHold), request.query)
    },
  )

  app.delete(
    '/api/v3/inventory/holds/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Releases a hold before it expires',
        params: inlineObject({ uuid: uuid('UUID of the hold') }),
        response: { 204: Removed },
      },
    },
    async (request, reply) => {
      const { uuid: merchantUuid } = merchantOf(request)
      await write(db, request, (tx) => releaseHold(tx, merchantUuid, request.params.uuid))
      await catchUp()
      return reply.code(204).send(null)
    },
  )
}

function renderHold({ gem_id: _, ...hold }: Hold) {
  return {
    ...hold,
    created_on: isoWithOffset(hold.created_on),
    expires_on: isoWithOffset(hold.expires_on),
  }
}
