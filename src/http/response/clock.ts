import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, createClock } from '../../database/clock.ts'
import type { Db } from '../../database/open.ts'
import { addGauges, type Metrics } from './metrics.ts'

/** How long the start waits for the first comparison of the clocks. */
const FIRST_MEASUREMENT_MS = 2_000

/** The time of the market, with a metric of how far this node's clock differs. */
export function startClock(db: Db, { registry }: Metrics): Clock {
  const clock = createClock(db)
  const help = "How far this node's clock is ahead of the database's; 0 until it is measured"
  const seconds = () => (clock.differenceMs() ?? 0) / 1000
  // The processes of a node have the same clock.
  addGauges(registry, 'pavilion_clock', [['difference_seconds', help, seconds]], 'first')
  return clock
}

/**
 * Before the first request, so that it sees the right time. A database that is away must not delay
 * the start: until it answers, the clock of this node is used.
 */
export async function measureFirst(clock: Clock): Promise<void> {
  const measured = clock.measure().catch(() => {})
  await Promise.race([measured, sleep(FIRST_MEASUREMENT_MS, undefined, { ref: false })])
}
