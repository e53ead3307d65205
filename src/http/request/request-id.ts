import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What may be repeated in a header, a log line and a problem without being escaped. */
const SAFE_ID = /^[\w.:/+=-]{1,128}$/

const processPart = randomBytes(6).toString('hex')
let counter = 0

/** Returns the caller's own X-Request-Id when it is safe to repeat, otherwise a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const own = request.headers['x-request-id']
  if (typeof own === 'string' && SAFE_ID.test(own)) return own
  return newRequestId()
}

/** Random for each process and counted within it: unique, and cheaper than a uuid per request. */
export function newRequestId(): string {
  counter = (counter + 1) % 0x1000000
  return `req-${processPart}-${counter.toString(36)}`
}
