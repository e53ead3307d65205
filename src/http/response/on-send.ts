import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { millisecondsSince } from '../request/on-request.ts'
import type { App } from '../route.ts'
import { compress } from './compression.ts'
import type { Readiness } from './health.ts'
import type { DurationsOf, RecordDuration } from './metrics.ts'

/** The last stage of a response: compression, then the duration. ETags are made before it. */
export function registerOnSend(app: App, durationsOf: DurationsOf, readiness: Readiness): void {
  app.addHook('onRoute', (route) => {
    const record = durationsOf(String(route.method), route.url)
    const onSend = compressAndRecord(record, readiness)
    route.onSend = [route.onSend ?? [], onSend].flat()
  })
}

function compressAndRecord(record: RecordDuration, readiness: Readiness): onSendHookHandler {
  return (request, reply, payload, done) => {
    // The process may have begun to stop after the request arrived.
    if (readiness.isClosing()) reply.header('connection', 'close')
    compress(request, reply, payload, (error, sent) => {
      if (error) return done(error)
      recordDuration(request, reply, sent, record)
      done(null, sent)
    })
  }
}

/**
 * A whole response is timed when it is handed to Node, a stream when it has ended: listening for
 * the end of every response costs more than all the rest of the measuring (bench/http).
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
