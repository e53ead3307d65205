import { performance } from 'node:perf_hooks'

/**
 * Keeps the turns of the event loop short. Node begins all calls that have arrived before it does
 * anything else, so a health check would wait for a burst of two hundred searches. Calls that
 * arrive when a turn has lasted long enough begin one by one in the next turns.
 */
interface ShortTurns {
  /** Begins a call, now or in a later turn; the first come first. */
  begin(call: () => void): void
  /** How many calls wait for a later turn. */
  waiting: () => number
}

export function createShortTurns(turnMs: number): ShortTurns {
  const waiting: (() => void)[] = []
  let isInTurn = false
  let startedAt = 0

  function endTurn(): void {
    isInTurn = false
    const next = waiting.shift()
    if (!next) return
    startTurn()
    // What the call does runs when this has returned, so only one begins in a turn.
    next()
  }

  function startTurn(): void {
    isInTurn = true
    startedAt = performance.now()
    setImmediate(endTurn)
  }

  return {
    begin(call) {
      if (!isInTurn) startTurn()
      const isOver = waiting.length > 0 || performance.now() - startedAt > turnMs
      if (isOver) waiting.push(call)
      else call()
    },
    waiting: () => waiting.length,
  }
}
