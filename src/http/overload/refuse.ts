import type { IncomingMessage, ServerResponse } from 'node:http'
import { noteLastResponse } from '../response/client-errors.ts'
import { EXPOSED_HEADERS } from '../response/cors.ts'
import { problem, RETRY_AFTER_SECONDS } from '../response/problems.ts'
import { DISCARDED_BYTES_MAX } from './early-reader.ts'
import type { RequestHead } from './request-head.ts'
import { OVERLOADED } from './waiting-calls.ts'

const { request_id: _, ...rest } = problem(503, 'overloaded', OVERLOADED)
/** The problem document without its end, which is the id of the request. */
const BODY_START = `${JSON.stringify(rest).slice(0, -1)},"request_id":"`
const BODY_END = '"}'

const HEADERS = [
  'retry-after',
  String(RETRY_AFTER_SECONDS),
  'access-control-allow-origin',
  '*',
  'x-content-type-options',
  'nosniff',
]
const PROBLEM = ['content-type', 'application/problem+json; charset=utf-8']

/** Returns the page that a person sees instead of a problem document, if it is a person's call. */
export type FindPage = (
  head: RequestHead,
) => { headers: Record<string, string>; html: string } | undefined

/**
 * Refuses a call before Fastify sees it, so that a server with too many calls spends its time on
 * those that it answers. The response looks like every other problem.
 */
export function refuseOverloaded(
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  { isClosing, findPage }: { isClosing: boolean; findPage: FindPage },
): void {
  const { headers, body } = refusalOf(request, id, findPage)
  if (isClosing || !isBodySmall(request)) {
    headers.push('connection', 'close')
    noteLastResponse(request.socket)
  }
  // A 5xx needs no Date header.
  response.sendDate = false
  response.writeHead(503, headers)
  response.end(body, 'latin1')
}

/** The same response as text, for a request that was not parsed and whose connection is kept. */
export function refusalText(head: RequestHead, id: string, findPage: FindPage): string {
  const { headers, body } = refusalOf(head, id, findPage)
  let text = 'HTTP/1.1 503 Service Unavailable\r\n'
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`
  return `${text}connection: keep-alive\r\n\r\n${body}`
}

/** The body has a character for each byte, because both ways write it so. */
function refusalOf(head: RequestHead, id: string, findPage: FindPage) {
  const { origin } = head.headers
  const page = findPage(head)
  // Ids are ASCII and contain nothing that JSON escapes (request-id.ts).
  const body = page ? Buffer.from(page.html).toString('latin1') : BODY_START + id + BODY_END
  const kind = page ? Object.entries(page.headers).flat() : PROBLEM
  const length = String(body.length)
  const headers = [...kind, ...HEADERS, 'x-request-id', id, 'content-length', length]
  if (origin !== undefined) headers.push('access-control-expose-headers', EXPOSED_HEADERS)
  return { headers, body }
}

function isBodySmall({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false
  const length = headers['content-length']
  return length === undefined || Number(length) <= DISCARDED_BYTES_MAX
}
