import { listMarketEvents } from '../../events/operator-events.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import { type App, operatorWith } from '../route.ts'
import { MarketEventQuery, MarketEventsSchema } from '../schemas/stock/sources.ts'
import type { Services } from '../services.ts'

/** The events of every merchant and the operator's own, for the operator. */
export function registerMarketEvents(app: App, { db }: Services): void {
  app.get(
    '/api/operator/events',
    {
      config: { access: operatorWith('orders:read'), conditional: true },
      schema: {
        tags: ['Events'],
        summary: "Lists the operator's events and those of every merchant",
        description:
          'Without `after` the newest come first. With `after` they come oldest first: numbers ' +
          'have no gaps, and no event appears before one with a lower number, so a follower that ' +
          'sends `next` as `after` misses nothing.',
        querystring: MarketEventQuery,
        response: { 200: MarketEventsSchema },
      },
    },
    async ({ query }) => {
      const { after, limit, offset } = query
      // Reading one more than the limit tells whether there are more.
      const found = await listMarketEvents(db, { ...query, limit: limit + 1 })
      const page = found.events.slice(0, limit)
      return {
        events: page.map(({ created_on, ...event }) => {
          const happenedOn = isoWithOffset(created_on)
          return { ...event, created_on: happenedOn, updated_on: happenedOn }
        }),
        next: after === undefined ? found.last : (page.at(-1)?.sequence ?? after),
        more: found.events.length > limit,
        total: found.total,
        offset,
        limit,
      }
    },
  )
}
