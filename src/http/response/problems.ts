import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  isConflict,
  isOutage,
  isOutOfDescriptors,
  isPoolBusy,
  isStorageFull,
} from '../../database/errors.ts'
import { SecretKeyError } from '../../database/secrets/secrets.ts'
import { type FieldError, Refusal, type RefusalCode } from '../../lib/refusal.ts'
import { createOutageLog, logRefusedSignIn, type OutageLog } from './request-log.ts'

/** Every refusal and its status. A code without a status does not compile. */
export const STATUS: Record<RefusalCode, number> = {
  unauthenticated: 401,
  api_not_enabled: 401,
  forbidden: 403,
  missing_scope: 403,
  address_not_allowed: 403,
  admin_only_filter: 403,
  budget_exceeded: 403,
  origin_not_allowed: 403,
  hidden_field: 403,
  not_found: 404,
  method_not_allowed: 405,
  sku_unavailable: 409,
  sku_on_hold: 409,
  not_memoable: 409,
  not_holdable: 409,
  hold_limit: 409,
  hold_exhausted: 409,
  memo_limit_exceeded: 409,
  credit_limit_exceeded: 409,
  unpaid: 409,
  address_limit: 409,
  template_limit: 409,
  webhook_limit: 409,
  saved_search_limit: 409,
  share_limit: 409,
  watch_limit: 409,
  key_limit: 409,
  user_limit: 409,
  last_owner: 409,
  duplicate_order_id: 409,
  duplicate_order_reference: 409,
  quote_expired: 409,
  quote_not_open: 409,
  quote_ordered: 409,
  quote_limit: 409,
  not_returnable: 409,
  return_window_over: 409,
  wrong_state: 409,
  too_late_to_cancel: 409,
  idempotency_key_in_use: 409,
  email_taken: 409,
  supplier_name_taken: 409,
  catalogue_name_taken: 409,
  rate_in_use: 409,
  market_not_empty: 409,
  import_running: 409,
  source_running: 409,
  too_many_removed: 409,
  too_many_jumps: 409,
  import_unsure: 409,
  reading_changed: 409,
  wrong_price_level: 409,
  nothing_to_undo: 409,
  upload_too_slow: 408,
  changes_expired: 410,
  precondition_failed: 412,
  file_too_large: 413,
  invalid_request: 422,
  invalid_json: 400,
  unsupported_content_coding: 415,
  unknown_currency: 422,
  tiers_overlap: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  too_many_snapshots: 429,
  too_many_waits: 429,
  too_many_uploads: 429,
  uploads_full: 503,
  not_ready: 503,
  overloaded: 503,
}

/** Short texts for people. Programs go by `code`, so these may change at any time. */
const TITLES: Record<number, string> = {
  400: 'Malformed request',
  401: 'The token is missing or not valid',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflicts with the current state',
  410: 'No longer available',
  412: 'Changed since it was read',
  413: 'Request too large',
  415: 'Unsupported media type',
  417: 'Expectation failed',
  422: 'The request is not valid',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  503: 'Temporarily unavailable',
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a refused request in the metrics, once the app has them. */
    countRefusal?: (status: number, code: string) => void
  }
}

export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: string
  request_id: string
  errors?: FieldError[]
  [extra: string]: unknown
}

/** What Fastify itself refuses, by its error code. */
const FASTIFY_PROBLEMS: Record<string, [status: number, code: string, detail: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [
    413,
    'body_too_large',
    'The body is larger than 1 MiB; send less at once.',
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    415,
    'unsupported_media_type',
    'Send the body as JSON, with Content-Type: application/json.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'invalid_json', 'The body is empty; send a JSON object.'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'invalid_json', 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    400,
    'invalid_content_length',
    'The length of the body does not match Content-Length.',
  ],
  FST_ERR_BAD_URL: [404, 'not_found', 'The path is not valid.'],
}

export const RETRY_AFTER_SECONDS = 2

/**
 * Turns every error of every stage into a problem document (RFC 9457). `onStorageFull` is called
 * for each write that failed because there is no space left.
 */
