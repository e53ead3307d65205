import type { Server } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { OverloadLimits } from './limits.ts'

/**
 * A search never waits for anything but the event loop: Node reads a call and answers it before it
 * reads the next one. Calls that are not read yet wait in the kernel, where they cannot be
 * counted. But each turn of the loop reads all calls that arrived during the turn before, so a call
 * waits about as long as a turn takes.
 */
interface LoopDelay {
  /** Called for each call that arrives; tells whether it must be refused. */
  refuses(callerOf: () => string): boolean
}

/** A loop that is idle for a smaller share of its time has more to do than it can. */
const IDLE_SHARE_MIN = 0.05

/** While most calls are refused, turns are shorter, so that the accepted calls wait less. */
const SHORT_TURN = { delayMs: 3, calls: 4 }

/** Node accepts one connection in each turn. When so many turns in a row did, others wait. */
const ACCEPTING_TURNS_MIN = 8
/** Then turns are as short as possible. */
const SHORTEST_TURN = { delayMs: 0, calls: 1 }

/**
 * When the loop has had no idle time for `burstMs`, each turn answers calls for `loopDelayMs` and
 * refuses the others that it reads, which costs little. A caller who has had a call in the same
 * turn has only the first half of it, so that one caller does not keep the others out. While more
 * calls of a burst wait for a turn than one answers, all others are refused.
 */
export function createLoopDelay(
  server: Server,
  waiting: () => number,
  limits: Pick<OverloadLimits, 'loopDelayMs' | 'callsPerTurn' | 'burstMs'>,
): LoopDelay {
  const { loopDelayMs, callsPerTurn, burstMs } = limits
  if (loopDelayMs === Number.POSITIVE_INFINITY) return { refuses: () => false }
  const isBusy = createBusyCheck(burstMs / 2)
  const turns = createTurns(server, { delayMs: loopDelayMs, calls: callsPerTurn }, burstMs)
  const admitted = new Set<string>()
  let isInTurn = false
  let startedAt = 0
  let calls = 0

  function endTurn(): void {
    isInTurn = false
    turns.end(calls)
    calls = 0
    admitted.clear()
  }

  function isLate(now: number, caller: string): boolean {
    const { delayMs, calls: callsMin } = turns.bound()
    if (waiting() > callsMin) return true
    if (calls <= callsMin) return false
    return now - startedAt > (admitted.has(caller) ? delayMs / 2 : delayMs)
  }

  return {
    refuses(callerOf) {
      const now = performance.now()
      if (!isBusy(now)) return false
      if (!isInTurn) {
        isInTurn = true
        startedAt = now
        // Runs when the turn has read all calls that had arrived when it began.
        setImmediate(endTurn)
      }
      calls++
      const caller = callerOf()
      if (isLate(now, caller)) {
        turns.noteRefusal(now)
        return true
      }
      admitted.add(caller)
      return false
    },
  }
}

interface TurnBound {
  /** A turn admits calls for this time, */
  delayMs: number
  /** and at least so many. */
  calls: number
}

/**
 * How long the next turn may be, after what happened in the last ones. An overload is over when no
 * call was refused for `calmMs`: a single turn without a refusal is only a short one.
 */
function createTurns(server: Server, usual: TurnBound, calmMs: number) {
  let refused = 0
  let refusedAt = Number.NEGATIVE_INFINITY
  let isOverload = false
  let isAccepting = false
  let acceptingTurns = 0
  server.on('connection', () => {
    isAccepting = true
  })
  return {
    noteRefusal(now: number) {
      refused++
      refusedAt = now
    },
    end(calls: number) {
      if (refused > calls / 2) isOverload = true
      else if (performance.now() - refusedAt > calmMs) isOverload = false
      acceptingTurns = isAccepting ? acceptingTurns + 1 : 0
      isAccepting = false
      refused = 0
    },
    bound(): TurnBound {
      if (!isOverload) return usual
      return acceptingTurns >= ACCEPTING_TURNS_MIN ? SHORTEST_TURN : SHORT_TURN
    },
  }
}

/**
 * Tells at each call whether the loop has more to do than it can: since it had no idle time in two
 * periods, until it had some in two. A single one with idle time, as when the callers wait for the
 * responses of a long turn, is not the end: all calls would be accepted again, and wait.
 */
function createBusyCheck(periodMs: number): (now: number) => boolean {
  let startedAt = performance.now()
  let idleBeforeMs = performance.eventLoopUtilization().idle
  let lastCallAt = startedAt
  let longestGapMs = 0
  let isBusy = false
  /** How many periods in a row were not as `isBusy` says. */
  let otherPeriods = 0

  function judge(now: number): void {
    const elapsedMs = now - startedAt
    const { idle } = performance.eventLoopUtilization()
    const isIdle = idle - idleBeforeMs >= IDLE_SHARE_MIN * elapsedMs
    // A single pause, such as a garbage collection or one large call, is not an overload.
    const isPause = longestGapMs > elapsedMs / 2
    otherPeriods = isBusy === (isIdle || isPause) ? otherPeriods + 1 : 0
    if (otherPeriods === 2) {
      isBusy = !isBusy
      otherPeriods = 0
    }
    startedAt = now
    idleBeforeMs = idle
    longestGapMs = 0
  }

  return (now) => {
    const gapMs = now - lastCallAt
    lastCallAt = now
    if (gapMs > longestGapMs) longestGapMs = gapMs
    if (now - startedAt >= periodMs) judge(now)
    return isBusy
  }
}
