import { kernelModule } from '../kernel/module.ts'
import type { Bits } from './bits.ts'

/**
 * One block of shared memory with all bitmaps and codes of a segment, so that the kernel can
 * reach them, and so that a worker thread hands a whole segment over without a copy.
 */
export interface Arena {
  readonly memory: SharedMemory
  /** Where the free part begins. */
  free: number
}

/** The part of WebAssembly that is used here; Node has it, its type declarations do not. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer
}
interface Wasm {
  Memory: new (limits: { initial: number; maximum: number; shared: boolean }) => SharedMemory
  Module: new (code: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: Kernel }
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: Wasm }

/** Addresses are byte offsets into the arena. Loops run at least once: sizes are never zero. */
export interface Kernel {
  meetAll(target: number, bytes: number, keep: number, drop: number, dropEnd: number): void
  andAny(target: number, bytes: number, table: number, tableEnd: number): void
  between(target: number, bytes: number, keep: number, drop: number): void
  slice(
    target: number,
    bytes: number,
    keep: number,
    drop: number,
    lookBelow: number,
    lookFrom: number,
    look: number,
  ): void
  orBoth(target: number, a: number, b: number, bytes: number): void
  dropRows(target: number, set: number, bytes: number): void
  countAnd(a: number, b: number, bytes: number): number
  firstTurn(bits: number, turn: number, bytes: number): number
  anyAnd(a: number, b: number, bytes: number): number
  listRows(bits: number, bytes: number, out: number): number
  tally(rows: number, rowsEnd: number, codes: number, counts: number): void
  siftBytes: Sift
  siftHalves: Sift
  siftWords: Sift
  joinBand(
    source: number,
    bytes: number,
    below: number,
    from: number,
    set: number,
    keep: number,
    drop: number,
    lookBelow: number,
    lookFrom: number,
    look: number,
    target: number,
  ): void
}

type Sift = (
  target: number,
  look: number,
  bytes: number,
  values: number,
  min: number,
  span: number,
) => void

const PAGE = 65_536
/** Everything begins at a multiple of this, and loops take this much a turn. */
const GRAIN = 64

export function bytesForBits(rows: number): number {
  return Math.max(GRAIN, Math.ceil(rows / (GRAIN * 8)) * GRAIN)
}

export function newArena(bytes: number): Arena {
  const pages = Math.ceil(bytes / PAGE) + 1
  return {
    memory: new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }),
    free: 0,
  }
}

/** The address of `bytes` free bytes, all zero. */
export function take(arena: Arena, bytes: number): number {
  const at = arena.free
  arena.free += Math.ceil(bytes / GRAIN) * GRAIN
  if (arena.free > arena.memory.buffer.byteLength) throw new RangeError('the arena is too small')
  return at
}

export function takeBits(arena: Arena, rows: number): Bits {
  const bytes = bytesForBits(rows)
  return new Uint32Array(arena.memory.buffer, take(arena, bytes), bytes / 4)
}

let compiled: object | undefined
const instances = new WeakMap<SharedMemory, Kernel>()

/** The kernel on the arena's memory. */
export function kernelOf({ memory }: Pick<Arena, 'memory'>): Kernel {
  let kernel = instances.get(memory)
  if (!kernel) {
    compiled ??= new WebAssembly.Module(kernelModule())
    kernel = new WebAssembly.Instance(compiled, { index: { memory } }).exports
    instances.set(memory, kernel)
  }
  return kernel
}
