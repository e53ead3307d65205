import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, publicAccess } from '../route.ts'

const METHODS = 'GET, POST, PUT, PATCH, DELETE'
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Mcp-Protocol-Version',
  'X-Request-Id',
].join(', ')
export const EXPOSED_HEADERS = [
  'Age',
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'Warning',
  'X-Request-Id',
].join(', ')

/**
 * Lets a page of any origin call. The interface uses no cookies, so a foreign page can do nothing
 * that any other program cannot do. The headers are therefore the same for every origin.
 */
export function writeCorsHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*')
  // Only browsers read this header, and they send their origin.
  if (request.headers.origin) reply.header('access-control-expose-headers', EXPOSED_HEADERS)
}

/** Not counted: a browser asks before many of its calls, and refusing costs more than answering. */
const config = { access: publicAccess, undocumented: true, uncounted: true } as const

export function registerPreflight(app: App): void {
  app.options('*', { config }, (_request, reply) => {
    reply
      .code(204)
      .header('access-control-allow-methods', METHODS)
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', 86_400)
      .send()
  })
}
