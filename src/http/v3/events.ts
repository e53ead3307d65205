import { createEventWaits, lastEventOf } from '../../events/event-waits.ts'
import { listEvents } from '../../events/events.ts'
import { numberEvents } from '../../events/number-changes.ts'
import { WAITS_PER_MERCHANT_MAX } from '../../lib/slots.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import { followClients } from '../response/long-polls.ts'
import { createOutageLog } from '../response/request-log.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { EventsSchema } from '../schemas/events/webhook.ts'
import { inlineObject, integer } from '../schemas/fields.ts'
import { limitField, waitField } from '../schemas/page.ts'
import type { Services } from '../services.ts'

const EventQuery = inlineObject({
  after: integer('Only events with a higher sequence number', 0, {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
  }),
  limit: limitField(100, 1000),
  wait: waitField('an event'),
})

export function registerEventsV3(app: App, { db, pools }: Services): void {
  const logOutage = createOutageLog(app.log, 'events could not be looked for')
  const waits = createEventWaits(pools.following.db, logOutage)
  const followClient = followClients(app, () => waits.stop())

  app.get(
    '/api/v3/events',
    {
      config: { access: merchantWith('orders:read'), conditional: true, waits: true },
      schema: {
        tags: ['Webhooks'],
        summary: 'Lists the events after a sequence number, or waits for the next one',
        description:
          'Sequence numbers have no gaps, and no event appears before one with a lower number. ' +
          `At most ${WAITS_PER_MERCHANT_MAX} requests of a merchant wait at the same time; ` +
          'one more is refused with 429.',
        querystring: EventQuery,
        response: { 200: EventsSchema },
      },
    },
    async (request, reply) => {
      const { after, limit, wait } = request.query
      const { uuid } = merchantOf(request)
      // Reading one more than the limit tells whether there are more.
      const read = async () => {
        await numberEvents(db)
        return listEvents(db, uuid, after, limit + 1)
      }
      let found = await read()
      if (found.length === 0 && wait > 0) {
        await waits.forNext(uuid, after, wait * 1000, followClient(request, reply))
        await request.checkAgain()
        found = await read()
      }
      const page = found.slice(0, limit)
      return {
        events: page.map(({ created_on, ...event }) => {
          const happenedOn = isoWithOffset(created_on)
          return { ...event, created_on: happenedOn, updated_on: happenedOn }
        }),
        next: page.at(-1)?.sequence ?? after,
        more: found.length > limit,
        last: await lastEventOf(db, uuid),
      }
    },
  )
}
