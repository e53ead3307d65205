import { forgetSets } from './query/bitmap-cache.ts'
import { forgetMeetings } from './query/co-occurrence.ts'
import { filterRows } from './query/filter-rows.ts'
import { baseRowsOf, type Match } from './query/match.ts'
import { matchBase } from './query/match-base.ts'
import { windowOf } from './query/page.ts'
import type { Order, Predicate, Texts } from './query/predicates.ts'
import { fillRanks } from './query/ranks.ts'
import { type Ranked, reserve, scratchRanked, selectWindow } from './query/top-k.ts'
import { newWorkspace, type Searchable } from './query/workspace.ts'
import { clearBit, hasBit, setBit } from './segment/bits.ts'
import type { Segment, TableSpec, View } from './segment/columns.ts'
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
 * An index: a base segment that is never reordered, a bitmap of its rows that still stand, and
 * a small delta with the rows that are new or have changed since the base was built.
 */
export interface Store extends Searchable {
  readonly spec: TableSpec
  aliveCount: number
  readonly delta: Rows
  /** Where a row of the delta is, by id. */
  readonly places: Map<number, number>
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
    places: new Map(),
    dictionaries,
  }
}

export function sizeOf(store: Store): number {
  return store.aliveCount + store.delta.size
}

/** How much of the index is no longer in its base: the reason to build a new one. */
export function driftFromBase(store: Store): number {
  return store.delta.size + store.base.size - store.aliveCount
}

export function upsert(store: Store, id: number, values: RowValues): void {
  killBaseRow(store, id)
  const place = store.places.get(id) ?? store.delta.size
  putRow(store.delta, place, id, values)
  store.places.set(id, place)
}

/** Takes a row out; answers whether it was there. */
export function remove(store: Store, id: number): boolean {
  const place = store.places.get(id)
  if (place === undefined) return killBaseRow(store, id)
  dropRow(store.delta, place)
  store.places.delete(id)
  if (place < store.delta.size) store.places.set(store.delta.ids.values[place], place)
  return true
}

function killBaseRow(store: Store, id: number): boolean {
  const row = findBaseRow(store, id)
  if (row === undefined) return false
  clearBit(store.workspace.alive, row)
  store.aliveCount--
  return true
}

function findBaseRow({ base, workspace }: Store, id: number): number | undefined {
  const { values, base: offset } = base.ids
  let low = 0
  let high = base.size
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[base.idOrder[middle]] + offset < id) low = middle + 1
    else high = middle
  }
  if (low === base.size) return undefined
  const row = base.idOrder[low]
  return values[row] + offset === id && hasBit(workspace.alive, row) ? row : undefined
}

/** A row of the index: where to read its columns. */
export interface Found {
  id: number
  view: View
  row: number
}

export function find(store: Store, id: number): Found | undefined {
  const place = store.places.get(id)
  if (place !== undefined) return { id, view: store.delta, row: place }
  const row = findBaseRow(store, id)
  return row === undefined ? undefined : { id, view: store.base, row }
}

/** Writes one code in place, for a value that changes with time rather than by an event. */
export function setCode(store: Store, id: number, column: string, value: string): void {
  const found = find(store, id)
  const code = store.dictionaries[column].codes.get(value)
  if (!found || code === undefined) return
  const { codes } = found.view.codes[column]
  if (found.view === store.base) {
    const { sets, counts } = store.base.codes[column]
    clearBit(sets[codes[found.row]], found.row)
    setBit(sets[code], found.row)
    counts[codes[found.row]]--
    counts[code]++
    forgetMeetings(store.base, column)
    forgetSets(store.workspace.kept, column)
  }
  codes[found.row] = code
}

export function match(store: Store, predicates: readonly Predicate[]): Match {
  const baseCount = matchBase(store, predicates)
  const deltaRows = matchDelta(store, predicates)
  return { store, predicates, baseCount, deltaRows, total: baseCount + deltaRows.length }
}

function matchDelta({ delta, dictionaries }: Store, predicates: readonly Predicate[]): Uint32Array {
  const rows = new Uint32Array(delta.size)
  for (let row = 0; row < delta.size; row++) rows[row] = row
  let count = delta.size
  for (const predicate of predicates) {
    if (count === 0) break
    count =
      predicate.kind === 'texts'
        ? filterTexts(delta, predicate, rows, count)
        : filterRows(delta, dictionaries, predicate, rows, count)
  }
  return rows.subarray(0, count)
}

function filterTexts(delta: Rows, { column, values }: Texts, rows: Uint32Array, count: number) {
  const wanted = new Set(values)
  const texts = delta.texts[column]
  let kept = 0
  for (let i = 0; i < count; i++) if (wanted.has(texts[rows[i]])) rows[kept++] = rows[i]
  return kept
}

/** Places offset..offset+limit-1 of the matches, in order. */
export function page(found: Match, order: Order, offset: number, limit: number): Found[] {
  const { base, delta } = found.store
  const late = rankDelta(found, order, offset + limit)
  // A row of the base this far before the page cannot be pushed into it by the delta's rows.
  const skipped = Math.max(0, offset - late.count)
  const early = windowOf(found, order, skipped, offset + limit)
  const wanted = offset - skipped
  const page: Found[] = []
  let [i, j] = [0, 0]
  while (i + j < wanted + limit && (i < early.count || j < late.count)) {
    const fromBase =
      j === late.count || (i < early.count && isBefore(base, early, i, delta, late, j))
    const view = fromBase ? base : delta
    const row = fromBase ? early.rows[i] : late.rows[j]
    if (i + j >= wanted) page.push({ id: idAt(view, row), view, row })
    if (fromBase) i++
    else j++
  }
  return page
}

function rankDelta({ store, deltaRows }: Match, order: Order, end: number): Ranked {
  const ranked = scratchRanked()
  reserve(ranked, deltaRows.length)
  ranked.rows.set(deltaRows)
  ranked.count = deltaRows.length
  fillRanks(store.delta, order, ranked.rows, ranked.count, ranked.keys)
  return selectWindow(ranked, store.delta.ids, 0, end)
}

function isBefore(base: View, a: Ranked, i: number, delta: View, b: Ranked, j: number): boolean {
  if (a.keys[i] !== b.keys[j]) return a.keys[i] < b.keys[j]
  return idAt(base, a.rows[i]) < idAt(delta, b.rows[j])
}

/** The id of a row. */
export function idAt({ ids }: View, row: number): number {
  return ids.values[row] + ids.base
}

/** Every matching row of both parts: `visit` is told the view and its rows. */
export function eachView(found: Match, visit: (view: View, rows: Uint32Array) => void): void {
  const { base, delta } = found.store
  visit(base, baseRowsOf(found))
  visit(delta, found.deltaRows)
}

/** Bytes of the arrays of an index. */
export function bytesOf({ base }: Store): number {
  let bytes = base.arena.memory.buffer.byteLength
  bytes += base.idOrder.byteLength + base.ids.values.byteLength
  for (const { order } of Object.values(base.numbers)) bytes += order?.byteLength ?? 0
  for (const { order } of Object.values(base.codes)) bytes += order?.byteLength ?? 0
  for (const { bytes: text, starts, order } of Object.values(base.texts)) {
    bytes += text.byteLength + starts.byteLength + order.byteLength
  }
  return bytes
}
