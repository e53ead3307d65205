import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../lib/refusal.ts'
import type { App } from '../route.ts'

/**
 * Accepts JSON bodies only. NUL characters and lone surrogates are refused here, for every field at
 * once: PostgreSQL cannot store them.
 */
export function registerJsonBody(app: App): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (isEncoded(request)) return done(new Refusal('unsupported_content_coding', ENCODED))
    const bytes = body as Buffer
    if (bytes.length === 0 && !needsBody(request)) return done(null, undefined)
    if (!isUtf8(bytes)) return done(new Refusal('invalid_json', NOT_UTF8))
    const text = bytes.toString()
    if (text.includes('\\u0000')) return done(refusalOf('body', NUL))
    return parse(request, text, (error, value) => {
      if (error) return done(isJson(text) ? refusalOf('body', FORBIDDEN_KEY) : error)
      done(hasLoneSurrogate(text, value) ? refusalOf('body', SURROGATE) : null, value)
    })
  })
}

/** Returns why an address is refused; undefined when it is fine. */
export function checkAddress(url: string): Refusal | undefined {
  return url.includes('%00') ? refusalOf('address', NUL) : undefined
}

const ENCODED = 'Send the body uncompressed, without Content-Encoding.'
const NOT_UTF8 = 'The body is not valid JSON: it must be encoded in UTF-8.'
const NUL = 'must not contain a NUL character'
const SURROGATE = 'must not contain a lone surrogate (half of a character)'
const FORBIDDEN_KEY = 'must not contain the key "__proto__", or "constructor" with a "prototype"'

/** Many clients name a Content-Type with every call, also with a DELETE that sends nothing. */
function needsBody(request: FastifyRequest): boolean {
  const validate = request.getValidationFunction('body')
  return validate !== undefined && validate(null) !== true
}

/** Valid JSON is refused for a key that could change what every object inherits. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isEncoded({ headers }: FastifyRequest): boolean {
  return (headers['content-encoding'] ?? 'identity') !== 'identity'
}

/** JSON.stringify escapes a surrogate only when it is alone; pairs are written as characters. */
function hasLoneSurrogate(text: string, value: unknown): boolean {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return false
  return /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value))
}

function refusalOf(field: string, message: string): Refusal {
  return new Refusal('invalid_request', `The ${field} ${message}.`, {
    errors: [{ field, message }],
  })
}
