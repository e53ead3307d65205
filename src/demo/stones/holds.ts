import { sql } from 'kysely'
import type { Tx } from '../../database/open.ts'
import { DAY_MS } from '../../lib/timestamps.ts'
import { uuidFromSeed } from '../chance.ts'
import { type DemoContext, type DemoGem, timestampOf } from './gem.ts'

/** Leaves a merchant most of its fifty live holds. */
const HOLDS_PER_MERCHANT = 12
const HOLD_DAYS = 30
const HOUR_MS = 3_600_000

/** Holds some of the stones, spread over the market and over the merchants. */
export function* holdSome(
  { chance, asOfMs }: DemoContext,
  gems: Iterable<DemoGem>,
  count: number,
  holders: string[],
): Generator<DemoGem> {
  const total = Math.min(holders.length * HOLDS_PER_MERCHANT, Math.floor(count / 10))
  const every = Math.floor(count / Math.max(1, total))
  let seen = 0
  let held = 0
  for (const gem of gems) {
    seen++
    if (held >= total || seen < held * every || !gem.can_hold) {
      yield gem
      continue
    }
    const sinceMs = asOfMs - Math.floor(chance.next() * HOUR_MS)
    yield {
      ...gem,
      hold_uuid: uuidFromSeed('hold', gem.sku),
      hold_merchant_uuid: holders[held % holders.length],
      hold_created_on: timestampOf(sinceMs),
      hold_expires_on: timestampOf(sinceMs + HOLD_DAYS * DAY_MS),
    }
    held++
  }
}

/** The merchants have made all of these holds for themselves. */
export async function saveOwnHolds(tx: Tx): Promise<void> {
  await sql`
    insert into own_hold (hold_uuid, expires_on)
    select hold_uuid, hold_expires_on from gem where hold_uuid is not null`.execute(tx)
}
