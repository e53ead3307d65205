import { Refusal } from '../lib/refusal.ts'
import type { App } from './route.ts'

/**
 * JSON is the only body that is read. A NUL character is refused here, for every field at once:
 * PostgreSQL cannot store it, and nobody's name has one.
 */
export function registerJsonBody(app: App): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if ((text as string).includes('\\u0000')) return done(nulRefusal('body'))
    return parse(request, text as string, done)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.url.includes('%00') ? nulRefusal('query') : undefined)
  })
}

function nulRefusal(field: string): Refusal {
  const message = 'must not contain a NUL character'
  return new Refusal('invalid_request', `The ${field} ${message}.`, {
    errors: [{ field, message }],
  })
}
