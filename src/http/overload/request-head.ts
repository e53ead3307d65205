import type { IncomingMessage } from 'node:http'

/** What a refusal must know of a request. */
export type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

interface UnparsedHead extends RequestHead {
  /** Bytes of the body that have not arrived yet. */
  missing: number
}

/** Larger heads are left to the parser, which has a bound of its own. */
const HEAD_BYTES_MAX = 4 * 1024
const REQUEST_LINE = /^(GET|POST|PUT|PATCH|DELETE) (\/[!-~]*) HTTP\/1\.1$/
const HEADER_LINE = /^([a-z][a-z0-9-]*):[ \t]*([ -~]*)$/i
const LENGTH = /^\d{1,9}$/
/** What a refusal depends on. */
const KEPT = ['authorization', 'origin', 'x-request-id', 'accept', 'accept-language'] as const
/** They change where a request ends, or what may follow its response. */
const LEFT_TO_PARSER = ['transfer-encoding', 'expect', 'upgrade']

/**
 * Reads the head of a request that begins with the chunk and is the only one in it. Returns
 * undefined for everything unusual or invalid: that is for Node's HTTP parser to judge.
 */
export function readHead(chunk: Buffer): UnparsedHead | undefined {
  const end = chunk.indexOf('\r\n\r\n')
  if (end === -1 || end > HEAD_BYTES_MAX) return undefined
  const [first, ...lines] = chunk.toString('latin1', 0, end).split('\r\n')
  const start = REQUEST_LINE.exec(first)
  const headers = readHeaders(lines)
  if (!start || !headers?.has('host')) return undefined
  if (LEFT_TO_PARSER.some((name) => headers.has(name))) return undefined
  if ((headers.get('connection') ?? 'keep-alive').toLowerCase() !== 'keep-alive') return undefined
  const length = headers.get('content-length') ?? '0'
  const missing = Number(length) - (chunk.length - end - 4)
  if (!LENGTH.test(length) || missing < 0) return undefined
  const [, method, url] = start
  const kept = KEPT.map((name) => [name, headers.get(name)])
  return { method, url, headers: Object.fromEntries(kept), missing }
}

/** Returns undefined when a line is unusual or a name is there twice. */
function readHeaders(lines: string[]): Map<string, string> | undefined {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const parts = HEADER_LINE.exec(line)
    if (!parts) return undefined
    headers.set(parts[1].toLowerCase(), parts[2])
  }
  return headers.size === lines.length ? headers : undefined
}
