import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOutage } from '../../database/errors.ts'
import { type FieldError, Refusal, type RefusalCode } from '../../lib/refusal.ts'

/** Every refusal and its status. A code without a status does not compile. */
const STATUS: Record<RefusalCode, number> = {
  unauthenticated: 401,
  api_not_enabled: 401,
  forbidden: 403,
  missing_scope: 403,
  admin_only_filter: 403,
  not_found: 404,
  sku_unavailable: 409,
  sku_on_hold: 409,
  not_memoable: 409,
  not_holdable: 409,
  hold_limit: 409,
  duplicate_order_id: 409,
  duplicate_order_reference: 409,
  wrong_state: 409,
  idempotency_key_in_use: 409,
  email_taken: 409,
  supplier_name_taken: 409,
  catalogue_name_taken: 409,
  market_not_empty: 409,
  import_running: 409,
  too_many_removed: 409,
  nothing_to_undo: 409,
  changes_expired: 410,
  invalid_request: 422,
  unsupported_content_coding: 415,
  unknown_currency: 422,
  tiers_overlap: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  not_ready: 503,
}

const TITLES: Record<number, string> = {
  400: 'The request cannot be read',
  401: 'Who is calling is not clear',
  403: 'The caller may not do this',
  404: 'There is nothing here',
  408: 'The request took too long to arrive',
  409: 'The state of things refuses it',
  410: 'What was asked for is no longer kept',
  413: 'The request is too large',
  415: 'The body is not JSON',
  422: 'Something in the request is wrong',
  429: 'Too many requests',
  431: 'The headers are too large',
  500: 'Pavilion made a mistake',
  503: 'Pavilion is not ready',
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

/** What Fastify itself refuses, by its code. */
const FASTIFY_PROBLEMS: Record<string, [status: number, code: string, detail: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'body_too_large', 'The body is over 1 MiB; send less at once.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    415,
    'unsupported_media_type',
    'Send the body as JSON, with Content-Type: application/json.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'invalid_json', 'The body is empty; send a JSON object.'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'invalid_json', 'The body is not JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    400,
    'invalid_content_length',
    'The body is not as long as Content-Length says.',
  ],
  FST_ERR_BAD_URL: [404, 'not_found', 'The path is not a valid one.'],
}

const RETRY_AFTER_SECONDS = 2

/** Answers every error of every endpoint in the one shape. */
export function registerProblems(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    sendProblem(request, reply, problemOf(error, request))
  })
  app.setNotFoundHandler(sendNotFound)
}

export function sendNotFound(request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split('?')[0].slice(0, 200)
  const detail = `${request.method} ${path} is not served here; /docs lists what is.`
  sendProblem(request, reply, problem(404, 'not_found', detail))
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, body: Problem): void {
  body.request_id = request.id
  if (body.status === 401) reply.header('www-authenticate', 'Bearer')
  if (body.status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
  reply
    .code(body.status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify(body))
}

export function problem(status: number, code: string, detail: string, more = {}): Problem {
  const type = `urn:pavilion:problem:${code}`
  return { type, title: TITLES[status], status, detail, code, request_id: '', ...more }
}

/** A refusal as the answer shows it. */
export function refusalProblem(refusal: Refusal): Problem {
  const status = STATUS[refusal.code]
  // Every 422 names what is at fault; where no field is, it is the request as a whole.
  const whole = status === 422 ? [{ field: 'request', message: refusal.message }] : undefined
  const errors = refusal.errors ?? whole
  return problem(status, refusal.code, refusal.message, {
    ...(errors && { errors }),
    ...refusal.extra,
  })
}

function problemOf(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Refusal) return refusalProblem(error)
  const known = FASTIFY_PROBLEMS[error.code]
  if (known) return problem(...known)
  if (isOutage(error)) {
    request.log.warn({ reqId: request.id, err: error }, 'database away')
    return problem(503, 'database_away', 'The database does not answer; try again in a moment.')
  }
  // Fastify's own refusals of a malformed request, which carry no text of ours.
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return problem(400, 'bad_request', 'The request is malformed.')
  }
  request.log.error({ reqId: request.id, err: error }, 'bug')
  const detail = `This is our mistake and was written down as ${request.id}; nothing was changed.`
  return problem(500, 'internal_error', detail)
}
