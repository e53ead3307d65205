import { forgetColumn } from './query/bitmap-cache.ts'
import { forgetCoOccurrences } from './query/co-occurrence.ts'
import type { Found } from './query/page.ts'
import {
  beginGeneration,
  bytesForWorkspace,
  newWorkspace,
  type Searchable,
} from './query/workspace.ts'
import { allocateBits } from './segment/arena.ts'
import { clearBit, hasBit, setBit } from './segment/bits.ts'
import { packSegment } from './segment/build.ts'
import { codeAt, findRow, idAt, putCode, type Segment, type TableSpec } from './segment/columns.ts'
import { inputFromRows } from './segment/input.ts'
import {
  type Dictionary,
  dictionaryOf,
  dropRow,
  newRows,
  putRow,
  type Rows,
  type RowValues,
} from './segment/rows.ts'

/**
 * An index: a base segment that is never reordered, a bitmap of those of its rows that are still
 * valid, and a small delta with the rows that are new or have changed since the base was built.
 */
export interface Store extends Searchable {
  readonly spec: TableSpec
  aliveCount: number
  readonly deltaRowById: Map<number, number>
  /** Another object after every change: what was made from the store is right while it is there. */
  version: object
  /** What has changed since a merge began; null when there is none. */
  changes: StoreChanges | null
}

interface StoreChanges {
  readonly ids: Set<number>
  /** Codes that were written in place. */
  readonly codes: { id: number; column: string }[]
}

/** Packs rows into the base of a store. It can be built in one thread and used in another. */
export function buildSegment(rows: Rows): Segment {
  return packSegment(inputFromRows(rows), bytesForWorkspace(rows.size))
}

export function newStore(spec: TableSpec, base: Segment): Store {
  const dictionaries: Record<string, Dictionary> = {}
  for (const column of spec.columns) {
    if (column.kind !== 'code') continue
    const values = base.dictionaries[column.name]
    dictionaries[column.name] = dictionaryOf(values, column.values === 'open')
  }
  return {
    spec,
    base,
    workspace: newWorkspace(base),
    aliveCount: base.size,
    delta: newRows(spec, dictionaries),
    deltaRowById: new Map(),
    version: {},
    changes: null,
    dictionaries,
  }
}

export function sizeOf(store: Store): number {
  return store.aliveCount + store.delta.size
}

/** How many rows differ from the base. When they are many, it is time to build a new one. */
export function driftFromBase(store: Store): number {
  return store.delta.size + store.base.size - store.aliveCount
}

/** Records from now on what changes. */
export function trackChanges(store: Store): StoreChanges {
  if (store.changes) throw new Error('A store is merged once at a time.')
  store.changes = { ids: new Set(), codes: [] }
  return store.changes
}

function beginChange(store: Store): void {
  beginGeneration(store.workspace)
  store.version = {}
}

export function upsert(store: Store, id: number, values: RowValues): void {
  beginChange(store)
  store.changes?.ids.add(id)
  removeFromBase(store, id)
  const row = store.deltaRowById.get(id) ?? store.delta.size
  putRow(store.delta, row, id, values)
  store.deltaRowById.set(id, row)
}

/** Removes a row, and returns whether it existed. */
export function remove(store: Store, id: number): boolean {
  if (!find(store, id)) return false
  beginChange(store)
  store.changes?.ids.add(id)
  const row = store.deltaRowById.get(id)
  if (row === undefined) return removeFromBase(store, id)
  dropRow(store.delta, row)
  store.deltaRowById.delete(id)
  // The last row has taken the number of the removed one.
  if (row < store.delta.size) store.deltaRowById.set(idAt(store.delta, row), row)
  return true
}

function removeFromBase(store: Store, id: number): boolean {
  const row = findInBase(store, id)
  if (row === undefined) return false
  clearBit(store.workspace.alive, row)
  store.aliveCount--
  return true
}

function findInBase({ base, workspace }: Store, id: number, expected?: number) {
  const row = findRow(base, id, expected)
  return row !== undefined && hasBit(workspace.alive, row) ? row : undefined
}

/** It is found sooner in the row of the base in which it is expected. */
export function find(store: Store, id: number, expected?: number): Found | undefined {
  const deltaRow = store.deltaRowById.get(id)
  if (deltaRow !== undefined) return { id, view: store.delta, row: deltaRow }
  const row = findInBase(store, id, expected)
  return row === undefined ? undefined : { id, view: store.base, row }
}

/** Writes one code in place, for a value that changes with time rather than by an event. */
export function setCode(store: Store, id: number, column: string, value: string): void {
  const found = find(store, id)
  const code = store.dictionaries[column].codes.get(value)
  if (!found || code === undefined) return
  beginChange(store)
  store.changes?.codes.push({ id, column })
  const view = found.view.codes[column]
  const codeBefore = codeAt(view, found.row)
  if (found.view === store.base) {
    const { base } = store
    const { bitmaps, counts } = base.codes[column]
    const before = bitmaps[codeBefore]
    if (!before || code >= bitmaps.length) throw new Error(`${column} has values without a bitmap`)
    // The memory for the bitmap of a value that no row had is reserved.
    const after = bitmaps[code] ?? allocateBits(base.arena, base.size)
    bitmaps[code] = after
    clearBit(before, found.row)
    setBit(after, found.row)
    counts[codeBefore]--
    counts[code]++
    forgetCoOccurrences(store.workspace, column)
    store.workspace.codesByFrequency.delete(column)
    forgetColumn(store.workspace.bitmapCache, column)
  }
  putCode(view, found.row, code)
}

/**
 * How many bytes the arrays of the base take. What is reserved in the arena but not used takes no
 * memory: the operating system gives a page when it is first written.
 */
export function bytesOf({ base }: Store): number {
  let bytes = base.arena.free
  bytes += base.idOrder.byteLength + base.ids.values.byteLength
  for (const { order } of Object.values(base.numbers)) bytes += order?.byteLength ?? 0
  for (const { bytes: text, starts, order } of Object.values(base.texts)) {
    bytes += text.byteLength + starts.byteLength + order.byteLength
  }
  return bytes
}
