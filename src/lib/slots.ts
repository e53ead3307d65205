import { Refusal, type RefusalCode } from './refusal.ts'

/**
 * Counts what callers use at the same time, such as connections: a bound for all of them together,
 * and a share that one caller cannot exceed, so that no caller keeps the others out.
 */
export interface Slots {
  /** Takes a slot and returns how to free it. Freeing it again does nothing. */
  take(caller: string): () => void
}

interface SlotLimits {
  total: number
  perCaller: number
  /** The refusal of a caller that uses its whole share. */
  shareUsed: { code: RefusalCode; detail: string }
  /** The refusal when all slots are taken, which is not the caller's fault. */
  allTaken: { code: RefusalCode; detail: string }
}

export function createSlots({ total, perCaller, shareUsed, allTaken }: SlotLimits): Slots {
  const taken = new Map<string, number>()
  let takenInAll = 0

  function free(caller: string): void {
    takenInAll--
    const left = (taken.get(caller) ?? 0) - 1
    if (left > 0) taken.set(caller, left)
    else taken.delete(caller)
  }

  return {
    take(caller) {
      const own = taken.get(caller) ?? 0
      if (own >= perCaller) throw new Refusal(shareUsed.code, shareUsed.detail)
      if (takenInAll >= total) throw new Refusal(allTaken.code, allTaken.detail)
      takenInAll++
      taken.set(caller, own + 1)
      let isFreed = false
      return () => {
        if (isFreed) return
        isFreed = true
        free(caller)
      }
    },
  }
}

const WAITS_MAX = 500
export const WAITS_PER_MERCHANT_MAX = 20

/**
 * For requests of merchants that wait for what is new. A program follows with one request at a
 * time; the share allows for several processes of a merchant. Each wait costs memory, and a read
 * when it ends.
 */
export function createWaitSlots(awaited: 'changes' | 'events'): Slots {
  return createSlots({
    total: WAITS_MAX,
    perCaller: WAITS_PER_MERCHANT_MAX,
    shareUsed: {
      code: 'too_many_waits',
      detail: `At most ${WAITS_PER_MERCHANT_MAX} requests of a merchant wait at the same time.`,
    },
    allTaken: {
      code: 'not_ready',
      detail: `Too many requests are waiting for ${awaited}; try again, or do not wait.`,
    },
  })
}
