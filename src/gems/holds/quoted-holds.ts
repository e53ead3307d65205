import type { Tx } from '../../database/open.ts'
import { logChanges, type StoneChange } from '../../events/change-log.ts'
import { limitOf } from '../../reference/merchant-limits.ts'
import { lockOffers } from '../offer-store.ts'
import { recordHoldEvent, releaseLocked } from './end-holds.ts'
import { type Hold, type HoldLimits, lockLiveHold } from './hold-store.ts'
import { readHoldTime } from './hold-time-store.ts'
import { moveExpiry, restoreOwnExpiry } from './own-hold-store.ts'
import { holdStone } from './place-hold.ts'

/**
 * Holds that are made for a quote. The merchant may have the same hold for itself: it ends when
 * neither the merchant nor a quote needs it any more.
 */
export interface QuotedHolds {
  holds: Hold[]
  /** What the log of changes has to say of them. */
  changes: StoneChange[]
}

/**
 * Holds several stones, all or none. None of the holder's own holds ends earlier than before. The
 * caller has locked the holder (`lockHolder`), and announces the holds (`announceHolds`) at the end
 * of its transaction.
 */
export async function holdStones(
  tx: Tx,
  merchantUuid: string,
  limits: HoldLimits,
  request: { skus: readonly string[]; minutes: number },
): Promise<QuotedHolds> {
  await lockOffers(tx, request.skus)
  const held: QuotedHolds = { holds: [], changes: [] }
  for (const sku of request.skus) {
    const stone = { sku, minutes: request.minutes, keepsLaterEnd: true }
    const { hold, changes } = await holdStone(tx, merchantUuid, limits, stone)
    held.holds.push(hold)
    held.changes.push(...changes)
  }
  return held
}

/** Records the events of holds and logs the changes: locks that come last. */
export async function announceHolds(tx: Tx, { holds, changes }: QuotedHolds): Promise<void> {
  for (const hold of holds) await recordHoldEvent(tx, 'hold.create', hold)
  await logChanges(tx, changes)
}

interface NewEnd {
  holdUuid: string
  minutes: number
  until: string
  /** Whether the hold may end earlier than it does now: no other quote needs it. */
  mayShorten: boolean
}

/**
 * Moves the ends of those of the merchant's holds that are still running, as far as one merchant
 * may hold one stone. The caller has locked the holder and the stones, and announces the holds.
 */
export async function moveHolds(
  tx: Tx,
  merchantUuid: string,
  limits: HoldLimits,
  ends: readonly NewEnd[],
): Promise<QuotedHolds> {
  const hoursMax = limitOf(limits, 'max_hold_hours')
  const moved: QuotedHolds = { holds: [], changes: [] }
  for (const { holdUuid, minutes, ...end } of ends) {
    const hold = await lockLiveHold(tx, merchantUuid, holdUuid)
    if (!hold) continue
    const { gem_id: gemId, sku } = hold
    const time = await readHoldTime(tx, { gemId, merchantUuid, minutes, hoursMax, isOwn: true })
    moved.holds.push(await moveExpiry(tx, hold, { ...end, latestEnd: time.latest_end }))
    moved.changes.push({ gem_id: gemId, sku, kind: 'hold' })
  }
  return moved
}

/**
 * Ends those of the merchant's holds that are still running. One that the merchant also asked for
 * itself gets its own expiry again instead. The caller has locked the stones (`lockOffers`), and
 * logs the changes that are returned.
 */
export async function endQuotedHolds(
  tx: Tx,
  merchantUuid: string,
  holdUuids: readonly string[],
): Promise<StoneChange[]> {
  const changes: StoneChange[] = []
  for (const holdUuid of holdUuids) {
    const hold = await lockLiveHold(tx, merchantUuid, holdUuid)
    if (hold) changes.push(...(await endQuoted(tx, hold)))
  }
  return changes
}

async function endQuoted(tx: Tx, hold: Hold): Promise<StoneChange[]> {
  const own = await restoreOwnExpiry(tx, hold)
  if (own) {
    if (own.expires_on === hold.expires_on) return []
    await recordHoldEvent(tx, 'hold.create', own)
    return [{ gem_id: own.gem_id, sku: own.sku, kind: 'hold' }]
  }
  return [await releaseLocked(tx, hold)]
}
