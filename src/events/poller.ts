interface Poller {
  /** Polls now, or once more after a poll that is running. */
  wake: () => void
  /** Waits for a poll that is running, and starts no more. */
  stop: () => Promise<void>
}

/**
 * Looks for work when it is woken, and again after as many milliseconds as `poll` returns. One poll
 * runs at a time.
 */
export function createPoller(
  poll: () => Promise<number>,
  { afterErrorMs, onError }: { afterErrorMs: number; onError: (error: unknown) => void },
): Poller {
  let stopped = false
  let wokenAgain = false
  let polling: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    if (stopped) return
    if (polling) {
      wokenAgain = true
      return
    }
    clearTimeout(timer)
    polling = poll()
      .catch((error: unknown) => {
        onError(error)
        return afterErrorMs
      })
      .then((waitMs) => {
        polling = undefined
        if (stopped) return
        timer = setTimeout(wake, wokenAgain ? 0 : waitMs).unref()
        wokenAgain = false
      })
  }

  return {
    wake,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await polling
    },
  }
}
