import { gzipSync } from 'node:zlib'
import type { Chance } from '../../../src/demo/chance.ts'
import type { JsonSchema } from '../../../src/http/docs/components.ts'
import type { FuzzOperation } from './operations.ts'
import { JUNK, objectFor, type ValueContext, valueFor } from './values.ts'

/** A request as it is sent, so that a failing one can be printed and repeated. */
export interface FuzzRequest {
  /** Undefined for a path that no document has. */
  operation: FuzzOperation | undefined
  method: string
  target: string
  headers: [name: string, value: string][]
  body: Buffer | undefined
}

export interface Tokens {
  admin: string
  merchant: string
  supplier: string
  /** Tokens with fewer rights or none, and texts that are not tokens. */
  others: readonly string[]
}

/** Makes requests for the operation: mostly right ones with one or two things wrong. */
export function requestFor(
  operation: FuzzOperation,
  tokens: Tokens,
  context: ValueContext,
): FuzzRequest {
  const { chance } = context
  const method = chance.hits(0.98) ? operation.method : chance.oneOf(METHODS)
  const query = queryFor(operation.query, context)
  const target = `${pathFor(operation, context)}${query === '' ? '' : `?${query}`}`
  const body = bodyFor(operation, context)
  const headers: FuzzRequest['headers'] = [...authorization(operation, tokens, chance)]
  if (body !== undefined) headers.push(['content-type', contentType(operation, chance)])
  headers.push(...oddHeaders(chance))
  if (body !== undefined && chance.hits(0.01)) {
    headers.push(['content-encoding', chance.oneOf(['gzip', 'identity', 'br', 'x'])])
    return { operation, method, target, headers, body: gzipSync(body) }
  }
  return { operation, method, target, headers, body }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']

function authorization(operation: FuzzOperation, tokens: Tokens, chance: Chance) {
  const right = rightToken(operation, tokens)
  if (chance.hits(0.85)) return [['authorization', `Bearer ${right}`]] as [string, string][]
  if (chance.hits(0.2)) return []
  const token = chance.oneOf([...tokens.others, tokens.admin, tokens.merchant, tokens.supplier])
  const scheme = chance.oneOf(['Bearer', 'Bearer', 'Bearer', 'bearer', 'Basic', 'Bearer  ', ''])
  return [['authorization', `${scheme} ${token}`]] as [string, string][]
}

function rightToken({ path }: FuzzOperation, tokens: Tokens): string {
  if (path.startsWith('/api/operator')) return tokens.admin
  return path.startsWith('/api/supplier') ? tokens.supplier : tokens.merchant
}

function contentType({ upload }: FuzzOperation, chance: Chance): string {
  if (upload && chance.hits(0.5)) return 'text/csv'
  if (chance.hits(0.97)) return 'application/json'
  return chance.oneOf([
    'text/plain',
    'application/json; charset=utf-16',
    'x',
    'multipart/form-data',
  ])
}

/** Headers that have a meaning, with good and bad values. */
function oddHeaders(chance: Chance): [string, string][] {
  const headers: [string, string][] = []
  const add = (share: number, name: string, values: readonly string[]) => {
    if (chance.hits(share)) headers.push([name, chance.oneOf(values)])
  }
  const key = `fuzz-${chance.whole(1, 400)}`
  add(0.15, 'idempotency-key', [key, key, key, '', ' ', 'x'.repeat(300), 'ü', '"quoted"', '\t'])
  add(0.05, 'accept-encoding', ['gzip', 'br', 'identity;q=0', '*', 'gzip;q=NaN', ',,,'])
  add(0.05, 'if-none-match', ['*', 'W/"x"', '"', '"a","b"', 'x'.repeat(2_000)])
  add(0.05, 'x-request-id', ['req-1', 'x'.repeat(500), '../../x', '<b>', 'ünïcode', ''])
  add(0.03, 'accept', ['text/html', 'application/xml', '*/*', 'x', ''])
  add(0.03, 'origin', ['https://shop.example', 'null', 'x'])
  add(0.02, 'range', ['bytes=0-1', 'bytes=-', 'x'])
  add(0.02, 'expect', ['100-continue', 'x'])
  add(0.02, 'x-forwarded-for', ['1.2.3.4', '::1, 10.0.0.1', 'x'.repeat(200)])
  return headers
}

function pathFor({ path }: FuzzOperation, context: ValueContext): string {
  const { chance } = context
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const known = name === 'uuid' ? context.known(resourceOf(path)) : context.known(name)
    if (known !== undefined && chance.hits(0.8)) return encode(textOf(known))
    return encode(textOf(valueFor({ type: 'string', format: 'uuid' }, context))) || 'x'
  })
  if (chance.hits(0.99)) return filled
  return chance.oneOf([
    `${filled}/`,
    `/${filled}`,
    filled.toUpperCase(),
    `${filled}/%zz`,
    `${filled};x`,
  ])
}

