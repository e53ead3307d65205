import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Runs the work so that every caller waits for a run that started after its call. One run is active
 * at a time; all callers in the meantime share the next one, and so do callers of one turn of the
 * event loop. A run begins at the earliest when the one before has ended for as long as it took, up
 * to `restMsMax`, so that more callers share it.
 */
export function oneAtATime<T>(work: () => Promise<T>, restMsMax = 0): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  /** By `performance.now()`. */
  let restedAtMs = 0

  async function runNext(): Promise<T> {
    await running?.catch(() => {})
    await nextTurn()
    const restMs = restedAtMs - performance.now()
    if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs))
    next = undefined
    running = run()
    return running
  }

  async function run(): Promise<T> {
    const beganAtMs = performance.now()
    try {
      return await work()
    } finally {
      const endedAtMs = performance.now()
      restedAtMs = endedAtMs + Math.min(restMsMax, endedAtMs - beganAtMs)
    }
  }

  return () => {
    next ??= runNext()
    return next
  }
}

/** Waits for the work, but no longer than so many milliseconds. The work itself goes on. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns a function that runs once at a time: callers during a run get the result of that run. */
export function shareRun<Value>(run: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined
  return () => {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
}
