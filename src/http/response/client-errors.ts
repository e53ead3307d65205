import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Problem, problem } from './problems.ts'

/** What Node's parser rejects before there is a request, by its error code. */
const PARSER_PROBLEMS = new Map<string, [status: number, code: string, detail: string]>([
  ['HPE_HEADER_OVERFLOW', [431, 'headers_too_large', 'The headers are over 16 KiB; send fewer.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'request_timeout', 'The request did not arrive in time.']],
])
type CountRefusal = (status: number, code: string) => void

const MALFORMED = [400, 'bad_request', 'The request is not valid HTTP.'] as const

/** Connections whose last response was written while the rest of its request was still read. */
const lastAnswered = new WeakSet<Socket>()

/** The response that is being written says that the connection is closed: no other may follow. */
export function noteLastResponse(socket: Socket): void {
  lastAnswered.add(socket)
}

/**
 * Sends a problem document to a client whose bytes are not a request, and ends the connection.
 * Fastify has no reply object at this point, so the response is written by hand.
 */
export function sendClientError(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
  count: CountRefusal,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (lastAnswered.has(socket)) {
    socket.destroySoon()
    return
  }
  const [status, code, detail] = PARSER_PROBLEMS.get(error.code ?? '') ?? MALFORMED
  count(status, code)
  writeProblem(socket, problem(status, code, detail), requestId)
  socket.destroy(error)
}

/** Node gives a CONNECT to its own listener, and closes the connection when there is none. */
export function refuseTunnel(socket: Duplex, requestId: string, count: CountRefusal): void {
  socket.on('error', () => {})
  count(400, 'bad_request')
  const detail = 'This server is not a proxy; CONNECT is not supported.'
  writeProblem(socket, problem(400, 'bad_request', detail), requestId)
  socket.end()
}

function writeProblem(socket: Duplex, found: Problem, requestId: string): void {
  const { status } = found
  const body = JSON.stringify({ ...found, request_id: requestId })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Access-Control-Allow-Origin: *',
    'Connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Node sends requests here, and not to Fastify, when Expect asks for what no server does. */
export function sendUnknownExpectation(
  response: ServerResponse,
  requestId: string,
  count: CountRefusal,
): void {
  count(417, 'expectation_failed')
  const detail = 'The only value of Expect that is understood is 100-continue.'
  const body = { ...problem(417, 'expectation_failed', detail), request_id: requestId }
  response.writeHead(417, {
    'content-type': 'application/problem+json; charset=utf-8',
    'x-request-id': requestId,
    'access-control-allow-origin': '*',
    // The body was not read.
    connection: 'close',
  })
  response.end(JSON.stringify(body))
}
