import type { FastifyReply, FastifyRequest } from 'fastify'
import { writeCorsHeaders } from '../response/cors.ts'
import type { Readiness } from '../response/health.ts'
import type { RecordDuration } from '../response/metrics.ts'
import { problem, refusalProblem, sendNotFound, sendProblem } from '../response/problems.ts'
import { logRequest } from '../response/request-log.ts'
import type { App } from '../route.ts'
import type { AddressLimiter } from './address-limit.ts'
import { checkAddress } from './json-body.ts'

interface OnRequestOptions {
  addresses: AddressLimiter
  readiness: Readiness
  /** Records the durations of requests to paths that are not served. */
  recordUnknown: RecordDuration
}

declare module 'fastify' {
  interface FastifyRequest {
    /** When the request arrived, by `performance.now()`. */
    startedAtMs: number
  }
}

/**
 * The first stage of every request, before anything of its route. It is a single hook, because
 * each hook takes its share of a small response's time (docs/decisions/0007-few-hooks.md).
 */
export function registerOnRequest(
  app: App,
  { addresses, readiness, recordUnknown }: OnRequestOptions,
): void {
  app.decorateRequest('startedAtMs', 0)
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAtMs = performance.now()
    writeHeaders(request, reply)
    if (readiness.isClosing()) reply.header('connection', 'close')
    if (request.is404 || isAsterisk(request)) {
      sendUnknownPath(request, reply, addresses, recordUnknown)
    } else if (request.headers.host === undefined && isHttp11(request)) {
      sendNoHost(request, reply)
    } else done(checkAddress(request.url))
  })
}

export function millisecondsSince({ startedAtMs }: FastifyRequest): number {
  return performance.now() - startedAtMs
}

/**
 * The headers of every response. Header names are lower case here and everywhere: Fastify stores
 * them so, and converting them at each response costs a twentieth of a small one (bench/http).
 */
export function writeHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  writeCorsHeaders(request, reply)
}

/** `OPTIONS *` asks about the server; with another method the asterisk names nothing. */
function isAsterisk({ url, method }: FastifyRequest): boolean {
  return url === '*' && method !== 'OPTIONS'
}

/** HTTP/1.0 has no Host header. */
function isHttp11({ raw }: FastifyRequest): boolean {
  return raw.httpVersionMajor === 1 && raw.httpVersionMinor === 1
}

function sendNoHost(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close')
  sendProblem(request, reply, problem(400, 'bad_request', 'The Host header is missing.'))
}

function sendUnknownPath(
  request: FastifyRequest,
  reply: FastifyReply,
  addresses: AddressLimiter,
  record: RecordDuration,
): void {
  closeUnreadBody(request, reply)
  const refusal = addresses.count(reply, request.clientAddress)
  const status = refusal ? 429 : 404
  const milliseconds = millisecondsSince(request)
  record(status, milliseconds)
  logRequest(request, 'unknown', status, milliseconds)
  if (refusal) sendProblem(request, reply, refusalProblem(refusal))
  else sendNotFound(request, reply)
}

/** The body of a refused request is not read, so its connection cannot be used again. */
function closeUnreadBody({ method }: FastifyRequest, reply: FastifyReply): void {
  if (method !== 'GET' && method !== 'HEAD') reply.header('connection', 'close')
}
