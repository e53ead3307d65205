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

/** With so many calls in a turn, a connection that waits to be accepted waits too long. */
const CALLS_PER_TURN_MANY = 16

/**
 * When the loop has had no idle time for `burstMs`, each turn answers calls for `loopDelayMs` and
 * refuses the others that it reads, which costs little. A caller who has had a call in the same
 * turn has only the first half of it, so that one caller does not keep the others out.
 */
export function createLoopDelay(
  server: Server,
  limits: Pick<OverloadLimits, 'loopDelayMs' | 'callsPerTurn' | 'burstMs'>,
): LoopDelay {
  const { loopDelayMs, callsPerTurn, burstMs } = limits
  if (loopDelayMs === Number.POSITIVE_INFINITY) return { refuses: () => false }
  const isBusy = createBusyCheck(burstMs / 2)
  const admitted = new Set<string>()
  let isInTurn = false
  let startedAt = 0
  let calls = 0
  let isAccepting = false
  let admits = callsPerTurn
  server.on('connection', () => {
    isAccepting = true
  })

  function endTurn(): void {
    isInTurn = false
    // Node accepts one connection in each turn, so turns with many calls are cut short while
    // others wait to be accepted.
    admits = isAccepting && calls > CALLS_PER_TURN_MANY ? 1 : callsPerTurn
    isAccepting = false
    calls = 0
    admitted.clear()
  }

  function isLate(now: number, caller: string): boolean {
    if (calls <= admits) return false
    if (admits === 1) return true
    const elapsedMs = now - startedAt
    return elapsedMs > (admitted.has(caller) ? loopDelayMs / 2 : loopDelayMs)
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
      if (isLate(now, caller)) return true
      admitted.add(caller)
      return false
    },
  }
}

/** Tells at each call whether the loop had no idle time in the last two periods. */
function createBusyCheck(periodMs: number): (now: number) => boolean {
  let startedAt = performance.now()
  let idleBeforeMs = performance.eventLoopUtilization().idle
  let lastCallAt = startedAt
  let longestGapMs = 0
  let busyPeriods = 0

  function judge(now: number): void {
    const elapsedMs = now - startedAt
    const { idle } = performance.eventLoopUtilization()
    const isIdle = idle - idleBeforeMs >= IDLE_SHARE_MIN * elapsedMs
    // A single pause, such as a garbage collection or one large call, is not an overload.
    const isPause = longestGapMs > elapsedMs / 2
    busyPeriods = isIdle || isPause ? 0 : busyPeriods + 1
    startedAt = now
    idleBeforeMs = idle
    longestGapMs = 0
  }

  return (now) => {
    const gapMs = now - lastCallAt
    lastCallAt = now
    if (gapMs > longestGapMs) longestGapMs = gapMs
    if (now - startedAt >= periodMs) judge(now)
    return busyPeriods >= 2
  }
}
