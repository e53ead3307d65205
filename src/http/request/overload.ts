import type { App } from '../route.ts'

const SAMPLE_MS = 500
/** One late sample may be a pause; this many in a row mean that the server cannot keep up. */
const LATE_SAMPLES = 3

export interface Overload {
  isNow(): boolean
}

/**
 * Tells whether the event loop is falling behind, so that requests are refused with 503 instead of
 * piling up. It measures how late a timer fires, over several samples in a row: a single long
 * pause, such as a garbage collection, refuses no one.
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
