import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { App } from '../route.ts'

/**
 * Conditional reads: a caller that sends the ETag of its copy in If-None-Match gets 304 without a
 * body while the copy is up to date. ETags are weak, because the bytes may still be compressed.
 */
export function registerEtags(app: App): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.conditional) return
    const addEtag: onSendHookHandler = (request, reply, payload, done) => {
      if (reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload)
      // A resource that can be changed has a strong one of its own (request/if-match.ts).
      const etag = reply.getHeader('etag') ?? etagOf(payload)
      if (!isUnchanged(request, reply, String(etag))) return done(null, payload)
      reply.code(304).removeHeader('Content-Type')
      done(null, null)
    }
    const others = route.onSend ?? []
    // Fastify drops the content of a HEAD, from which its ETag is made, in a hook before ours.
    route.onSend = (route.method === 'HEAD' ? [addEtag, others] : [others, addEtag]).flat()
  })
}

/** Returns a handler for content that never changes while the process runs: rendered once. */
export function constantResponse(content: unknown) {
  const text = JSON.stringify(content)
  const etag = etagOf(text)
  return (request: FastifyRequest, reply: FastifyReply): void => {
    if (isUnchanged(request, reply, etag)) reply.code(304).send()
    else reply.header('content-type', 'application/json; charset=utf-8').send(text)
  }
}

function etagOf(text: string): string {
  return `W/"${createHash('sha1').update(text).digest('base64url')}"`
}

/** Writes the ETag, and says whether If-None-Match names it. */
export function isUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  cacheControl = 'private, no-cache',
): boolean {
  reply.header('etag', etag).header('cache-control', cacheControl)
  const header = request.headers['if-none-match']
  if (header === undefined) return false
  // For a GET it does not matter whether a tag is weak.
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''))
}
