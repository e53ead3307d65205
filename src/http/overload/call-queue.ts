import { Refusal } from '../../lib/refusal.ts'
import type { OverloadLimits } from './limits.ts'
import { createWaitingCalls, OVERLOADED } from './waiting-calls.ts'

/** So many more refused than accepted calls show that the overload is a large one. */
const REFUSED_SURPLUS = 32

/** A caller may have this many times as many calls in flight as there are free places. */
const SHARE = 2

/**
 * The calls that work, and those that wait for their turn. One caller never takes all places: the
 * more it has, the fewer it may still take, and some places are always left for the others.
 */
export interface CallQueue {
  /** Returns undefined when the call may begin, else a promise of its turn; throws a `Refusal`. */
  enter(caller: string): Promise<void> | undefined
  leave(caller: string): void
  /** Whether `enter` would refuse the caller. */
  refuses(caller: string): boolean
  /** A call was refused before it came here, so the overload is not over. */
  noteRefusal(): void
  /** Whether so many calls are in flight that `refuses` may be true for someone. */
  isCrowded(): boolean
  running(): number
  waiting(): number
}

type Limits = Pick<OverloadLimits, 'running' | 'least' | 'steady' | 'burst' | 'burstMs'>

export function createCallQueue(limits: Limits): CallQueue {
  const inFlight = createCounts()
  const waiting = createWaitingCalls((caller) => change(caller, -1))
  const { bound, note, noteAccepted, noteRefusal, isOverload } = createBound(limits)

  function change(caller: string, by: 1 | -1): void {
    inFlight.add(caller, by)
    note(inFlight.total())
  }

  function refuses(caller: string): boolean {
    const free = bound() - inFlight.total()
    const own = inFlight.of(caller)
    if (own < SHARE * free) return false
    if (free <= 0 && inFlight.findLargest(waiting.callers(), own + 1) !== undefined) return false
    // More calls come although there are too many already: the waiting ones were not a burst.
    if (inFlight.total() > limits.steady && isOverload()) dropOldest(0)
    return true
  }

  /** Refuses a waiting call of the caller with the most in flight, if those are more than that. */
  function dropOldest(moreThan: number): void {
    const largest = inFlight.findLargest(waiting.callers(), moreThan)
    if (largest !== undefined) waiting.dropOldest(largest)
  }

  const running = () => inFlight.total() - waiting.count()

  return {
    enter(caller) {
      if (refuses(caller)) {
        noteRefusal()
        throw new Refusal('overloaded', OVERLOADED)
      }
      // Only a caller who has fewer than another one comes this far, and takes that one's place.
      if (inFlight.total() >= bound()) dropOldest(inFlight.of(caller) + 1)
      const turn = running() >= limits.running ? waiting.wait(caller) : undefined
      change(caller, 1)
      noteAccepted()
      return turn
    },
    leave(caller) {
      change(caller, -1)
      if (running() < limits.running) waiting.beginNext()
    },
    refuses,
    noteRefusal,
    // With fewer calls in flight, no caller can have more than twice as many as are free.
    isCrowded: () => inFlight.total() * (SHARE + 1) >= bound() * SHARE,
    running,
    waiting: () => waiting.count(),
  }
}

/** How many calls may be in flight: many in a burst, fewer in an overload, least in a large one. */
function createBound({ least, steady, burst, burstMs }: Limits) {
  let crowdedSince = Number.POSITIVE_INFINITY
  let refusedAt = Number.NEGATIVE_INFINITY
  /** How many more calls were refused than accepted lately, up to twice `REFUSED_SURPLUS`. */
  let surplus = 0
  const isOverload = () => performance.now() - crowdedSince > burstMs
  /** While calls are refused, the places that they do not get become free all the time. */
  const isOver = (inFlight: number) =>
    inFlight <= steady / 2 && performance.now() - refusedAt > burstMs
  return {
    isOverload,
    bound: () => {
      if (!isOverload()) return burst
      return surplus > REFUSED_SURPLUS ? Math.min(least, steady) : steady
    },
    note: (inFlight: number) => {
      if (inFlight > steady) crowdedSince = Math.min(crowdedSince, performance.now())
      else if (crowdedSince < Number.POSITIVE_INFINITY && isOver(inFlight)) {
        crowdedSince = Number.POSITIVE_INFINITY
      }
    },
    noteAccepted: () => {
      surplus = Math.max(surplus - 1, 0)
    },
    noteRefusal: () => {
      refusedAt = performance.now()
      surplus = Math.min(surplus + 1, 2 * REFUSED_SURPLUS)
    },
  }
}

function createCounts() {
  const counts = new Map<string, number>()
  let total = 0
  const of = (caller: string) => counts.get(caller) ?? 0
  return {
    of,
    total: () => total,
    add(caller: string, by: 1 | -1) {
      total += by
      const own = of(caller) + by
      if (own > 0) counts.set(caller, own)
      else counts.delete(caller)
    },
    /** Returns which of the callers has the most, if that is more than `than`. */
    findLargest(callers: Iterable<string>, than: number): string | undefined {
      let largest: string | undefined
      let most = than
      for (const caller of callers) {
        if (of(caller) <= most) continue
        most = of(caller)
        largest = caller
      }
      return largest
    },
  }
}
