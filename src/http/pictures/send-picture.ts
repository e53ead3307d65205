import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnchanged } from '../response/etag.ts'
import type { Drawn } from './drawings.ts'

/** A drawing depends on its name only, so it may be cached forever. */
export const CACHE_FOREVER = 'public, max-age=31536000, immutable'
/** A picture that is opened by itself runs no scripts and loads nothing. */
export const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

export function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: Drawn,
  type: 'image/svg+xml' | 'image/png' = 'image/svg+xml',
): FastifyReply {
  reply.header('content-security-policy', PICTURE_POLICY)
  if (isUnchanged(request, reply, etag, CACHE_FOREVER)) return reply.code(304).send()
  return reply.header('content-type', type).send(bytes)
}
