import { performance } from 'node:perf_hooks'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { find } from '../../index/index.ts'
import type { GemIndex } from '../indexing/follower.ts'
import type { RenderedStones } from './rendered-stones.ts'
import type { KeptStones } from './stored/keep-stones.ts'

/** Read by 200, a stone takes half of the time of PostgreSQL that it takes when read by 50. */
const BATCH = 200
/**
 * A pause between batches leaves the machine to requests, and a longer one while it is busy. Until
 * all stones are rendered, a search may need the database, so that should not take long either.
 */
const WARM_PAUSE_MS = 12
const BUSY_PAUSE_MS = 200
const BUSY_SHARE = 0.7
const WAIT_FOR_INDEX_MS = 250
/** Stones that changed are rendered again 500 a second at most: an import may change all. */
const CHANGED_BATCH = 50
const CHANGED_PAUSE_MS = 100
const ALL_CHANGED_PAUSE_MS = (CHANGED_PAUSE_MS * BATCH) / CHANGED_BATCH
/** How soon it is tried again when the database is away. */
const RETRY_MS = 1_000

/**
 * Renders stones before anybody asks for them, so that they can be shown while the database is
 * away: first all of them, cheapest first, which is the order that most searches read; then those
 * that change. It begins again when everything was forgotten.
 */
export function warmStones(
  index: GemIndex,
  stones: RenderedStones,
  kept: Pick<KeptStones, 'saveWhenDue'>,
): { stop(): void } {
  let stopped = false
  void warm()
  return {
    stop() {
      stopped = true
    },
  }

  async function warm(): Promise<void> {
    while (!stopped && index.sequence() === undefined) await pause(WAIT_FOR_INDEX_MS)
    let pauseMs = WARM_PAUSE_MS
    while (!stopped) {
      const renewals = stones.renewals()
      const isCurrent = () => !stopped && stones.renewals() === renewals
      await warmAll(isCurrent, pauseMs)
      if (isCurrent()) await kept.saveWhenDue(true)
      while (isCurrent() && !stones.hasForgottenMore()) {
        await warmChanged(stones.takeForgotten(CHANGED_BATCH))
        await kept.saveWhenDue(false)
        await pause(CHANGED_PAUSE_MS)
      }
      pauseMs = isCurrent() ? ALL_CHANGED_PAUSE_MS : WARM_PAUSE_MS
    }
  }

  async function warmAll(isCurrent: () => boolean, pauseMs: number): Promise<void> {
    // Only the ids: rows move when the base is merged, and this must not keep the whole base.
    const { ids: all, size } = index.store().base
    for (let from = 0; from < size && isCurrent(); from += BATCH) {
      const ids: number[] = []
      for (let row = from; row < Math.min(from + BATCH, size); row++) {
        ids.push(all.values[row] + all.base)
      }
      if (!stones.lacks(ids)) {
        await setImmediate()
        continue
      }
      if (!(await warmSome(ids))) return
      await kept.saveWhenDue(false)
      await leaveTime(pauseMs)
    }
  }

  /** Changes are those of every index. */
  async function warmChanged(ids: readonly number[]): Promise<void> {
    const store = index.store()
    const isThere = (id: number) => find(store, id) !== undefined
    stones.remove(ids.filter((id) => !isThere(id)))
    await warmSome(ids.filter(isThere))
  }

  /** While the database is away it waits. */
  async function warmSome(ids: readonly number[]): Promise<boolean> {
    while (!stopped) {
      const hasSpace = await stones.warm(ids).catch(() => undefined)
      if (hasSpace !== undefined) return hasSpace
      await pause(RETRY_MS)
    }
    return false
  }
}

/** Others are busy when the loop is so during the pause: before it, this itself was at work. */
async function leaveTime(pauseMs: number): Promise<void> {
  const before = performance.eventLoopUtilization()
  await pause(pauseMs)
  const { utilization } = performance.eventLoopUtilization(before)
  if (utilization > BUSY_SHARE) await pause(BUSY_PAUSE_MS)
}

function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false })
}
