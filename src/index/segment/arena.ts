import type { Bits } from './bits.ts'

/**
 * One block of shared memory with all bitmaps and codes of a segment: the kernel can read them
 * there, and a worker thread can hand over a whole segment without copying it.
 */
export interface Arena {
  readonly memory: SharedMemory
  /** The address of the first byte that is free. */
  free: number
}

export interface SharedMemory {
  readonly buffer: SharedArrayBuffer
}

/** The part of WebAssembly that is used here; Node has it, its type declarations do not. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Memory: new (limits: { initial: number; maximum: number; shared: boolean }) => SharedMemory
  }
}

/** WebAssembly's memory comes in pages of this size. */
const PAGE_BYTES = 65_536
/** Every array begins at a multiple of this; the kernel reads bitmaps in blocks of this size. */
export const BLOCK_BYTES = 64
export const ROWS_PER_BLOCK = 8 * BLOCK_BYTES

export function bytesForBits(rows: number): number {
  return Math.max(1, Math.ceil(rows / ROWS_PER_BLOCK)) * BLOCK_BYTES
}

export function newArena(bytes: number): Arena {
  const pages = Math.ceil(bytes / PAGE_BYTES) + 1
  return {
    memory: new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }),
    free: 0,
  }
}

/** Allocates bytes that are all zero, and returns their address. */
export function allocate(arena: Arena, bytes: number): number {
  const address = arena.free
  arena.free += Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES
  if (arena.free > arena.memory.buffer.byteLength) throw new RangeError('The arena is too small.')
  return address
}

/** Allocates an empty bitmap. */
export function allocateBits(arena: Arena, rows: number): Bits {
  const bytes = bytesForBits(rows)
  return new Uint32Array(arena.memory.buffer, allocate(arena, bytes), bytes / 4)
}

/** Empty bitmaps one behind the other: bitmap b begins at words[b * stride]. */
interface Bitmaps {
  readonly bits: Bits[]
  readonly words: Uint32Array
  readonly stride: number
}

/** Allocates so many empty bitmaps. */
export function allocateBitmaps(arena: Arena, rows: number, count: number): Bitmaps {
  const { buffer } = arena.memory
  const bytes = bytesForBits(rows)
  const first = allocate(arena, count * bytes)
  return {
    bits: Array.from(
      { length: count },
      (_, i) => new Uint32Array(buffer, first + i * bytes, bytes / 4),
    ),
    words: new Uint32Array(buffer, first, (count * bytes) / 4),
    stride: bytes / 4,
  }
}
