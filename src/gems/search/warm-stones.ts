import { setTimeout as sleep } from 'node:timers/promises'
import type { GemIndex } from '../indexing/follower.ts'
import type { RenderedStones } from './rendered-stones.ts'

/** Few at a time: nobody's search waits longer than for these. */
const BATCH = 50
/** A pause between batches leaves the machine to those who ask. */
const PAUSE_MS = 10

/**
 * Renders stones before anybody asks for them, cheapest first, which is the order that most
 * searches read. Ends when the cache is nearly full or all stones are in it.
 */
export function warmStones(index: GemIndex, stones: RenderedStones): { stop(): void } {
  let stopped = false
  void warm().catch(() => {
    // The database is away: the stones are then rendered when they are asked for.
  })
  return {
    stop() {
      stopped = true
    },
  }

  async function warm(): Promise<void> {
    while (!stopped && index.sequence() === undefined) await pause(250)
    for (let from = 0; !stopped; from += BATCH) {
      const { base } = index.store()
      const ids: number[] = []
      for (let row = from; row < Math.min(from + BATCH, base.size); row++) {
        ids.push(base.ids.values[row] + base.ids.base)
      }
      if (ids.length === 0 || !(await stones.warm(ids))) return
      await pause(PAUSE_MS)
    }
  }

  function pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { ref: false })
  }
}
