export interface Wakeable {
  wake: () => void
  /** Waits for a look that is under way, and begins no more. */
  stop: () => Promise<void>
}

/**
 * Looks for work when it is woken, and again after as many milliseconds as the look answers. One
 * look at a time: a wake-up during a look makes another one follow.
 */
export function createWakeable(
  look: () => Promise<number>,
  { afterErrorMs, onError }: { afterErrorMs: number; onError: (error: unknown) => void },
): Wakeable {
  let stopped = false
  let again = false
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    if (stopped) return
    if (looking) {
      again = true
      return
    }
    clearTimeout(timer)
    looking = look()
      .catch((error: unknown) => {
        onError(error)
        return afterErrorMs
      })
      .then((waitMs) => {
        looking = undefined
        if (stopped) return
        timer = setTimeout(wake, again ? 0 : waitMs).unref()
        again = false
      })
  }

  return {
    wake,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
    },
  }
}
