import type { onSendHookHandler } from 'fastify'
import type { GemIndex } from '../../gems/indexing/follower.ts'
import type { App, RouteDeprecation } from '../route.ts'

/**
 * Every response of a deprecated route says so, a refusal too: `Deprecation` (RFC 9745), `Sunset`
 * (RFC 8594) and a link to what that means.
 */
export function registerDeprecation(app: App): void {
  app.addHook('onRoute', (route) => {
    const declared = route.config?.deprecated
    if (!declared) return
    const { deprecation, sunset } = deprecationFields(declared)
    const writeFields: typeof route.onRequest = (_request, reply, done) => {
      reply.header('deprecation', deprecation).header('sunset', sunset)
      reply.header('link', '</docs/versions>; rel="deprecation"')
      done()
    }
    route.onRequest = [writeFields, route.onRequest ?? []].flat()
  })
}

const MONTHS_MIN = 12

function deprecationFields({ since, sunset }: RouteDeprecation) {
  const [from, until] = [new Date(`${since}T00:00:00Z`), new Date(`${sunset}T23:59:59Z`)]
  const earliest = new Date(from)
  earliest.setUTCMonth(earliest.getUTCMonth() + MONTHS_MIN)
  if (!(until >= earliest)) throw new Error(`a sunset is ${MONTHS_MIN} months after ${since}`)
  return { deprecation: `@${from.getTime() / 1000}`, sunset: until.toUTCString() }
}

/**
 * Marks what is answered from memory while the database is away: for an hour, what was known is
 * still answered. `Age` says for how many seconds this node has not heard of changes.
 */
export function registerStale(app: App, index: Pick<GemIndex, 'staleSeconds'>): void {
  const mark: onSendHookHandler = (_request, reply, payload, done) => {
    const seconds = index.staleSeconds()
    if (seconds > 0 && reply.statusCode < 300) {
      reply.header('warning', '110 - "Response is Stale"').header('age', seconds)
    }
    done(null, payload)
  }
  app.addHook('onRoute', (route) => {
    if (route.config?.mayBeStale) route.onSend = [route.onSend ?? [], mark].flat()
  })
}
