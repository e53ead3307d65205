import type { Db, Tx } from '../database/open.ts'
import { logChanges, type StoneChange } from '../events/change-log.ts'
import { type EventType, recordEvent } from '../events/events.ts'
import { Refusal } from '../lib/refusal.ts'
import { isoWithOffset } from '../lib/timestamps.ts'
import { newUuid } from '../lib/uuid.ts'
import { limitOf, limitRefusal } from '../reference/merchant-limits.ts'
import {
  clearLeases,
  countLiveHolds,
  type Hold,
  type HoldableStone,
  type HoldLimits,
  lockExpired,
  lockHold,
  lockHolder,
  lockLiveHold,
  lockStone,
  writeLease,
} from './hold-store.ts'
import { type HoldTime, readHoldTime } from './hold-time-store.ts'
import { lockOffers } from './offer-store.ts'

/**
 * A hold is a lease on an available stone: until it ends, nobody else can order or hold the stone.
 * It ends by the clock of the database alone. Locks are taken in this order: the holder, and
 * the stone.
 */
interface HoldRequest {
  sku: string
  /** Fractions are allowed. */
  minutes: number
  /** Whether the holder's own live hold keeps an end that is later. */
  keepsLaterEnd?: boolean
}

export const HOLD_MINUTES_MAX = 2880

/**
 * Holds a stone. The holder's own live hold keeps its uuid, and its expiry moves, but never beyond
 * the time for which one merchant may hold one stone. A hold on another offer of the same stone
 * moves to this one.
 */
export async function placeHold(tx: Tx, merchantUuid: string, request: HoldRequest): Promise<Hold> {
  const limits = await lockHolder(tx, merchantUuid)
  const { hold, changes } = await holdStone(tx, merchantUuid, limits, request)
  await recordHoldEvent(tx, 'hold.create', hold)
  await logChanges(tx, changes)
  return hold
}

/** Several holds that are written, with what the log of changes has to say of them. */
interface NewHolds {
  holds: Hold[]
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
): Promise<NewHolds> {
  await lockOffers(tx, request.skus)
  const held: NewHolds = { holds: [], changes: [] }
  for (const sku of request.skus) {
    const stone = { sku, minutes: request.minutes, keepsLaterEnd: true }
    const { hold, changes } = await holdStone(tx, merchantUuid, limits, stone)
    held.holds.push(hold)
    held.changes.push(...changes)
  }
  return held
}

/** Records the events of new holds and logs the changes: locks that come last. */
export async function announceHolds(tx: Tx, { holds, changes }: NewHolds): Promise<void> {
  for (const hold of holds) await recordHoldEvent(tx, 'hold.create', hold)
  await logChanges(tx, changes)
}

async function holdStone(
  tx: Tx,
  merchantUuid: string,
  limits: HoldLimits,
  request: HoldRequest,
): Promise<{ hold: Hold; changes: StoneChange[] }> {
  const stone = await lockStone(tx, request.sku)
  if (!stone) {
    const message = `is not the SKU of a stone: ${JSON.stringify(request.sku.slice(0, 100))}`
    throw new Refusal('invalid_request', `sku ${message}.`, { errors: [{ field: 'sku', message }] })
  }
  const isOwn = stone.life_state === 'held' && stone.hold_merchant_uuid === merchantUuid
  const isOwnOther = stone.others.held_by === merchantUuid
  refuseUnholdable(stone, isOwn, isOwnOther)
  const moved = await releaseOthers(tx, stone)
  if (!isOwn && !isOwnOther) {
    await refuseAtLimit(tx, merchantUuid, limitOf(limits, 'max_holds'))
  }
  // The time of a hold that has ended, and was not cleared yet, is counted when it is cleared.
  if (stone.hold_uuid !== null && stone.life_state !== 'held') await clearLeases(tx, [stone.id])
  const { minutes } = request
  const hoursMax = limitOf(limits, 'max_hold_hours')
  const time = await readHoldTime(tx, { gemId: stone.id, merchantUuid, minutes, hoursMax, isOwn })
  if (time.is_used_up) throw usedUp(stone.sku, hoursMax, time)
  const hold = await writeLease(tx, stone.id, {
    uuid: (isOwn ? stone.hold_uuid : stone.others.held.at(0)?.hold_uuid) ?? newUuid(),
    merchantUuid,
    minutes,
    now: time.now,
    latestEnd: time.latest_end,
    keepsLaterEnd: request.keepsLaterEnd ?? false,
  })
  return { hold, changes: [{ gem_id: stone.id, sku: stone.sku, kind: 'hold' }, ...moved] }
}

