import type { Db } from '../database/open.ts'
import { createWaitSlots } from '../lib/slots.ts'

/** Lets requests wait for the next event of their merchant, with one query for all of them. */
interface EventWaits {
  /**
   * Resolves when the merchant has an event after `sequence`, after `waitMs`, or with `signal`.
   * Refuses to wait for more requests than the limits allow.
   */
  forNext(merchantUuid: string, sequence: number, waitMs: number, signal: AbortSignal): Wait
  /** Ends all waits, and those that begin later. */
  stop(): void
}

type Wait = Promise<void>

/** Events are numbered five times a second. This is soon enough for a program that follows. */
const LOOK_MS = 500

interface Waiting {
  merchantUuid: string
  sequence: number
  end: () => void
}

export function createEventWaits(db: Db, onError: (error: unknown) => void): EventWaits {
  const waiting = new Set<Waiting>()
  const slots = createWaitSlots('events')
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  function lookSoon(): void {
    timer ??= setTimeout(() => {
      void look().finally(() => {
        timer = undefined
        if (waiting.size > 0) lookSoon()
      })
    }, LOOK_MS).unref()
  }

  /** Without its answer the waits go on: the next look, or their time, ends them. */
  async function look(): Promise<void> {
    try {
      const last = await readClocks(
        db,
        [...waiting].map(({ merchantUuid }) => merchantUuid),
      )
      for (const wait of waiting) {
        if ((last.get(wait.merchantUuid) ?? 0) > wait.sequence) wait.end()
      }
    } catch (error) {
      onError(error)
    }
  }

  return {
    async forNext(merchantUuid, sequence, waitMs, signal) {
      if (isStopped || signal.aborted) return
      const free = slots.take(merchantUuid)
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timeout)
          waiting.delete(wait)
          signal.removeEventListener('abort', end)
          free()
          resolve()
        }
        const timeout = setTimeout(end, waitMs)
        const wait = { merchantUuid, sequence, end }
        waiting.add(wait)
        signal.addEventListener('abort', end)
        lookSoon()
      })
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      for (const { end } of waiting) end()
    },
  }
}

/** The number of the last event of each of these merchants that has one. */
async function readClocks(db: Db, merchants: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('event_clock')
    .select(['merchant_uuid', 'last'])
    .where('merchant_uuid', 'in', [...new Set(merchants)])
    .execute()
  return new Map(rows.map(({ merchant_uuid, last }) => [merchant_uuid, last]))
}

export async function lastEventOf(db: Db, merchantUuid: string): Promise<number> {
  return (await readClocks(db, [merchantUuid])).get(merchantUuid) ?? 0
}