export function registerProblems(app: FastifyInstance, onStorageFull = () => {}): void {
  const logOutage = createOutageLog(app.log, 'a request was refused because of an outage')
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (isStorageFull(error)) onStorageFull()
    sendProblem(request, reply, problemOf(error, request, logOutage))
  })
  app.setNotFoundHandler(sendNotFound)
}

export function sendNotFound(request: FastifyRequest, reply: FastifyReply): void {
  if (request.server.sendUnknownPage?.(request, reply)) return
  const path = request.url.split('?')[0].slice(0, 200)
  const detail = `There is no ${request.method} ${path}; see /docs for all endpoints.`
  sendProblem(request, reply, problem(404, 'not_found', detail))
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, body: Problem): void {
  body.request_id = request.id
  request.server.countRefusal?.(body.status, body.code)
  if (body.status === 401) {
    reply.header('www-authenticate', 'Bearer')
    logRefusedSignIn(request, body.code, body.detail)
  }
  // A rate limit has said already when its minute ends.
  const isTemporary = body.status === 503 || body.status === 429
  if (isTemporary && !reply.hasHeader('retry-after')) {
    reply.header('retry-after', RETRY_AFTER_SECONDS)
  }
  // A stream that fails before its first byte has said already that it is compressed.
  reply.removeHeader('content-encoding').code(body.status)
  const { problemPage } = request.routeOptions.config
  if (problemPage) return void problemPage(request, reply)
  reply.header('content-type', 'application/problem+json; charset=utf-8').send(JSON.stringify(body))
}

export function problem(status: number, code: string, detail: string, more = {}): Problem {
  const type = `urn:pavilion:problem:${code}`
  const body = { type, title: TITLES[status], status, detail: sentenceOf(detail), code }
  return { ...body, request_id: '', ...more }
}

/** A detail is a sentence, also where it is made of messages about fields, which are not. */
function sentenceOf(detail: string): string {
  return /[.!?…]$/.test(detail) ? detail : `${detail}.`
}

/** Renders a refusal of the domain. */
export function refusalProblem(refusal: Refusal): Problem {
  const status = STATUS[refusal.code]
  // Every 422 names what is wrong; when it is not a single field, it is the request as a whole.
  const whole = status === 422 ? [{ field: 'request', message: refusal.message }] : undefined
  const errors = refusal.errors ?? whole
  return problem(status, refusal.code, refusal.message, {
    ...(errors && { errors }),
    ...refusal.extra,
  })
}

function problemOf(error: FastifyError, request: FastifyRequest, logOutage: OutageLog): Problem {
  if (error instanceof Refusal) return refusalProblem(error)
  if (Object.hasOwn(FASTIFY_PROBLEMS, error.code)) return problem(...FASTIFY_PROBLEMS[error.code])
  if (error instanceof SecretKeyError) {
    logOutage(error, request.id)
    return problem(503, 'not_ready', 'This server cannot store secrets; its log says why.')
  }
  if (isOutage(error) || isConflict(error)) {
    logOutage(error, request.id)
    return outageProblem(error)
  }
  // Fastify's other errors about malformed requests, whose texts are not meant for callers.
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return problem(400, 'bad_request', 'The request is malformed.')
  }
  request.log.error({ reqId: request.id, err: error }, 'internal error')
  const detail = `This is an error in Pavilion, logged as ${request.id}.`
  return problem(500, 'internal_error', detail)
}

function outageProblem(error: FastifyError): Problem {
  if (isStorageFull(error)) {
    const detail = 'No space is left to store anything; reading still works. Try again later.'
    return problem(503, 'storage_full', detail)
  }
  if (isOutOfDescriptors(error)) {
    return problem(503, 'overloaded', 'The server has too many open files; try again in a moment.')
  }
  if (isPoolBusy(error)) {
    const detail = 'The server has more requests than it can answer now; try again in a moment.'
    return problem(503, 'overloaded', detail)
  }
  if (isConflict(error)) {
    const detail = 'Another change of the same data came in between; try again in a moment.'
    return problem(503, 'overloaded', detail)
  }
  return problem(503, 'database_away', 'The database does not respond; try again in a moment.')
}
