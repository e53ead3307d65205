import { bytesForBits, type Kernel, kernelOf, take, takeBits } from '../segment/arena.ts'
import { type Bits, fillBits } from '../segment/bits.ts'
import type { Segment } from '../segment/columns.ts'
import type { Dictionary } from '../segment/rows.ts'
import { type KeptSets, newKeptSets } from './bitmap-cache.ts'

/**
 * The kernel on a segment's memory, and the room it works in. A search is synchronous, so one
 * workspace serves all searches of a segment.
 */
export interface Workspace {
  kernel: Kernel
  /** Bytes of a bitmap. */
  bytes: number
  /** The rows that no later change has taken out. */
  alive: Bits
  /** The rows that match. */
  target: Bits
  /** Rows that must be looked at one by one, or any other passing set. */
  look: Bits
  /** Always empty. */
  none: Bits
  /** Rows that are gathered from parts. */
  joined: Bits
  /** Rows of the target that have not some value. */
  others: Bits
  kept: KeptSets
  rows: Uint32Array
  table: Uint32Array
  counts: Uint32Array
}

/** The base segment of a store, with what a search of it needs. */
export interface Searchable {
  readonly base: Segment
  readonly workspace: Workspace
  readonly dictionaries: Record<string, Dictionary>
}

const TABLE_ENTRIES = 128
const CODES = 256
/** Bitmaps that are kept for later searches: three bytes a row. */
const KEPT_SETS = 24
/** A search may use so many of them at once, and so many more while it makes one. */
export const SETS_A_SEARCH = 11
export const BANDS_MAX = 12

export function bytesForWorkspace(size: number): number {
  return (6 + KEPT_SETS) * bytesForBits(size) + 4 * size + 4 * (TABLE_ENTRIES + CODES) + 256
}

export function newWorkspace({ arena, size }: Segment): Workspace {
  const { buffer } = arena.memory
  const numbers = (count: number) => new Uint32Array(buffer, take(arena, 4 * count), count)
  const alive = takeBits(arena, size)
  fillBits(alive, 0, size)
  return {
    kernel: kernelOf(arena),
    bytes: bytesForBits(size),
    alive,
    target: takeBits(arena, size),
    look: takeBits(arena, size),
    none: takeBits(arena, size),
    joined: takeBits(arena, size),
    others: takeBits(arena, size),
    kept: newKeptSets(Array.from({ length: KEPT_SETS }, () => takeBits(arena, size))),
    rows: numbers(size),
    table: numbers(TABLE_ENTRIES),
    counts: numbers(CODES),
  }
}

/** target = the rows in all of `keep` and in none of `drop`. */
export function meetAll(workspace: Workspace, keep: readonly Bits[], drop: readonly Bits[]): void {
  const { kernel, bytes, target, table } = workspace
  for (const [i, set] of [...keep, ...drop].entries()) table[i] = set.byteOffset
  const start = table.byteOffset
  const middle = start + 4 * keep.length
  kernel.meetAll(target.byteOffset, bytes, start, middle, middle + 4 * drop.length)
}

/** rows &= any of the sets. */
export function keepAny(
  { kernel, bytes, target, table }: Workspace,
  sets: readonly Bits[],
  rows: Bits = target,
): void {
  for (const [i, set] of sets.entries()) table[i] = set.byteOffset
  const start = table.byteOffset
  if (sets.length === 0) rows.fill(0)
  else kernel.andAny(rows.byteOffset, bytes, start, start + 4 * sets.length)
}

/** How many rows are in both sets. */
export function countBoth({ kernel, bytes }: Workspace, a: Bits, b: Bits): number {
  return kernel.countAnd(a.byteOffset, b.byteOffset, bytes)
}

export function meet({ kernel, bytes }: Workspace, a: Bits, b: Bits): boolean {
  return kernel.anyAnd(a.byteOffset, b.byteOffset, bytes) === 1
}

/** The rows of a set, lowest first; the list is overwritten by the next one. */
export function listRows({ kernel, bytes, rows }: Workspace, bits: Bits): Uint32Array {
  return rows.subarray(0, kernel.listRows(bits.byteOffset, bytes, rows.byteOffset))
}
