/**
 * A hold is a lease on an available stone: until it ends, nobody else can order or hold the stone.
 * It ends by the clock of the database alone. Locks are taken in this order: the holder, and
 * the stone.
 */
import { sql } from 'kysely'
import type { Tx } from '../../database/open.ts'
import { logChanges, type StoneChange } from '../../events/change-log.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import { newUuid } from '../../lib/uuid.ts'
import { limitOf, limitRefusal } from '../../reference/merchant-limits.ts'
import { changeAtEnd, clearExpired, recordHoldEvent } from './end-holds.ts'
import {
  clearLeases,
  countLiveHolds,
  type Hold,
  type HoldableStone,
  type HoldLimits,
  listEnded,
  lockHolder,
  lockStone,
  writeLease,
} from './hold-store.ts'
import { type HoldTime, readHoldTime } from './hold-time-store.ts'
import { saveOwnExpiry } from './own-hold-store.ts'

interface HoldRequest {
  sku: string
  /** Fractions are allowed. */
  minutes: number
  /** Whether a live hold of the same merchant keeps its expiry when that is later. */
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
  await saveOwnExpiry(tx, hold)
  await recordHoldEvent(tx, 'hold.create', hold)
  await logChanges(tx, changes)
  return hold
}

/**
 * Writes the lease of one stone. The caller has locked the holder, records the event, and logs the
 * changes that are returned.
 */
export async function holdStone(
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
  const isHolder = isOwn || isOwnOther
  refuseUnholdable(stone, isHolder)
  const expired = await expireOffers(tx, stone)
  const moved = await releaseOthers(tx, stone)
  if (!isHolder) await refuseAtLimit(tx, merchantUuid, limitOf(limits, 'max_holds'))
  const { minutes } = request
  const hoursMax = limitOf(limits, 'max_hold_hours')
  const time = await readHoldTime(tx, { gemId: stone.id, merchantUuid, minutes, hoursMax, isOwn })
  if (time.is_used_up) throw usedUp(stone.sku, hoursMax, time)
  const held = isOwn ? stone : stone.others.held.at(0)
  const hold = await writeLease(tx, stone.id, {
    uuid: held?.hold_uuid ?? newUuid(),
    merchantUuid,
    minutes,
    now: time.now,
    latestEnd: time.latest_end,
    keptEnd: request.keepsLaterEnd ? (held?.hold_expires_on ?? null) : null,
  })
  const change = { gem_id: stone.id, sku: stone.sku, kind: 'hold' } as const
  return { hold, changes: [...expired, change, ...moved] }
}

/**
 * Clears holds on any offer of the stone that have ended and were not cleared yet: their time is
 * counted only then, and the new hold must not hide that they expired.
 */
async function expireOffers(tx: Tx, stone: HoldableStone): Promise<StoneChange[]> {
  // A hold that was live when the stone was read is live until the transaction ends.
  const live = stone.others.held.map(({ id }) => id)
  if (stone.life_state === 'held') live.push(stone.id)
  const offers = sql`
    select id from offers_of(${stone.id}) as id where id <> all(${live}::bigint[])`
  const cleared = await clearExpired(tx, await listEnded(tx, offers))
  return cleared.map(whileHeld)
}

/** While the stone is held by another offer, the end of a hold on this one releases nothing. */
function whileHeld(change: StoneChange): StoneChange {
  return { ...change, kind: change.kind === 'gone' ? 'gone' : null }
}

/** Ends the holder's own holds on other offers of the stone, which it holds by this one now. */
async function releaseOthers(tx: Tx, { others }: HoldableStone): Promise<StoneChange[]> {
  if (others.held.length === 0) return []
  const ends = await clearLeases(
    tx,
    others.held.map(({ id }) => id),
  )
  return others.held.map(({ id, sku }) => whileHeld(changeAtEnd({ gem_id: id, sku }, ends)))
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

function refuseUnholdable(stone: HoldableStone, isHolder: boolean): void {
  const { sku, others } = stone
  const isDropped = stone.feed_gone && stone.life_state === 'available'
  const isOffered = ['available', 'held'].includes(stone.life_state) && !isDropped
  const isForSale = isOffered && stone.quantity > 0 && others.taken === null
  if (!isForSale) throw new Refusal('sku_unavailable', `${sku} is no longer available.`)
  const isHeld = stone.life_state === 'held' || others.held_by !== null
  if (isHeld && !isHolder) {
    throw new Refusal('sku_on_hold', `${sku} is held by another merchant.`)
  }
  if (stone.product_type === 'melee') {
    throw new Refusal('not_holdable', `${sku} is a parcel; only single stones can be held.`)
  }
  if (!stone.can_hold) throw new Refusal('not_holdable', `The supplier of ${sku} allows no holds.`)
}
