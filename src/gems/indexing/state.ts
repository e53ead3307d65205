import { newStore, remove, type Store, setCode, upsert } from '../../index/index.ts'
import type { IndexTable } from './columns.ts'
import type { LoadedSegment, LogPlace } from './read-table.ts'

/** An index as of a number of the change log, and the holds that end by the clock alone. */
export interface IndexState extends LogPlace {
  readonly table: IndexTable
  store: Store
  /** The merge that makes the next base, while it lasts. */
  merging?: Promise<void> | undefined
  hasFailedToMerge?: boolean
  /** The writing of a file, while it lasts. */
  writing?: Promise<void> | undefined
  /** When the hold of each held stone ends, in microseconds since 1970. */
  readonly holds: Map<number, number>
  /** `holds` as a heap, soonest first. An entry that differs from `holds` is out of date. */
  readonly expiries: Expiry[]
}

interface Expiry {
  id: number
  at: number
}

export function stateFrom(
  table: IndexTable,
  { segment, sequence, origin }: LoadedSegment,
): IndexState {
  const state: IndexState = {
    table,
    store: newStore(table.columns.spec, segment),
    sequence,
    origin,
    holds: new Map(),
    expiries: [],
  }
  for (const [id, at] of segment.sparse.hold_expires_on ?? []) hold(state, id, at)
  return state
}

/** Updates the stones to their printed values, and removes those of `ids` that were not printed. */
export function applyRows(
  state: IndexState,
  ids: Iterable<number>,
  printed: readonly (string | null)[][],
): void {
  const { store, table } = state
  const gone = new Set(ids)
  const expiry = table.columns.spec.columns.findIndex(({ name }) => name === 'hold_expires_on')
  for (const row of printed) {
    const { id, values } = table.columns.read(row, store.dictionaries)
    gone.delete(id)
    upsert(store, id, values)
    const at = values[expiry]
    if (at === null) state.holds.delete(id)
    // The same end is in the heap already, of a stone that changes often while it is held.
    else if (state.holds.get(id) !== at) hold(state, id, Number(at))
  }
  for (const id of gone) {
    state.holds.delete(id)
    remove(store, id)
  }
}

/** Ends the holds that have expired. Called before every search, it is cheap when none has. */
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
  let position = heap.push({ id, at }) - 1
  while (position > 0) {
    const parent = (position - 1) >>> 1
    if (heap[parent].at <= heap[position].at) break
    swap(heap, parent, position)
    position = parent
  }
}

function popSoonest(heap: Expiry[]): Expiry {
  swap(heap, 0, heap.length - 1)
  const soonest = heap.pop() as Expiry
  let position = 0
  for (;;) {
    let least = position
    for (const child of [2 * position + 1, 2 * position + 2]) {
      if (child < heap.length && heap[child].at < heap[least].at) least = child
    }
    if (least === position) return soonest
    swap(heap, least, position)
    position = least
  }
}

function swap(heap: Expiry[], a: number, b: number): void {
  const moved = heap[a]
  heap[a] = heap[b]
  heap[b] = moved
}
