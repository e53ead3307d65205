import type { Db, Tx } from '../database/open.ts'
import { inTransaction } from '../database/transaction.ts'
import { numberEvents } from '../events/number-changes.ts'
import { hasNewEvents, insertNotices, lockPlace, movePlace, readEvents } from './notice-store.ts'
import { readFacts } from './writing/facts.ts'
import { TOLD_EVENT_TYPES, writeNotices } from './writing/write-notices.ts'

/** As many events as one transaction makes notices of. */
const EVENTS_AT_ONCE = 200

/**
 * Makes the notices of all events that are new. The place in the events moves in the transaction of
 * the notices, so every event is told once, however many nodes run this and whenever they stop.
 */
export async function makeNotices(db: Db): Promise<number> {
  await numberEvents(db)
  let made = 0
  while (await hasNewEvents(db)) {
    const notices = await inTransaction(db, makeSome)
    if (notices === undefined) return made
    made += notices
  }
  return made
}

/** Returns how many notices were made; undefined when another node makes them. */
async function makeSome(tx: Tx): Promise<number | undefined> {
  const place = await lockPlace(tx)
  if (place === undefined) return undefined
  const events = await readEvents(tx, place, EVENTS_AT_ONCE)
  const last = events.at(-1)
  if (!last) return undefined
  const told = events.filter(({ event_type }) => TOLD_EVENT_TYPES.includes(event_type))
  const facts = await readFacts(tx, told)
  const made = told.flatMap((event) =>
    writeNotices(event, facts).map((notice) => ({ event, notice })),
  )
  await insertNotices(tx, made)
  await movePlace(tx, last.sequence)
  return made.length
}
