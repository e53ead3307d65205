import type { ChangeKind, GemMover, GemState, GemTable } from '../database/tables/gems.ts'

/**
 * The life of a stone: the states it may have, and who may move it from one to another. The trigger
 * `gem_moves` has the same table in SQL as the last line of defence, so every statement that
 * changes `state` or the lease (`hold_*`) names its mover: `set state = 'gone', mover = 'feed'`.
 *
 * A lease on an available stone makes it held until `hold_expires_on`. Held is not a stored state:
 * it ends by the clock alone. A melee parcel is sold by pieces: its quantity falls, and it stays
 * available even when it is empty.
 */
export type LifeState = GemState | 'held'

type Moves = Partial<Record<LifeState, readonly LifeState[]>>

const MOVES: Record<GemMover, Moves> = {
  // A feed takes out only stones that are on sale, and brings back only what a feed took out. A
  // stone that is held, on memo, sold or disabled in Pavilion stays so, whatever the file says.
  feed: { available: ['gone'], gone: ['available'] },
  // Cancelling and returning bring the stone back to the state in which the order found it, or
  // leave it disabled if the operator disabled it meanwhile. Only an operator's order with
  // `allow_unavailable` takes a stone that is gone.
  order: {
    available: ['memo', 'sold'],
    held: ['memo', 'sold'],
    memo: ['available', 'disabled', 'gone', 'sold'],
    sold: ['available', 'disabled', 'gone'],
    gone: ['memo', 'sold'],
  },
  // A disabled stone that its feed dropped meanwhile (quantity 0) becomes `gone` when enabled.
  operator: {
    available: ['disabled'],
    held: ['available', 'disabled'],
    gone: ['disabled'],
    disabled: ['available', 'gone'],
  },
  // From held to held the holder, and nobody else, moves the expiry. A stone that its feed dropped
  // meanwhile is gone when the lease ends, whether its holder ends it or the clock.
  hold: { available: ['held', 'gone'], held: ['available', 'gone', 'held'] },
}

export const GEM_STATES: readonly GemState[] = ['available', 'memo', 'sold', 'gone', 'disabled']
export const LIFE_STATES: readonly LifeState[] = [...GEM_STATES, 'held']
export const GEM_MOVERS: readonly GemMover[] = ['feed', 'order', 'operator', 'hold']

export function mayMove(mover: GemMover, from: LifeState, to: LifeState): boolean {
  return MOVES[mover][from]?.includes(to) ?? false
}

/** What a move means for a merchant's copy of the market; null when it never had the stone. */
export function changeKindOf(from: LifeState, to: LifeState): ChangeKind | null {
  if (to === 'held') return 'hold'
  if (to === 'available') return from === 'held' ? 'release' : 'back'
  if (to === 'sold' || to === 'memo') return to
  return from === 'available' || from === 'held' ? 'gone' : null
}

interface LifeFields {
  state: GemState
  quantity: number
  hold_expires_on: string | null
}

/** The state of the stone at `nowMs`, in milliseconds since 1970. */
export function lifeStateOf(gem: LifeFields, nowMs: number): LifeState {
  if (gem.state !== 'available' || gem.hold_expires_on === null) return gem.state
  return Date.parse(gem.hold_expires_on) > nowMs ? 'held' : 'available'
}

/** Whether a search may find the stone. A held stone is found, and shown as held. */
export function isOnSale(gem: Pick<LifeFields, 'state' | 'quantity'>): boolean {
  return gem.state === 'available' && gem.quantity > 0
}

/** `isOnSale` in SQL. */
export const ON_SALE = `state = 'available' and quantity > 0`

/**
 * Treated diamonds are sold as such: only a merchant that asks for them sees them. Gemstones are
 * never left out: nearly all are treated, and null means that nothing is said about it.
 */
export const IS_TREATED = `(gem.product_type = 'diamond' and gem.treatment is not null)`

export function isTreated({
  product_type,
  treatment,
}: Pick<GemTable, 'product_type' | 'treatment'>) {
  return product_type === 'diamond' && treatment !== null
}
