import { bytesForBits, type Kernel, kernelOf, take, takeBits } from './arena.ts'
import { type Bits, fillBits } from './bits.ts'
import type { Segment } from './columns.ts'

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
  /** Rows below a value of a column, the longest unused first; see keep-bands.ts. */
  limits: Map<string, Bits>
  rows: Uint32Array
  table: Uint32Array
  counts: Uint32Array
}

const TABLE_ENTRIES = 128
const CODES = 256
/** Bitmaps of limits: two bytes a row. */
export const LIMITS = 16

export function bytesForWorkspace(size: number): number {
  return (6 + LIMITS) * bytesForBits(size) + 4 * size + 4 * (TABLE_ENTRIES + CODES) + 256
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
    limits: new Map(Array.from({ length: LIMITS }, (_, i) => [String(i), takeBits(arena, size)])),
    rows: numbers(size),
    table: numbers(TABLE_ENTRIES),
    counts: numbers(CODES),
  }
}

/** target &= any of the sets. */
export function keepAny({ kernel, bytes, target, table }: Workspace, sets: readonly Bits[]): void {
  for (const [i, set] of sets.entries()) table[i] = set.byteOffset
  const start = table.byteOffset
  if (sets.length === 0) target.fill(0)
  else kernel.andAny(target.byteOffset, bytes, start, start + 4 * sets.length)
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
