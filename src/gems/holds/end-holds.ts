import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { logChanges, type StoneChange } from '../../events/change-log.ts'
import { type EventType, recordEvent } from '../../events/events.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import {
  clearLeases,
  type Hold,
  type LeaseEnds,
  listEnded,
  lockExpired,
  lockHold,
  lockLiveHold,
} from './hold-store.ts'

/** Ends a live hold of the merchant's own. */
export async function releaseHold(tx: Tx, merchantUuid: string, holdUuid: string): Promise<void> {
  const hold = await lockLiveHold(tx, merchantUuid, holdUuid)
  if (!hold) throw new Refusal('not_found', `There is no live hold ${holdUuid}.`)
  await logChanges(tx, [await releaseLocked(tx, hold)])
}

/** Ends a hold whose stone is locked. The caller logs the change that is returned. */
export async function releaseLocked(tx: Tx, hold: Hold): Promise<StoneChange> {
  const ends = await clearLeases(tx, [hold.gem_id])
  await recordHoldEvent(tx, 'hold.release', hold)
  return changeAtEnd(hold, ends)
}

/** What the end of a hold changes for those who follow the market. */
export function changeAtEnd(
  { gem_id, sku }: Pick<Hold, 'gem_id' | 'sku'>,
  ends: LeaseEnds,
): StoneChange {
  return { gem_id, sku, kind: ends.get(gem_id) ?? null }
}

/**
 * Ends any merchant's hold for the operator. The stone is locked; the caller logs the change that
 * is returned.
 */
export async function endHold(tx: Tx, holdUuid: string): Promise<StoneChange | undefined> {
  const hold = await lockHold(tx, holdUuid)
  return hold && releaseLocked(tx, hold)
}

const EXPIRY_BATCH = 500

/**
 * Clears leases that have ended, and logs their release. Correctness does not depend on it, because
 * a lease that has ended holds nothing. Any node may run it at any time.
 */
export async function expireHolds(db: Db): Promise<number> {
  let expired = 0
  for (;;) {
    const count = await db.transaction().execute(expireBatch)
    expired += count
    if (count < EXPIRY_BATCH) return expired
  }
}

async function expireBatch(tx: Tx): Promise<number> {
  const holds = await lockExpired(tx, EXPIRY_BATCH)
  await logChanges(tx, await clearExpired(tx, holds))
  return holds.length
}

/** Clears the leases of expired holds. The caller logs the changes that are returned. */
export async function clearExpired(tx: Tx, holds: readonly Hold[]): Promise<StoneChange[]> {
  if (holds.length === 0) return []
  const ends = await clearLeases(
    tx,
    holds.map(({ gem_id }) => gem_id),
  )
  await recordExpired(tx, holds)
  return holds.map((hold) => changeAtEnd(hold, ends))
}

/** Records that holds have expired, whose leases the transaction clears. */
export async function recordExpired(tx: Tx, holds: readonly Hold[]): Promise<void> {
  for (const hold of holds) await recordHoldEvent(tx, 'hold.expire', hold)
}

/** Records the expired holds of stones that the transaction has locked and takes off sale. */
export async function recordEnded(tx: Tx, gemIds: RawBuilder<unknown>): Promise<void> {
  await recordExpired(tx, await listEnded(tx, gemIds))
}

/** Writes what happened to a hold into its merchant's event log, in the same transaction. */
export function recordHoldEvent(
  tx: Tx,
  event_type: Extract<EventType, `hold.${string}`>,
  hold: Hold,
): Promise<void> {
  const event_data = {
    hold_uuid: hold.uuid,
    sku: hold.sku,
    created_on: isoWithOffset(hold.created_on),
    expires_on: isoWithOffset(hold.expires_on),
  }
  const ended = event_type !== 'hold.create' && { before: event_data, after: null }
  return recordEvent(tx, { merchant_uuid: hold.merchant_uuid, event_type, event_data, ...ended })
}
