import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../route.ts'
import { onClosed } from './on-closed.ts'

/** How long the stop of the server waits until its last pages are sent. */
const LAST_PAGE_MS_MAX = 2_000

/**
 * Follows the clients of calls that wait for something to happen. `stop` ends their waits when the
 * server stops: a waiting request would delay it. The server closes connections whose response has
 * ended, so the bytes must have left before. Returns a function that gives a signal, which aborts
 * with the response.
 */
export function followClients(
  app: App,
  stop: () => void,
): (request: FastifyRequest, reply: FastifyReply) => AbortSignal {
  const responses = new Set<Promise<void>>()
  app.addHook('preClose', async () => {
    stop()
    await Promise.race([Promise.all(responses), sleep(LAST_PAGE_MS_MAX, null, { ref: false })])
  })
  return (request, reply) => {
    const controller = new AbortController()
    const closed = new Promise<void>((resolve) => onClosed(request, reply, resolve))
    responses.add(closed)
    void closed.then(() => {
      responses.delete(closed)
      controller.abort()
    })
    return controller.signal
  }
}
