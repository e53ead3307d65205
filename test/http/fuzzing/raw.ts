import type { Chance } from '../../../src/demo/chance.ts'
import { faultOfShape } from './checks.ts'

/** Bytes that are not quite a request. */
export interface RawRequest {
  name: string
  pieces: string[]
  /** How many responses must come; undefined: any number, because the request is incomplete. */
  responses: number | undefined
  /** Whether the last response, or any, may be a success. */
  mayWork: boolean
}

const GET = 'GET /healthz HTTP/1.1'
const POST = 'POST /api/v3/session HTTP/1.1'
const HOST = 'Host: x'
const CLOSE = 'Connection: close'
const JSON_TYPE = 'Content-Type: application/json'

/** Requests that a client library refuses to send. */
const KINDS: ((chance: Chance) => RawRequest)[] = [
  () => refused('no Host', lines(GET, CLOSE)),
  () => works('two hosts', lines(GET, HOST, 'Host: y', CLOSE)),
  () => refused('a split header', lines(GET, HOST, 'X-A: a\rX-B: b', CLOSE)),
  () => refused('a NUL in a header', lines(GET, HOST, 'X-A: a\0b', CLOSE)),
  () => refused('a header without a colon', lines(GET, HOST, 'X-A', CLOSE)),
  () => refused('a space before the colon', lines(GET, HOST, 'X-A : b', CLOSE)),
  () => refused('a folded header', lines(GET, HOST, 'X-A: a', ' b: c', 'Content-Length: x', CLOSE)),
  () => refused('an unknown method', lines('FROB / HTTP/1.1', HOST, CLOSE)),
  () => refused('another protocol', ['SSH-2.0-OpenSSH_9.6\r\n\r\n']),
  () => refused('a TLS handshake', ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n']),
  () => refused('HTTP 9.9', lines('GET / HTTP/9.9', HOST, CLOSE)),
  () => refused('an address with a space', lines('GET /a b HTTP/1.1', HOST, CLOSE)),
  () => refused('large headers', lines(GET, HOST, `X-A: ${'a'.repeat(20_000)}`, CLOSE)),
  () => works('many headers', lines(GET, HOST, ...Array(3_000).fill('X: 1'), CLOSE)),
  () => refused('a length of letters', lines(POST, HOST, 'Content-Length: abc', CLOSE)),
  () => refused('a negative length', lines(POST, HOST, 'Content-Length: -1', CLOSE)),
  () => refused('a huge length', lines(POST, HOST, JSON_TYPE, `Content-Length: ${'9'.repeat(30)}`)),
  () => refused('two lengths', lines(POST, HOST, 'Content-Length: 1', 'Content-Length: 2')),
  () => refused('length and chunks', lines(POST, HOST, 'Content-Length: 3', ...CHUNKED, '0', '')),
  () => refused('a bad chunk', lines(POST, HOST, JSON_TYPE, ...CHUNKED, 'zz', '{}', '0', '')),
  () => refused('chunks twice', lines(POST, HOST, JSON_TYPE, `${CHUNKED[0]}, chunked`, CLOSE, '')),
  () => refused('an unknown coding', lines(POST, HOST, JSON_TYPE, 'Transfer-Encoding: x', CLOSE)),
  () =>
    refused(
      'a body on GET',
      lines('GET /api/v3/session HTTP/1.1', HOST, CLOSE, 'Content-Length: 2', '', '{}'),
    ),
  () => refused('an absolute address', lines('GET http://evil.example/x HTTP/1.1', HOST, CLOSE)),
  () => refused('a tunnel', lines('CONNECT evil.example:443 HTTP/1.1', HOST, CLOSE)),
  () => refused('an asterisk', lines('GET * HTTP/1.1', HOST, CLOSE)),
  () => works('an upgrade', lines(GET, HOST, 'Connection: Upgrade, close', 'Upgrade: websocket')),
  () => works('HTTP 1.0', lines('GET /healthz HTTP/1.0')),
  () =>
    works('a chunked body', lines(POST, HOST, JSON_TYPE, CLOSE, ...CHUNKED, '2', '{}', '0', '')),
  (chance) => pipelined(chance.whole(2, 20)),
  (chance) => cutOff(chance),
]

const CHUNKED = ['Transfer-Encoding: chunked', '']

export function rawRequest(chance: Chance): RawRequest {
  return chance.oneOf(KINDS)(chance)
}

function refused(name: string, pieces: string[]): RawRequest {
  return { name, pieces, responses: 1, mayWork: false }
}

function works(name: string, pieces: string[]): RawRequest {
  return { name, pieces, responses: 1, mayWork: true }
}

function lines(...texts: string[]): string[] {
  return [`${texts.join('\r\n')}\r\n\r\n`]
}

/** Several requests at once; each gets its response, in order. */
function pipelined(count: number): RawRequest {
  const one = `${GET}\r\n${HOST}\r\n\r\n`
  const last = `${GET}\r\n${HOST}\r\n${CLOSE}\r\n\r\n`
  return {
    name: 'a pipeline',
    pieces: [one.repeat(count - 1) + last],
    responses: count,
    mayWork: true,
  }
}

/** A client that goes away in the middle of its request. */
function cutOff(chance: Chance): RawRequest {
  const head = `${POST}\r\n${HOST}\r\n${JSON_TYPE}\r\nContent-Length: 100\r\n\r\n{"key":`
  const text = head.slice(0, chance.whole(1, head.length))
  return { name: 'a request that is cut off', pieces: [text], responses: undefined, mayWork: false }
}

/** Returns what is wrong with what the server sent; undefined when nothing is. */
export function findRawFault(request: RawRequest, text: string): string | undefined {
  const responses = splitResponses(text)
  if (request.responses === undefined) return undefined
  if (responses.length !== request.responses) {
    return `${responses.length} responses instead of ${request.responses}`
  }
  for (const { status, head, body } of responses) {
    if (status >= 500 && status !== 503) return `the status ${status}`
    if (status < 400 && !request.mayWork) return `the status ${status} for a broken request`
    if (status < 400) continue
    const id = /^x-request-id: (.+)$/im.exec(head)?.[1] ?? ''
    const fault = faultOfShape(body, status, id)
    if (fault) return fault
  }
  return undefined
}

function splitResponses(text: string) {
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((part) => part !== '')
    .map((part) => {
      const end = part.indexOf('\r\n\r\n')
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(part)?.[1] ?? 0)
      return { status, head: part.slice(0, end), body: part.slice(end + 4) }
    })
}
