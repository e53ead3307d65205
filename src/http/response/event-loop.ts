import { Histogram, type Registry } from 'prom-client'
import type { App } from '../route.ts'

const SAMPLE_MS = 20
const BOUNDS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]

/**
 * How long a request had to wait until the event loop was free, as a timer sees it that fires fifty
 * times a second. Long work is cut into pieces so that one call does not hold the loop for more
 * than 50 ms; bench/event-loop.ts measures how far that holds. Longer waits mean too little
 * processor, or work that needs smaller pieces.
 */
export function measureEventLoop(app: App, registry: Registry): void {
  const waits = new Histogram({
    name: 'pavilion_event_loop_wait_seconds',
    help: 'How late a timer fired because the event loop was busy, sampled every 20 ms',
    buckets: BOUNDS_SECONDS,
    registers: [registry],
  })
  let expectedAt = performance.now() + SAMPLE_MS
  const timer = setInterval(() => {
    const now = performance.now()
    waits.observe(Math.max(0, now - expectedAt) / 1000)
    expectedAt = now + SAMPLE_MS
  }, SAMPLE_MS).unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    done()
  })
}
