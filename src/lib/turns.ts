import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long a loop may run before requests are answered: less than anyone notices. */
const TURN_MS = 10

/** Lets the process answer requests between the steps of a long loop. */
export interface Turns {
  /** Whether the loop has run long enough; to be asked before each step. */
  isOver(): boolean
  /** Waits for the next turn of the event loop; throws if the work is no longer wanted. */
  next(): Promise<void>
}

/** The loop ends with the reason of the signal when it is aborted. */
export function createTurns(signal?: AbortSignal): Turns {
  let startedMs = performance.now()
  return {
    isOver: () => performance.now() - startedMs >= TURN_MS,
    async next() {
      await nextTurn()
      signal?.throwIfAborted()
      startedMs = performance.now()
    },
  }
}

/** Maps a long list without keeping requests waiting. */
export async function mapInTurns<Item, Result>(
  turns: Turns,
  items: readonly Item[],
  map: (item: Item, at: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [at, item] of items.entries()) {
    if (turns.isOver()) await turns.next()
    results.push(map(item, at))
  }
  return results
}
