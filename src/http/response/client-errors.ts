import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { newRequestId } from '../request/request-id.ts'
import { problem } from './problems.ts'

/** What Node's parser refuses before there is a request, by its code. */
const REFUSALS: Record<string, [status: number, code: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers are over 16 KiB; send fewer.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
}
const MALFORMED = [400, 'bad_request', 'The request is not HTTP as it should be.'] as const

/** Answers in the one shape what is no request yet, and ends the connection. */
export function sendClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, code, detail] = REFUSALS[error.code ?? ''] ?? MALFORMED
  const id = newRequestId()
  const body = JSON.stringify({ ...problem(status, code, detail), request_id: id })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Access-Control-Allow-Origin: *',
    'Connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}
