import type { Db } from '../../database/open.ts'
import { atMost, oneAtATime } from '../../lib/one-at-a-time.ts'
import { newUuid } from '../../lib/uuid.ts'
import { countNodes, takeShares } from './rate-count-store.ts'

/** What a caller has used of its limit in the minute. Several nodes share the limit. */
export interface Count {
  limit: number
  /** Used on this node. */
  own: number
  /** Used on this node when the nodes last exchanged their counts. */
  ownBefore: number
  /** What this node has taken of the limit for itself, as the database knows it. */
  taken: number
  /** What the other nodes had taken when this one last asked. */
  others: number
  /** How much this node wants to be able to use, when a call waits for it. */
  wanted: number
}

export function newCount(limit: number): Count {
  return { limit, own: 0, ownBefore: 0, taken: 0, others: 0, wanted: 0 }
}

/** The counts of one minute, by caller. */
interface MinuteCounts {
  minute: number
  counts: ReadonlyMap<string, Count>
}

/** The shares of a node in the limits of its callers. */
interface RateShares {
  /** What of the limit may still be used here, as far as this node knows. */
  leftOf: (count: Count) => number
  /** Whether a call has to wait until the node has taken more for it. */
  needsMore(count: Count, cost: number): boolean
  /** Resolves when the node has taken more, or knows that there is no more. */
  takeMore(count: Count, cost: number): Promise<void>
  /** Takes as much as was used lately, and gives back what was not used. */
  exchange: () => Promise<void>
}

/** A database that takes longer has other problems, and no call waits for it. */
const ANSWER_MS = 500
/** A call takes this part of what is left, so that not each of them has to ask. */
const PART_TAKEN = 1 / 8

/**
 * Nodes take parts of a limit in the database before they use them, so that together they never
 * admit more. A node that is alone only counts. While the database does not answer, a node that is
 * one of three may use a third of the limit.
 */
export function createRateShares(
  db: Db,
  current: () => MinuteCounts,
  answerMs = ANSWER_MS,
): RateShares {
  const node = newUuid()
  let nodes = 1
  let isSilent = false
  let isExchange = false

  function leftOf({ limit, own, taken, others }: Count): number {
    const left = Math.max(0, limit - own - others)
    if (!isSilent) return left
    return Math.min(left, Math.max(0, taken - own, Math.floor(limit / nodes) - own))
  }

  const ask = oneAtATime(async () => {
    const isForAll = isExchange
    isExchange = false
    const { minute, counts } = current()
    if (isForAll) nodes = await countNodes(db, node, minute)
    const asked = [...counts].filter(([, { wanted }]) => isForAll || wanted > 0)
    if (asked.length > 0) await takeFor(db, { minute, counts: new Map(asked) }, isForAll)
    isSilent = false
  })

  return {
    leftOf,
    needsMore(count, cost) {
      if (nodes === 1 || isSilent || count.own + cost <= count.taken) return false
      return cost <= leftOf(count)
    },
    async takeMore(count, cost) {
      const part = Math.max(cost, Math.ceil(leftOf(count) * PART_TAKEN))
      count.wanted = Math.max(count.wanted, count.own + part)
      let hasAnswered = false
      const answered = ask().then(
        () => {
          hasAnswered = true
        },
        () => {},
      )
      await atMost(answerMs, answered)
      // Until an exchange succeeds, so that no other call waits in vain.
      if (!hasAnswered) isSilent = true
    },
    exchange() {
      isExchange = true
      return ask()
    },
  }
}

/** Takes what calls wait for; for all callers, as much as each used lately. */
async function takeFor(db: Db, { minute, counts }: MinuteCounts, isForAll: boolean): Promise<void> {
  const added = new Map<string, number>()
  for (const [caller, count] of counts) {
    const usedLately = isForAll ? count.own - count.ownBefore : 0
    const least = isForAll ? count.own + usedLately : count.taken
    const more = Math.max(least, count.wanted) - count.taken
    added.set(caller, more)
    count.wanted = 0
    if (isForAll) count.ownBefore = count.own
    // What is given back must not be used any more; what is taken, only when it is known.
    count.taken += Math.min(0, more)
  }
  const totals = await takeShares(db, minute, added)
  for (const [caller, count] of counts) {
    count.taken += Math.max(0, added.get(caller) ?? 0)
    count.others = Math.max(0, (totals.get(caller) ?? 0) - count.taken)
  }
}
