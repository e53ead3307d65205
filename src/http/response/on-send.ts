import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { millisecondsSince } from '../request/on-request.ts'
import type { App } from '../route.ts'
import { compress } from './compression.ts'
import type { Readiness } from './health.ts'
import type { DurationsOf } from './metrics.ts'
import { logRequest } from './request-log.ts'

/** The last stage of a response: compression, then duration and log. ETags are made before it. */
export function registerOnSend(app: App, durationsOf: DurationsOf, readiness: Readiness): void {
  app.decorateReply('sentPage', null)
  app.addHook('onRoute', (route) => {
    const recordDuration = durationsOf(String(route.method), route.url)
    const record: RecordEnd = (request, status) => {
      const milliseconds = millisecondsSince(request)
      recordDuration(status, milliseconds)
      logRequest(request, route.url, status, milliseconds)
    }
    const onSend = compressAndRecord(record, readiness)
    route.onSend = [route.onSend ?? [], onSend].flat()
  })
}

type RecordEnd = (request: FastifyRequest, status: number) => void

function compressAndRecord(record: RecordEnd, readiness: Readiness): onSendHookHandler {
  return (request, reply, payload, done) => {
    // The process may have begun to stop after the request arrived.
    if (readiness.isClosing()) reply.header('connection', 'close')
    compress(request, reply, payload, (error, sent) => {
      if (error) return done(error)
      recordEnd(request, reply, sent, record)
      done(null, sent)
    })
  }
}

/**
 * A whole response is timed when it is handed to Node, a stream when it has ended: listening for
 * the end of every response costs more than all the rest of the measuring (bench/http).
 */
function recordEnd(
  request: FastifyRequest,
  reply: FastifyReply,
  sent: unknown,
  record: RecordEnd,
): void {
  const end = () => record(request, reply.statusCode)
  if (sent instanceof Readable) reply.raw.once('close', end)
  else end()
}
