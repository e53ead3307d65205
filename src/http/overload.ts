import { problem, sendProblem } from './problems.ts'
import type { App } from './route.ts'

const SAMPLE_MS = 500
/** One late sample may be a pause; this many in a row are a server that cannot keep up. */
const LATE_SAMPLES = 3

/** Never refused: they are how an operator finds out. */
const ALWAYS = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Answers 503 while the event loop cannot keep up, so that callers come again later instead of
 * piling up. Lateness is that of a timer, in several samples in a row: a single long pause, such
 * as a garbage collection, refuses nobody.
 */
export function registerOverloadGuard(app: App, lateMsMax: number): void {
  let lateSamples = 0
  let expectedAt = performance.now() + SAMPLE_MS
  const timer = setInterval(() => {
    const now = performance.now()
    lateSamples = now - expectedAt > lateMsMax ? lateSamples + 1 : 0
    expectedAt = now + SAMPLE_MS
  }, SAMPLE_MS).unref()

  app.addHook('onRequest', (request, reply, done) => {
    if (lateSamples < LATE_SAMPLES || ALWAYS.has(request.url)) return done()
    const detail = 'The server is overloaded; try again in a moment.'
    sendProblem(request, reply, problem(503, 'overloaded', detail))
  })
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    done()
  })
}
