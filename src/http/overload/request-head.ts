import type { IncomingMessage } from 'node:http'

/** What a refusal must know of a request. */
export type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

interface ReadHead {
  request: RequestHead
  /** The length of the body that it tells. */
  length: number
}

interface UnparsedHead {
  request: RequestHead
  /** Bytes of the body that have not arrived yet. */
  missing: number
}

/** Larger heads are left to the parser, which has a bound of its own. */
const HEAD_BYTES_MAX = 4 * 1024
const REQUEST_LINE = /^(GET|POST|PUT|PATCH|DELETE) (\/[!-~]*) HTTP\/1\.1$/
const HEADER_LINE = /^([a-z][a-z0-9-]*):[ \t]*((?! )[ -~]*)$/i
const LENGTH = /^\d{1,9}$/
/** What a refusal depends on. */
const KEPT = ['authorization', 'origin', 'x-request-id', 'accept', 'accept-language'] as const
/** They change where a request ends, or what may follow its response. */
const LEFT_TO_PARSER = ['transfer-encoding', 'expect', 'upgrade']

/** A caller's heads differ only by the lengths of its bodies. */
const REMEMBERED_MAX = 1_000

/**
 * Returns a function that reads the head of a request that begins with the chunk and is the only
 * one in it. It returns undefined for everything unusual or invalid: that is for Node's HTTP parser
 * to judge. Reading takes a fifth of the time of a refusal, so heads are remembered.
 */
export function createHeadReader(): (chunk: Buffer) => UnparsedHead | undefined {
  const remembered = new Map<string, ReadHead>()

  function find(text: string): ReadHead | undefined {
    const known = remembered.get(text)
    if (known) return known
    const head = readHead(text)
    if (remembered.size >= REMEMBERED_MAX) remembered.clear()
    if (head) remembered.set(text, head)
    return head
  }

  return (chunk) => {
    const end = chunk.indexOf('\r\n\r\n')
    if (end === -1 || end > HEAD_BYTES_MAX) return undefined
    const head = find(chunk.toString('latin1', 0, end))
    if (!head) return undefined
    const missing = head.length - (chunk.length - end - 4)
    return missing < 0 ? undefined : { request: head.request, missing }
  }
}

function readHead(text: string): ReadHead | undefined {
  const [first, ...lines] = text.split('\r\n')
  const start = REQUEST_LINE.exec(first)
  const headers = readHeaders(lines)
  if (!start || !headers?.has('host')) return undefined
  if (LEFT_TO_PARSER.some((name) => headers.has(name))) return undefined
  if ((headers.get('connection') ?? 'keep-alive').toLowerCase() !== 'keep-alive') return undefined
  const length = headers.get('content-length') ?? '0'
  if (!LENGTH.test(length)) return undefined
  const [, method, url] = start
  const kept = KEPT.map((name) => [name, headers.get(name)])
  return { request: { method, url, headers: Object.fromEntries(kept) }, length: Number(length) }
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
