/**
 * Stops serving without resetting a call: `/readyz` turns red and every response asks the client
 * to close its connection; the port stays open while the load balancer notices; then the port
 * closes and what is running finishes. docs/decisions/0009-stopping.md has the reasons.
 */
import { Server } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../http/route.ts'

export interface StopOptions {
  /** How long the port stays open after `/readyz` has turned red. */
  drainSeconds: number
  /** Runs at the end of that time, while connections are still accepted. */
  beforePortCloses?: () => Promise<void>
}

/**
 * How long running requests may take to finish. Together with the default of DRAIN_SECONDS it is
 * below the 30 seconds after which Kubernetes kills a process.
 */
const FINISH_MS = 20_000
/** A client that uses its connection within this time is served and told to close it. */
const IDLE_MS = 1_000
const IDLE_CHECK_MS = 100
/** How long to look for a moment without new connections. */
const QUIET_WAIT_MS = 1_000
/** The longest time from the end of draining until the process has stopped serving. */
export const STOP_MS_MAX = QUIET_WAIT_MS + FINISH_MS

/** An app that listens. */
export interface Serving {
  app: App
}

export async function stopServing(
  serving: readonly Serving[],
  { drainSeconds, beforePortCloses }: StopOptions,
): Promise<void> {
  for (const { app } of serving) app.services.readiness.startClosing()
  await sleep(drainSeconds * 1000)
  await beforePortCloses?.()
  for (const { app } of serving) await closePort(app)
  await finishRequests(serving)
}

/**
 * Closes the port at a moment when no connection waits to be accepted, because the system resets
 * those. A turn of the event loop accepts what waits; when a short turn accepted nothing, nothing
 * does. The longer it takes to find one, the longer a turn may be.
 */
async function closePort({ server }: App): Promise<void> {
  if (!server.listening) return
  let accepted = 0
  server.on('connection', () => accepted++)
  await nextTurn()
  const beganAt = performance.now()
  for (;;) {
    const acceptedBefore = accepted
    const turnBeganAt = performance.now()
    await nextTurn()
    const now = performance.now()
    const isShort = now - turnBeganAt < (now - beganAt) / 100
    if ((isShort && accepted === acceptedBefore) || now - beganAt > QUIET_WAIT_MS) break
  }
  // The HTTP server's own `close` would also end idle connections, on which a call may be coming.
  Server.prototype.close.call(server)
}

async function finishRequests(serving: readonly Serving[]): Promise<void> {
  const endIdle = serving.map(({ app }) => app.server.closeIdleConnections.bind(app.server))
  // `app.close` would end them at once.
  for (const { app } of serving) app.server.closeIdleConnections = () => {}
  const closed = Promise.all(serving.map(({ app }) => app.close()))
  const idleUntil = performance.now() + IDLE_MS
  const timer = setInterval(() => {
    if (performance.now() < idleUntil) return
    for (const end of endIdle) end()
  }, IDLE_CHECK_MS)
  await Promise.race([closed, sleep(FINISH_MS, undefined, { ref: false })])
  clearInterval(timer)
  for (const { app } of serving) app.server.closeAllConnections()
}
