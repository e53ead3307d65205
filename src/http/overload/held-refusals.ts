import { RETRY_AFTER_SECONDS } from '../response/problems.ts'

/**
 * How long a refusal is held when its caller has not waited as long as `Retry-After` had told it. A
 * caller in a loop would else be refused thousands of times a second, and the time that takes is
 * missing for the calls that are answered. Held longer, refusals took more than 50 ms, and accepted
 * calls no less (bench/overload).
 */
const HELD_MS = 10
/** How often the held refusals are looked through. */
const STEP_MS = 1

/** The refusals of a connection. */
export interface HeldRefusals {
  /** Writes a refusal: at once, or a moment later to a caller that was refused just before. */
  write(refusal: string): void
  /** Writes the refusal that is still held, before anything else is written. */
  flush(): void
}

interface Held {
  since: number
  /** Writes it, unless that was done before. */
  write(): void
}

/** Returns a function for each connection that is refused for the first time. */
export function createHeldRefusals(): (send: (text: string) => void) => HeldRefusals {
  const hold = createHeldQueue()

  return (send) => {
    let refusedAt = performance.now()
    let current: Held | undefined

    function holdText(text: string): void {
      const held: Held = {
        since: refusedAt,
        write() {
          if (current !== held) return
          current = undefined
          send(text)
        },
      }
      current = held
      hold(held)
    }

    return {
      write(refusal) {
        const now = performance.now()
        const isTooSoon = now - refusedAt < RETRY_AFTER_SECONDS * 1000
        refusedAt = now
        if (isTooSoon) holdText(refusal)
        else send(refusal)
      },
      flush: () => current?.write(),
    }
  }
}

/**
 * Each refusal is written when its own time is over. Written all together they would be followed by
 * as many new requests at once, and the calls that are answered would wait for all of those.
 */
function createHeldQueue(): (held: Held) => void {
  /** The oldest first. */
  const queue: Held[] = []

  function writeDue(): void {
    const dueSince = performance.now() - HELD_MS
    const due = queue.findIndex(({ since }) => since > dueSince)
    const written = queue.splice(0, due === -1 ? queue.length : due)
    for (const held of written) held.write()
    if (queue.length > 0) setTimeout(writeDue, STEP_MS)
  }

  return (held) => {
    if (queue.length === 0) setTimeout(writeDue, HELD_MS)
    queue.push(held)
  }
}
