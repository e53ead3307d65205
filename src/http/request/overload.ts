import type { App } from '../route.ts'

const SAMPLE_MS = 500
/** One late sample may be a pause; this many in a row are a server that cannot keep up. */
const LATE_SAMPLES = 3

export interface Overload {
  isNow(): boolean
}

/**
 * Tells whether the event loop cannot keep up, so that callers are sent away for a moment instead
 * of piling up. Lateness is that of a timer, in several samples in a row: a single long pause, such
 * as a garbage collection, refuses nobody.
 */
export function watchOverload(app: App, lateMsMax: number): Overload {
  let lateSamples = 0
  let expectedAt = performance.now() + SAMPLE_MS
  const timer = setInterval(() => {
    const now = performance.now()
    lateSamples = now - expectedAt > lateMsMax ? lateSamples + 1 : 0
    expectedAt = now + SAMPLE_MS
  }, SAMPLE_MS).unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    done()
  })
  return { isNow: () => lateSamples >= LATE_SAMPLES }
}
