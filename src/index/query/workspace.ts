import { KERNEL_BYTES, type Kernel, newKernel } from '../kernel/kernel.ts'
import { FIELDS_AT_ONCE } from '../kernel/rows.ts'
import {
  allocate,
  allocateBits,
  BLOCK_BYTES,
  bytesForBits,
  ROWS_PER_BLOCK,
} from '../segment/arena.ts'
import { type Bits, setRange } from '../segment/bits.ts'
import type { Segment } from '../segment/columns.ts'
import { codesOf, type Dictionary, type Rows } from '../segment/rows.ts'
import { type BitmapCache, newBitmapCache } from './bitmap-cache.ts'
import { newRanked, type Ranked } from './top-k.ts'

/**
 * The memory in which the searches of one store work. A search is synchronous, so one workspace
 * serves them all, one after the other. Nothing in it outlives a search except the caches, and the
 * generation of a match says to which search it belongs.
 */
export interface Workspace {
  readonly kernel: Kernel
  /** Counts matches and changes. A match of an earlier generation is no longer valid. */
  generation: number
  /** The value of the primary column at the first row of each block. */
  readonly blockStarts: Float64Array
  /** The rows of the base that have not been replaced or removed since it was built. */
  readonly alive: Bits
  /** The rows that match. */
  readonly target: Bits
  /** Rows that must be checked one by one, and other bitmaps that are needed only briefly. */
  readonly unchecked: Bits
  /** Always empty. */
  readonly none: Bits
  /** The rows that are collected band by band. */
  readonly banded: Bits
  readonly bitmapCache: BitmapCache
  /** By two columns, which of their codes occur together; see co-occurrence.ts. */
  readonly coOccurrences: Map<string, CoOccurrences>
  /** By column, the codes that rows of the base have, the most frequent first. */
  readonly codesByFrequency: Map<string, number[]>
  /** The blocks that have matches, for as many as a bitmap has. */
  readonly blockList: Uint32Array
  /** The matching rows, if they are not too many; see listBaseRows. */
  readonly rowList: Uint32Array
  /** How often each value of a field occurs, for as many fields as are counted at once. */
  readonly fieldCounts: readonly Uint32Array[]
  /** The rows that may be on a page. */
  readonly ranked: Ranked
  /** A block of rows that is about to be ranked. */
  readonly block: Ranked
  /** The keys of all matches, for a histogram. */
  keys: Float64Array
}

/** For two code columns: at [code * width + other], whether some row has both codes. */
export interface CoOccurrences {
  readonly columns: readonly [string, string]
  readonly width: number
  readonly table: Uint8Array
}

/** Begins a new generation: every match made before is invalid from now on. */
export function beginGeneration(workspace: Workspace): number {
  workspace.generation++
  workspace.bitmapCache.search = workspace.generation
  return workspace.generation
}

/** What a search reads: the base, the delta, and the workspace for the base's memory. */
export interface Searchable {
  readonly base: Segment
  readonly delta: Rows
  readonly workspace: Workspace
  readonly dictionaries: Record<string, Dictionary>
}

/** The rows of the base that have a value; null stands for those without one. */
export function bitmapOf(
  { base, dictionaries, workspace }: Searchable,
  column: string,
  value: string | null,
): Bits {
  const [code] = codesOf(dictionaries[column], [value])
  const bits: Bits | null | undefined = base.codes[column].bitmaps[code]
  if (bits === undefined) throw new Error(`${column} has no bitmap of ${value}`)
  return bits ?? workspace.none
}

/** So many values may a field have whose rows are counted by value. */
export const FIELD_COUNTS = 8192
/** One row of so many has space in the list of matches; where more match, bitmaps are faster. */
const ROWS_PER_LISTED = 8
const LISTED_MIN = 1024
/** Together they take three bytes per row. */
const CACHED_BITMAPS = 24
/**
 * A search may use this many bitmaps of the cache at once, and this many more, one for each band,
 * while it makes one of them: together no more than the cache has.
 */
export const BITMAPS_PER_SEARCH_MAX = 11
export const BANDS_MAX = 12

/** Rows are ranked in blocks: few enough to waste little when the page is small. */
export const RANKED_PER_BLOCK = 64

const OWN_BITMAPS = 5

/** What a workspace allocates in the arena of a segment of this size. */
export function bytesForWorkspace(size: number): number {
  const blocks = bytesForBits(size) / BLOCK_BYTES
  const arrays = 4 * (FIELDS_AT_ONCE * FIELD_COUNTS + blocks + listedMax(size)) + KERNEL_BYTES
  // Each array begins at a multiple of a block: those of the fields, two lists, four of the kernel.
  const lost = (FIELDS_AT_ONCE + 6) * BLOCK_BYTES
  return (OWN_BITMAPS + CACHED_BITMAPS) * bytesForBits(size) + arrays + lost
}

function listedMax(size: number): number {
  return Math.max(LISTED_MIN, Math.ceil(size / ROWS_PER_LISTED))
}

export function newWorkspace(segment: Segment): Workspace {
  const { arena, size } = segment
  const { buffer } = arena.memory
  const numbers = (count: number) => new Uint32Array(buffer, allocate(arena, 4 * count), count)
  const bitmap = () => allocateBits(arena, size)
  const alive = bitmap()
  setRange(alive, 0, size)
  return {
    kernel: newKernel(arena, size),
    generation: 0,
    blockStarts: blockStartsOf(segment),
    alive,
    target: bitmap(),
    unchecked: bitmap(),
    none: bitmap(),
    banded: bitmap(),
    bitmapCache: newBitmapCache(Array.from({ length: CACHED_BITMAPS }, bitmap)),
    coOccurrences: new Map(),
    codesByFrequency: new Map(),
    blockList: numbers(bytesForBits(size) / BLOCK_BYTES),
    rowList: numbers(listedMax(size)),
    fieldCounts: Array.from({ length: FIELDS_AT_ONCE }, () => numbers(FIELD_COUNTS)),
    ranked: newRanked(4096),
    // The words of a bitmap are added whole, so that a block may exceed its size by 31 rows.
    block: newRanked(RANKED_PER_BLOCK + 32),
    keys: new Float64Array(4096),
  }
}

function blockStartsOf({ numbers, primary, size }: Segment): Float64Array {
  const { values, base } = numbers[primary]
  const starts = new Float64Array(Math.ceil(size / ROWS_PER_BLOCK))
  for (let block = 0; block < starts.length; block++) {
    starts[block] = values[block * ROWS_PER_BLOCK] + base
  }
  return starts
}
