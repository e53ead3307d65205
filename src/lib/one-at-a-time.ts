import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Runs the work so that every caller waits for a run that started after its call. One run is active
 * at a time; all callers in the meantime share the next one, and so do callers of one turn of the
 * event loop.
 */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined

  async function runNext(): Promise<T> {
    await running?.catch(() => {})
    await nextTurn()
    next = undefined
    running = work()
    return running
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
