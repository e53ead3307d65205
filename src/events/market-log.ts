import type { Db } from '../database/open.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import { type LogPart, readChanges } from './change-log.ts'
import { numberBoth } from './number-changes.ts'
import { createPoller } from './poller.ts'

/** The change log as the indexes of a process read it. */
export interface MarketLog {
  /** Numbers all changes that were committed before the call, and returns the last number. */
  number(): Promise<number>
  /** Reads changes after a number, as `readChanges` does. */
  read(after: number, limit: number): Promise<LogPart>
}

/** Nothing announces a commit, because a notification takes a lock that all commits share. */
const POLL_MS = 200

/**
 * Numbering costs nearly the same for one change as for ten. Between two calls it rests as long as
 * the last one took, up to this: under load more commits then share it.
 */
const REST_MS_MAX = 10

/** Numbers what every node and command commits, until it is stopped. */
export function startMarketLog(
  db: Db,
  onError: (error: unknown) => void,
): MarketLog & { stop(): Promise<void> } {
  const number = oneAtATime(() => numberBoth(db), REST_MS_MAX)
  const poller = createPoller(
    async () => {
      await number()
      return POLL_MS
    },
    { afterErrorMs: POLL_MS, onError },
  )
  poller.wake()
  return { number, read: shareReads(db), stop: () => poller.stop() }
}

/** The indexes are woken together, mostly at the same place: then one statement is enough. */
function shareReads(db: Db): MarketLog['read'] {
  const notBegun = new Map<string, Promise<LogPart>>()
  return (after, limit) => {
    const key = `${after} ${limit}`
    return notBegun.get(key) ?? begin(key, () => readChanges(db, after, limit))
  }

  function begin(key: string, read: () => Promise<LogPart>): Promise<LogPart> {
    const reading = new Promise<void>(setImmediate).then(() => {
      notBegun.delete(key)
      return read()
    })
    notBegun.set(key, reading)
    return reading
  }
}