/** Uuids of a response are remembered under the path of their list. */
export function resourceOf(path: string): string {
  return path.replace(/\/(list|\{.*)$/, '').replace(/^\/api\/v[23]/, '/api')
}

function queryFor(schema: JsonSchema, context: ValueContext): string {
  const { chance } = context
  const parts = Object.entries(objectFor(schema, context)).flatMap(([name, value]) => {
    // A request that waits for a change would only keep the fuzzer waiting.
    const values = name === 'wait' ? [chance.oneOf(['0', '-1', 'x', '1'])] : [value].flat()
    if (chance.hits(0.03)) values.push(chance.oneOf(JUNK))
    const key = chance.hits(0.96) ? name : chance.oneOf([`${name}[]`, `${name}[0]`, `${name}[x]`])
    return values.map((item) => `${encode(key)}=${encode(textOf(item)).slice(0, 3_000)}`)
  })
  if (chance.hits(0.01))
    parts.push(chance.oneOf(['%', '&&==', '%E0%A4%A', '=', '__proto__=1', '?']))
  return parts.join('&')
}

function bodyFor(operation: FuzzOperation, context: ValueContext): Buffer | undefined {
  const { chance } = context
  if (operation.upload) return uploadFor(operation.upload, chance)
  if (!operation.body) return chance.hits(0.02) ? Buffer.from('{}') : undefined
  const text = JSON.stringify(valueFor(operation.body, context)) ?? 'undefined'
  return chance.hits(0.95) ? Buffer.from(text) : brokenText(text, chance)
}

/** JSON that is cut off, doubled, or not JSON at all. */
function brokenText(text: string, chance: Chance): Buffer {
  const at = chance.whole(0, text.length)
  return Buffer.from(
    chance.oneOf([
      text.slice(0, at),
      `${text}${text}`,
      `${text.slice(0, at)}${String(chance.oneOf(JUNK)).slice(0, 40)}${text.slice(at)}`,
      text.replace('{', '{"__proto__":{"x":1},'),
      text.replace('{', '{"constructor":{"prototype":{"x":1}},'),
      // The same name twice.
      text.replace(/\{("\w+":)/, '{$1 1,$1 '),
      text.replaceAll(/\d+/g, '1e400'),
      text.replaceAll('"', "'"),
      `\ufeff${text}`,
      `${'['.repeat(20_000)}`,
      `{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
      '',
      'NaN',
      '"\\ud800"',
      '"\\u0000"',
      // More than a body may have.
      text.padEnd(1_200_000, ' '),
    ]),
  )
}

function uploadFor(example: string, chance: Chance): Buffer {
  const bytes = Buffer.from(example.repeat(chance.whole(1, 3)))
  for (let count = chance.whole(0, 6); count > 0; count--) {
    bytes[chance.whole(0, bytes.length - 1)] = chance.whole(0, 255)
  }
  return chance.hits(0.1) ? gzipSync(bytes) : bytes.subarray(0, chance.whole(0, bytes.length))
}

/** A lone surrogate cannot be sent in an address at all. */
function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** The request as a command that repeats it. */
export function curlOf({ method, target, headers, body }: FuzzRequest, address: string): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const parts = ['curl', '-i', '--globoff', '-X', method, quote(`${address}${target}`)]
  for (const [name, value] of headers) parts.push('-H', quote(`${name}: ${value}`))
  const pipe = body === undefined ? '' : `echo ${body.toString('base64')} | base64 -d | `
  if (body !== undefined) parts.push('--data-binary', '@-')
  return `${pipe}${parts.join(' ')}`.slice(0, 6_000)
}
