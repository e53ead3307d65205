import { listen } from '../database/listen.ts'
import type { Database } from '../database/open.ts'
import { CHANGE_CHANNEL } from '../events/change-log.ts'

/** Lets requests wait for the next change without a connection or a polling query for each. */
interface ChangeSignal {
  /** How many notifications there were so far. A reader notes it before it reads. */
  count(): number
  /** Resolves after a notification beyond `count`, with `signal`, or after `timeoutMs`. */
  after(count: number, timeoutMs: number, signal: AbortSignal): Promise<void>
  /** Ends all waits, and those that begin later. */
  stop(): void
  close(): Promise<void>
}

export function createChangeSignal({ directUrl }: Pick<Database, 'directUrl'>): ChangeSignal {
  const waiting = new Set<() => void>()
  let notified = 0
  let isStopped = false
  const wakeAll = () => {
    notified++
    for (const wake of waiting) wake()
  }
  const listener = listen(directUrl, [CHANGE_CHANNEL], {
    // A change may have been missed while the connection was lost.
    onConnected: wakeAll,
    onLost: () => {},
    onNotification: wakeAll,
  })

  function stop(): void {
    isStopped = true
    wakeAll()
  }

  return {
    count: () => notified,
    after(count, timeoutMs, signal) {
      // A change that was committed while the reader read woke nobody.
      if (isStopped || signal.aborted || notified !== count) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, timeoutMs)
        waiting.add(wake)
        signal.addEventListener('abort', wake)
      })
    },
    stop,
    async close() {
      stop()
      await listener.close()
    },
  }
}
