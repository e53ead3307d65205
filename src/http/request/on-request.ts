import type { FastifyReply, FastifyRequest } from 'fastify'
import { writeCorsHeaders } from '../response/cors.ts'
import { problem, sendNotFound, sendProblem } from '../response/problems.ts'
import type { RecordDuration } from '../response/request-durations.ts'
import type { App } from '../route.ts'
import { whyBadAddress } from './json-body.ts'
import type { Overload } from './overload.ts'

export interface ArrivalDeps {
  overload: Overload
  /** The durations of calls to paths that are not served. */
  recordUnknown: RecordDuration
}

declare module 'fastify' {
  interface FastifyRequest {
    /** When the call came, by `performance.now()`. */
    startedAtMs: number
  }
}

/** Never refused: they are how an operator finds out. */
const ALWAYS = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * What every call meets first, before anything of its route. All in one hook, because each hook
 * takes its share of a small answer's time (docs/decisions/0007-few-hooks.md).
 */
export function registerArrival(app: App, { overload, recordUnknown }: ArrivalDeps): void {
  app.decorateRequest('startedAtMs', 0)
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAtMs = performance.now()
    writeHeaders(request, reply)
    if (overload.isNow() && !ALWAYS.has(request.url)) sendOverloaded(request, reply)
    else if (request.is404) refuseUnknown(request, reply, recordUnknown)
    else done(whyBadAddress(request.url))
  })
}

export function millisecondsSince({ startedAtMs }: FastifyRequest): number {
  return performance.now() - startedAtMs
}

/**
 * The headers that every answer has. Names are written small here and everywhere: Fastify keeps
 * them so, and making a capital small at each answer costs a twentieth of a small one (bench/http).
 */
export function writeHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  writeCorsHeaders(request, reply)
}

function sendOverloaded(request: FastifyRequest, reply: FastifyReply): void {
  leaveBody(request, reply)
  const detail = 'The server is overloaded; try again in a moment.'
  sendProblem(request, reply, problem(503, 'overloaded', detail))
}

function refuseUnknown(request: FastifyRequest, reply: FastifyReply, record: RecordDuration): void {
  leaveBody(request, reply)
  record(404, millisecondsSince(request))
  sendNotFound(request, reply)
}

/** Nobody waits for the body of a call that is refused: its connection ends with the answer. */
function leaveBody({ method }: FastifyRequest, reply: FastifyReply): void {
  if (method !== 'GET' && method !== 'HEAD') reply.header('connection', 'close')
}
