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
