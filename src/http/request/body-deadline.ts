import type { IncomingHttpHeaders } from 'node:http'
import type { preParsingHookHandler } from 'fastify'
import { problem, sendProblem } from '../response/problems.ts'
import type { App } from '../route.ts'

const BODY_WAIT_MS = 20_000

/**
 * Ends a request whose body arrives too slowly, so that slow clients cannot use up connections.
 * Uploads of files are exempt; they have the server's request time-out only.
 */
export function registerBodyDeadline(app: App, waitMs = BODY_WAIT_MS): void {
  const limitWait: preParsingHookHandler = (request, reply, _payload, done) => {
    if (!hasBody(request.headers)) return done()
    const timer = setTimeout(() => {
      // A body that is too large is refused before its end, and needs no second response.
      if (reply.sent) return
      const detail = `The body did not arrive within ${waitMs / 1000} seconds.`
      reply.header('connection', 'close')
      reply.raw.once('finish', () => request.raw.destroy())
      sendProblem(request, reply, problem(408, 'request_timeout', detail))
    }, waitMs)
    // When the body has arrived, or its client is gone. Calls that the server makes itself have no
    // socket, and are closed by nobody.
    for (const event of ['end', 'close']) request.raw.once(event, () => clearTimeout(timer))
    done()
  }
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET' || route.method === 'HEAD' || route.config?.uploadExample) return
    route.preParsing = [limitWait, route.preParsing ?? []].flat()
  })
}

/** Without a body nothing is read, so its end would never come, however long the call takes. */
function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
