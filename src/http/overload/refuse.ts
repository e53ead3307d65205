import type { IncomingMessage, ServerResponse } from 'node:http'
import { EXPOSED_HEADERS } from '../response/cors.ts'
import { problem, RETRY_AFTER_SECONDS } from '../response/problems.ts'
import { OVERLOADED } from './waiting-calls.ts'

/** A body up to this size is discarded; it costs less than a new connection. */
const DISCARDED_BYTES_MAX = 64 * 1024

const { request_id: _, ...rest } = problem(503, 'overloaded', OVERLOADED)
/** The problem document without its end, which is the id of the request. */
const BODY_START = `${JSON.stringify(rest).slice(0, -1)},"request_id":"`
const BODY_END = '"}'

const HEADERS = [
  'content-type',
  'application/problem+json; charset=utf-8',
  'retry-after',
  String(RETRY_AFTER_SECONDS),
  'access-control-allow-origin',
  '*',
  'x-content-type-options',
  'nosniff',
]

/**
 * Refuses a call before Fastify sees it, so that a server with too many calls spends its time on
 * those that it answers. The response looks like every other problem.
 */
export function refuseOverloaded(
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  isClosing: boolean,
): void {
  // Ids are ASCII and contain nothing that JSON escapes (request-id.ts).
  const body = BODY_START + id + BODY_END
  const headers = [...HEADERS, 'x-request-id', id, 'content-length', String(body.length)]
  if (request.headers.origin !== undefined) {
    headers.push('access-control-expose-headers', EXPOSED_HEADERS)
  }
  if (isClosing || !isBodySmall(request)) headers.push('connection', 'close')
  // A 5xx needs no Date header.
  response.sendDate = false
  response.writeHead(503, headers)
  response.end(body)
}

function isBodySmall({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false
  const length = headers['content-length']
  return length === undefined || Number(length) <= DISCARDED_BYTES_MAX
}
