import { RETRY_AFTER_SECONDS } from '../response/problems.ts'

/**
 * How long a refusal is held when its caller has not waited as long as `Retry-After` had told it. A
 * caller in a loop would else be refused thousands of times a second, and the time that takes is
 * missing for the calls that are answered.
 */
const HELD_MS = 20

/** The refusals of a connection. */
export interface HeldRefusals {
  /** Writes a refusal: at once, or a moment later to a caller that was refused just before. */
  write(refusal: string): void
  /** Writes the refusal that is still held, before anything else is written. */
  flush(): void
}

/** Returns a function for each connection that is refused for the first time. */
export function createHeldRefusals(): (send: (text: string) => void) => HeldRefusals {
  /** All that are held are written together, so that one timer is enough. */
  let held: HeldRefusals[] = []

  function writeHeld(): void {
    const due = held
    held = []
    for (const refusals of due) refusals.flush()
  }

  return (send) => {
    let refusedAt = performance.now()
    let text: string | undefined
    const refusals: HeldRefusals = {
      write(refusal) {
        const isTooSoon = performance.now() - refusedAt < RETRY_AFTER_SECONDS * 1000
        refusedAt = performance.now()
        if (!isTooSoon) {
          send(refusal)
          return
        }
        text = refusal
        if (held.length === 0) setTimeout(writeHeld, HELD_MS)
        held.push(refusals)
      },
      flush() {
        if (text !== undefined) send(text)
        text = undefined
      },
    }
    return refusals
  }
}
