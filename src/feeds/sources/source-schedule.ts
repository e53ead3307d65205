/** Runs the sources that are due, on every node of the market; a lease lets one run each. */
import { createPoller } from '../../events/poller.ts'
import { runClaimed, type SourceRunner } from './run-source.ts'
import { type ClaimedSource, claimDue, findNextDueMs } from './run-store.ts'

interface SourceSchedule {
  /** Looks for what is due now, because a source is new or was changed. */
  wake: () => void
  /** Stops running fetches, waits for what ends soon, and starts no more. */
  stop(): Promise<void>
}

/** At most half of the imports' connections: an operator's upload finds one free. */
const RUNNING_MAX = 2
/** A notification can be lost with its connection, so the database is polled this often. */
const POLL_MS = 5_000
const POLL_MS_MIN = 50
/** An import that is being applied ends later; the next start reverts or repeats it. */
const STOP_MS = 2_000

export function startSourceSchedule(
  runner: SourceRunner,
  onError: (error: unknown) => void,
): SourceSchedule {
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  const { wake, stop } = createPoller(startDue, { afterErrorMs: POLL_MS, onError })

  /** Starts what is due, and returns how many milliseconds to wait for the next. */
  async function startDue(): Promise<number> {
    while (!stopping.signal.aborted && running.size < RUNNING_MAX) {
      const claimed = await claimDue(runner.db)
      if (!claimed) break
      start(claimed)
    }
    const nextMs = await findNextDueMs(runner.db)
    return Math.min(Math.max(nextMs ?? POLL_MS, POLL_MS_MIN), POLL_MS)
  }

  function start(claimed: ClaimedSource): void {
    const run = runClaimed(runner, claimed, { options: {}, stop: stopping.signal })
      .catch(onError)
      .then(() => {
        running.delete(run)
        wake()
      })
    running.add(run)
  }

  return {
    wake,
    async stop() {
      stopping.abort()
      await stop()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_MS)
      })
      await Promise.race([Promise.all(running), late])
      clearTimeout(timer)
    },
  }
}
