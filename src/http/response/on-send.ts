import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { millisecondsSince } from '../request/on-request.ts'
import type { App } from '../route.ts'
import { compress } from './compression.ts'
import type { DurationsOf, RecordDuration } from './request-durations.ts'

/** What every answer of a route passes last: an ETag before it is made of the plain bytes. */
export function registerDeparture(app: App, durationsOf: DurationsOf): void {
  app.addHook('onRoute', (route) => {
    const depart = departing(durationsOf(String(route.method), route.url))
    route.onSend = [route.onSend ?? [], depart].flat()
  })
}

function departing(record: RecordDuration): onSendHookHandler {
  return (request, reply, payload, done) => {
    compress(request, reply, payload, (error, sent) => {
      if (error) return done(error)
      recordDuration(request, reply, sent, record)
      done(null, sent)
    })
  }
}

/**
 * A whole answer is timed when it is handed to Node, a stream when it has ended: listening for the
 * end of every answer costs more than all the rest of the measuring (bench/http).
 */
function recordDuration(
  request: FastifyRequest,
  reply: FastifyReply,
  sent: unknown,
  record: RecordDuration,
): void {
  const end = () => record(reply.statusCode, millisecondsSince(request))
  if (sent instanceof Readable) reply.raw.once('close', end)
  else end()
}
