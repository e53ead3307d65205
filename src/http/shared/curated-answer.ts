import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { searchCurated } from '../../gems/curation/curated-search.ts'
import { merchantOf } from '../route.ts'
import type { CurationBody } from '../schemas/curation.ts'
import type { Services } from '../services.ts'

/** Curated search is one operation with two paths; both return the same bytes. */
export async function answerCurated(
  { db, diamonds }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Static<typeof CurationBody>,
): Promise<FastifyReply> {
  const wanted = { ...body, weight: Number(body.weight) }
  const gems = await searchCurated(db, diamonds, merchantOf(request), wanted)
  return reply.header('content-type', 'application/json; charset=utf-8').send(gems)
}
