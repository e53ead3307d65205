import { existsSync, readFileSync } from 'node:fs'
import {
  type Arena,
  allocate,
  BLOCK_BYTES,
  bytesForBits,
  type SharedMemory,
} from '../segment/arena.ts'
import type { Bits } from '../segment/bits.ts'

/**
 * The inner loops of the index, on the memory of one segment. They are written in AssemblyScript
 * (see assembly/), and bin/build.js compiles them to WebAssembly, because that takes 128 bits of a
 * bitmap at a time where JavaScript takes 32: measured 8 to 20 times faster (an AND over a million
 * rows takes 8 microseconds instead of 107). bitmaps.ts and rows.ts call them with arrays instead
 * of addresses.
 */
export interface Kernel {
  readonly loops: Record<LoopName, (...numbers: number[]) => number>
  readonly buffer: SharedArrayBuffer
  /** The length of every bitmap of the segment. */
  readonly bytes: number
  /** For the loops that take a list of bitmaps, or other short lists of numbers. */
  readonly table: Uint32Array
  /** For lists of rows, as many as one part of a bitmap has. */
  readonly list: Uint32Array
  /** For a table of bins by value. */
  readonly bins: Uint8Array
  /** For the number of rows by value. */
  readonly cells: Uint32Array
}

/** The exported functions of assembly/bitmaps.ts and assembly/rows.ts. */
type LoopName =
  | 'intersectAll'
  | 'intersectAny'
  | 'intersectDifference'
  | 'addIntersection'
  | 'subtract'
  | 'splitRange'
  | 'addRowsOfBand'
  | 'countIntersection'
  | 'listBlocks'
  | 'countEach'
  | 'intersects'
  | 'findBlock'
  | 'listRows'
  | 'listBand'
  | 'countFields'
  | 'addRowsInRange'
  | 'addBandInRange'
  | 'findExtent'
  | 'countCells'
  | 'countBins'

const TABLE_ENTRIES = 128
const LIST_ENTRIES = 32_768
const BIN_ENTRIES = 4096
const CELLS = 8192

/** What a kernel allocates in the arena. */
export const KERNEL_BYTES = 4 * (TABLE_ENTRIES + LIST_ENTRIES + CELLS) + BIN_ENTRIES

/** A kernel for segments of `rows` rows. */
export function newKernel(arena: Arena, rows: number): Kernel {
  const { memory } = arena
  const numbers = (count: number) =>
    new Uint32Array(memory.buffer, allocate(arena, 4 * count), count)
  compiled ??= new WebAssembly.Module(readFileSync(compiledFile()))
  return {
    loops: new WebAssembly.Instance(compiled, { env: { memory } }).exports,
    buffer: memory.buffer,
    bytes: bytesForBits(rows),
    table: numbers(TABLE_ENTRIES),
    list: numbers(LIST_ENTRIES),
    bins: new Uint8Array(memory.buffer, allocate(arena, BIN_ENTRIES), BIN_ENTRIES),
    cells: numbers(CELLS),
  }
}

/** Compiling takes a few milliseconds, and every store of the process can use the result. */
let compiled: object | undefined

function compiledFile(): URL {
  // Beside this file in dist/. When the sources run as they are, dist/ still has the only copy.
  const beside = new URL('./kernel.wasm', import.meta.url)
  if (existsSync(beside)) return beside
  const inDist = new URL('../../../dist/index/kernel/kernel.wasm', import.meta.url)
  if (existsSync(inDist)) return inDist
  throw new Error('The kernel is not compiled; run "npm run build" first.')
}

/** The part of WebAssembly that is used here; Node has it, its type declarations do not. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (code: Uint8Array) => object
    Instance: new (
      module: object,
      imports: { env: { memory: SharedMemory } },
    ) => { exports: Kernel['loops'] }
  }
}

/** The address of a bitmap of the segment. */
export function addressOf({ buffer, bytes }: Kernel, bits: Bits): number {
  if (bits.buffer !== buffer || bits.byteLength !== bytes) {
    throw new Error('The bitmap does not belong to the segment of the kernel.')
  }
  return bits.byteOffset
}

/** A part of every bitmap of a segment, in whole blocks. */
export interface ByteRange {
  readonly start: number
  readonly bytes: number
}

export function assertByteRange({ bytes }: Kernel, part: ByteRange): void {
  const isBlocks = part.start % BLOCK_BYTES === 0 && part.bytes % BLOCK_BYTES === 0
  if (isBlocks && part.start >= 0 && part.bytes >= 0 && part.start + part.bytes <= bytes) return
  throw new RangeError('Not a part of the bitmaps in whole blocks.')
}