/** Ends the holder's own holds on other offers of the stone, which it holds by this one now. */
async function releaseOthers(tx: Tx, { others }: HoldableStone): Promise<StoneChange[]> {
  if (others.held.length === 0) return []
  const gone = await clearLeases(
    tx,
    others.held.map(({ id }) => id),
  )
  return others.held.map(({ id, sku }) => endOf({ gem_id: id, sku }, gone))
}

async function refuseAtLimit(tx: Tx, merchantUuid: string, limit: number): Promise<void> {
  const used = await countLiveHolds(tx, merchantUuid)
  if (used < limit) return
  const advice = 'Release one first'
  throw limitRefusal('hold_limit', { name: 'max_holds', limit, used, advice })
}

function usedUp(sku: string, hoursMax: number, { hold_again_on }: HoldTime): Refusal {
  const again = hold_again_on === null ? null : isoWithOffset(hold_again_on)
  const when = again === null ? 'a day after it was released' : `from ${again} on`
  const detail =
    `A merchant may hold one stone for ${hoursMax} hours in all, and then has to let it go for a ` +
    `day: ${sku} can be held again ${when}, if it is not held in between.`
  return new Refusal('hold_exhausted', detail, {
    extra: { limit_name: 'max_hold_hours', limit: hoursMax, hold_again_on: again },
  })
}

function refuseUnholdable(stone: HoldableStone, isOwn: boolean, isOwnOther: boolean): void {
  const { sku, others } = stone
  const isDropped = stone.feed_gone && stone.life_state === 'available'
  const isOffered = ['available', 'held'].includes(stone.life_state) && !isDropped
  const isForSale = isOffered && stone.quantity > 0 && others.taken === null
  if (!isForSale) throw new Refusal('sku_unavailable', `${sku} is no longer available.`)
  const isHeld = stone.life_state === 'held' || others.held_by !== null
  if (isHeld && !isOwn && !isOwnOther) {
    throw new Refusal('sku_on_hold', `${sku} is held by another merchant.`)
  }
  if (stone.product_type === 'melee') {
    throw new Refusal('not_holdable', `${sku} is a parcel; only single stones can be held.`)
  }
  if (!stone.can_hold) throw new Refusal('not_holdable', `The supplier of ${sku} allows no holds.`)
}

/**
 * Ends those of the merchant's holds that are still running. The caller has locked the stones
 * (`lockOffers`), and logs the changes that are returned.
 */
export async function endHolds(
  tx: Tx,
  merchantUuid: string,
  holdUuids: readonly string[],
): Promise<StoneChange[]> {
  const holds: Hold[] = []
  for (const holdUuid of holdUuids) {
    const hold = await lockLiveHold(tx, merchantUuid, holdUuid)
    if (hold) holds.push(hold)
  }
  if (holds.length === 0) return []
  const gone = await clearLeases(
    tx,
    holds.map(({ gem_id }) => gem_id),
  )
  for (const hold of holds) await recordHoldEvent(tx, 'hold.release', hold)
  return holds.map((hold) => endOf(hold, gone))
}

/** Ends a live hold of the merchant's own. */
export async function releaseHold(tx: Tx, merchantUuid: string, holdUuid: string): Promise<void> {
  const hold = await lockLiveHold(tx, merchantUuid, holdUuid)
  if (!hold) throw new Refusal('not_found', `There is no live hold ${holdUuid}.`)
  const gone = await clearLeases(tx, [hold.gem_id])
  await recordHoldEvent(tx, 'hold.release', hold)
  await logChanges(tx, [endOf(hold, gone)])
}

function endOf(
  { gem_id, sku }: Pick<Hold, 'gem_id' | 'sku'>,
  gone: ReadonlySet<number>,
): StoneChange {
  return { gem_id, sku, kind: gone.has(gem_id) ? 'gone' : 'release' }
}

/**
 * Ends any merchant's hold for the operator. The stone is locked; the caller logs the change that
 * is returned.
 */
export async function endHold(tx: Tx, holdUuid: string): Promise<StoneChange | undefined> {
  const hold = await lockHold(tx, holdUuid)
  if (!hold) return undefined
  const gone = await clearLeases(tx, [hold.gem_id])
  await recordHoldEvent(tx, 'hold.release', hold)
  return endOf(hold, gone)
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
  if (holds.length === 0) return 0
  const gone = await clearLeases(
    tx,
    holds.map(({ gem_id }) => gem_id),
  )
  for (const hold of holds) await recordHoldEvent(tx, 'hold.expire', hold)
  await logChanges(
    tx,
    holds.map((hold) => endOf(hold, gone)),
  )
  return holds.length
}

/** Writes what happened to a hold into its merchant's event log, in the same transaction. */
function recordHoldEvent(
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
