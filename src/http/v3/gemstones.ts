import type { Database } from '../../database/open.ts'
import {
  type GemstoneSearch,
  searchGemstones,
  startGemstoneSearch,
} from '../../gems/search/gemstones.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { GemstonePage, GemstoneSearchBody } from '../schemas/gemstone.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The gemstones of this market, in memory. A writer awaits `index.catchUp()` at its end. */
    gemstones: GemstoneSearch
  }
}

/** The coloured stones: their index and their search. */
export function registerGemstones(
  app: App,
  { database, publicUrl }: { database: Database; publicUrl: string },
): void {
  const onError = (error: unknown) => app.log.warn({ err: error }, 'gemstone index')
  const { rules } = app.diamonds
  const gemstones = startGemstoneSearch({ database, publicUrl, rules, onError })
  app.decorate('gemstones', gemstones)
  app.readiness.add({ name: 'gemstone index', problem: () => gemstones.index.problem() })
  app.addHook('onClose', () => gemstones.stop())

  app.post(
    '/api/v3/gemstones/search',
    {
      config: { access: merchantWith('search') },
      schema: {
        tags: ['Gemstones'],
        summary: 'Searches the coloured stones at the prices of the merchant',
        body: GemstoneSearchBody,
        response: { 200: GemstonePage },
      },
    },
    async (request, reply) => {
      const answer = await searchGemstones(gemstones, merchantOf(request), request.body)
      // Rendered bytes of the declared shape, sent as they are.
      return reply.header('content-type', 'application/json; charset=utf-8').send(answer as never)
    },
  )
}
