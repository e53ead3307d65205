import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Db } from '../../database/open.ts'
import { searchCurated } from '../../gems/curation/curated-search.ts'
import { type App, merchantOf } from '../route.ts'
import type { CurationBody } from '../schemas/curation.ts'

/** Curated search is one operation with two paths; both answer with the same bytes. */
export async function answerCurated(
  app: App,
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Static<typeof CurationBody>,
): Promise<FastifyReply> {
  const wish = { ...body, weight: Number(body.weight) }
  const gems = await searchCurated(db, app.diamonds, merchantOf(request), wish)
  return reply.header('content-type', 'application/json; charset=utf-8').send(gems)
}
