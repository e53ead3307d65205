import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What may be repeated in a header, a log line and a problem without being escaped. */
const SAFE_ID = /^[\w.:/+=-]{1,128}$/

export interface RequestIds {
  /** Returns the caller's own X-Request-Id when it is safe to repeat, otherwise a new one. */
  of: (request: Pick<IncomingMessage, 'headers'>) => string
  next(): string
}

/** New ids are a random part and a counter: unique, and cheaper than a uuid for each request. */
export function createRequestIds(): RequestIds {
  const randomPart = randomBytes(6).toString('hex')
  let counter = 0
  function next(): string {
    counter = (counter + 1) % 0x1000000
    return `req-${randomPart}-${counter.toString(36)}`
  }
  return {
    of(request) {
      const own = request.headers['x-request-id']
      return typeof own === 'string' && SAFE_ID.test(own) ? own : next()
    },
    next,
  }
}
