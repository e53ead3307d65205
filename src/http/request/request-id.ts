import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { preParsingHookHandler } from 'fastify'
import { problem, sendProblem } from '../response/problems.ts'
import type { App } from '../route.ts'
import { matches } from '../shared/defaults.ts'

const SAFE_ID = /^[\w.:/+=-]{1,128}$/
const BODY_WAIT_MS = 20_000

const processPart = randomBytes(6).toString('hex')
let counter = 0

/** The caller's own request id when it is safe to repeat, otherwise a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const own = request.headers['x-request-id']
  if (typeof own === 'string' && SAFE_ID.test(own)) return own
  return newRequestId()
}

export function newRequestId(): string {
  counter = (counter + 1) % 0x1000000
  return `req-${processPart}-${counter.toString(36)}`
}

/** Gives the routes that ask for it an ETag, and 304 to a caller that has the same bytes. */
export function registerConditionalReads(app: App): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.conditional) return
    route.onSend = async (request, reply, payload) => {
      if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
      const etag = `W/"${createHash('sha1').update(payload).digest('base64url')}"`
      reply.header('etag', etag).header('cache-control', 'private, no-cache')
      if (!matches(request.headers['if-none-match'], etag)) return payload
      reply.code(304).removeHeader('Content-Type')
      return null
    }
  })
}

/** Ends a request whose body trickles in: a slow client must not keep a place for ever. */
export function registerBodyDeadline(app: App, waitMs = BODY_WAIT_MS): void {
  const limitWait: preParsingHookHandler = (request, reply, _payload, done) => {
    const timer = setTimeout(() => {
      const detail = `The body did not arrive within ${waitMs / 1000} seconds.`
      reply.header('connection', 'close')
      reply.raw.once('finish', () => request.raw.destroy())
      sendProblem(request, reply, problem(408, 'request_timeout', detail))
    }, waitMs)
    request.raw.once('end', () => clearTimeout(timer))
    request.raw.once('close', () => clearTimeout(timer))
    // A body that is refused before its end, for being too large, is answered already.
    reply.raw.once('finish', () => clearTimeout(timer))
    done()
  }
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET' || route.method === 'HEAD' || route.config?.uploadExample) return
    route.preParsing = [limitWait, route.preParsing ?? []].flat()
  })
}
