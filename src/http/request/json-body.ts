import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../lib/refusal.ts'
import type { App } from '../route.ts'

/**
 * JSON is the only body that is read. A NUL character and half of a character are refused here, for
 * every field at once: PostgreSQL cannot store them, and nobody's name has one.
 */
export function registerJsonBody(app: App): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isCoded(request)) return done(new Refusal('unsupported_content_coding', CODED))
    const text = body as string
    if (text.includes('\\u0000')) return done(refusalOf('body', NUL))
    return parse(request, text, (error, value) => {
      done(error ?? (hasHalfCharacter(text, value) ? refusalOf('body', HALF) : null), value)
    })
  })
}

/** Why an address is refused, if it is. */
export function checkAddress(url: string): Refusal | undefined {
  return url.includes('%00') ? refusalOf('address', NUL) : undefined
}

const CODED = 'Send the body as it is, without Content-Encoding.'
const NUL = 'must not contain a NUL character'
const HALF = 'must not contain half of a character (a lone surrogate)'

function isCoded({ headers }: FastifyRequest): boolean {
  return (headers['content-encoding'] ?? 'identity') !== 'identity'
}

/** JSON.stringify writes whole characters plainly, and only a lone surrogate as an escape. */
function hasHalfCharacter(text: string, value: unknown): boolean {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return false
  return /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value))
}

function refusalOf(field: string, message: string): Refusal {
  return new Refusal('invalid_request', `The ${field} ${message}.`, {
    errors: [{ field, message }],
  })
}
