import { newStore, type RowValues, remove, type Store, setCode, upsert } from '../../index/index.ts'
import type { LoadedSegment } from './load.ts'
import type { IndexTable } from './tables.ts'

/** An index at a moment of the change log, and the leases that end by the clock alone. */
export interface IndexState {
  readonly table: IndexTable
  readonly store: Store
  sequence: number
  /** When each held stone's lease ends, in microseconds since 1970. */
  readonly holds: Map<number, number>
  /** The same as a heap, soonest first; entries that `holds` no longer confirms are stale. */
  readonly expiries: Expiry[]
}

interface Expiry {
  id: number
  at: number
}

export function stateFrom(table: IndexTable, { segment, sequence }: LoadedSegment): IndexState {
  const state: IndexState = {
    table,
    store: newStore(table.columns.spec, segment),
    sequence,
    holds: new Map(),
    expiries: [],
  }
  for (const [id, at] of segment.sparse.hold_expires_on ?? []) hold(state, id, at)
  return state
}

/** Puts the stones as they are printed now; those of `ids` that are not printed are out. */
export function applyRows(
  state: IndexState,
  ids: Iterable<number>,
  printed: readonly (string | null)[][],
): void {
  const { store, table } = state
  const gone = new Set(ids)
  for (const row of printed) {
    const { id, values } = table.columns.read(row, store.dictionaries)
    gone.delete(id)
    upsert(store, id, values)
    state.holds.delete(id)
    const at = expiryIn(table, values)
    if (at !== null) hold(state, id, at)
  }
  for (const id of gone) {
    state.holds.delete(id)
    remove(store, id)
  }
}

function expiryIn({ columns }: IndexTable, values: RowValues): number | null {
  const at = columns.spec.columns.findIndex(({ name }) => name === 'hold_expires_on')
  const value = values[at]
  return value === null || value === undefined ? null : Number(value)
}

/** Turns off what has expired; called before every search, and costs nothing when nothing has. */
export function expireHolds(state: IndexState, nowMs: number): void {
  const now = nowMs * 1000
  while (state.expiries.length > 0 && state.expiries[0].at <= now) {
    const { id, at } = popSoonest(state.expiries)
    if (state.holds.get(id) !== at) continue
    state.holds.delete(id)
    setCode(state.store, id, 'on_hold', 'f')
  }
}

function hold(state: IndexState, id: number, at: number): void {
  state.holds.set(id, at)
  const heap = state.expiries
  let place = heap.push({ id, at }) - 1
  while (place > 0) {
    const parent = (place - 1) >>> 1
    if (heap[parent].at <= heap[place].at) break
    swap(heap, parent, place)
    place = parent
  }
}

function popSoonest(heap: Expiry[]): Expiry {
  swap(heap, 0, heap.length - 1)
  const soonest = heap.pop() as Expiry
  let place = 0
  for (;;) {
    let least = place
    for (const child of [2 * place + 1, 2 * place + 2]) {
      if (child < heap.length && heap[child].at < heap[least].at) least = child
    }
    if (least === place) return soonest
    swap(heap, least, place)
    place = least
  }
}

function swap(heap: Expiry[], a: number, b: number): void {
  const kept = heap[a]
  heap[a] = heap[b]
  heap[b] = kept
}
