import { listEvents } from '../../events/events.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { EventsSchema } from '../schemas/events/webhook.ts'
import { inlineObject, integer } from '../schemas/fields.ts'
import { limitField } from '../schemas/page.ts'
import type { Services } from '../services.ts'

const EventQuery = inlineObject({
  after: integer('Only events with a higher sequence number', 0, {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
  }),
  limit: limitField(100, 1000),
})

export function registerEventsV3(app: App, { db }: Services): void {
  app.get(
    '/api/v3/events',
    {
      config: { access: merchantWith('orders:read'), conditional: true },
      schema: {
        tags: ['Webhooks'],
        summary: 'Lists the events after a sequence number, for callers who poll',
        description:
          'Sequence numbers have no gaps, and no event appears before one with a lower number.',
        querystring: EventQuery,
        response: { 200: EventsSchema },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      // Reading one more than the limit tells whether there are more.
      const found = await listEvents(db, merchantOf(request).uuid, after, limit + 1)
      const page = found.slice(0, limit)
      return {
        events: page.map(({ created_on, ...event }) => {
          const happenedOn = isoWithOffset(created_on)
          return { ...event, created_on: happenedOn, updated_on: happenedOn }
        }),
        next: page.at(-1)?.sequence ?? after,
        more: found.length > limit,
      }
    },
  )
}
