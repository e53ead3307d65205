import { BLOCK_BYTES, isEmptyBlock, VECTOR_BYTES } from './blocks'

/**
 * The loops over whole bitmaps, in AssemblyScript: TypeScript's syntax with the types of
 * WebAssembly. A `usize` is an address or a length in the memory of the segment, and a `v128` is a
 * vector of 128 bits, that is of 128 rows. `v128.load(address, 16)` reads the vector 16 bytes after
 * the address, and `v128.andnot(a, b)` is a & ~b.
 *
 * A parameter that names a bitmap is its address, and `bytes` is the length of every bitmap of the
 * call. A table is a list of addresses of bitmaps. Callers are in ../bitmaps.ts, and each loop has
 * a property test in test/index/kernel.test.ts.
 */

/**
 * target = the rows in all bitmaps of the table `included..excluded` and in none of the table
 * `excluded..end`, which begins where the first one ends and may be empty. The first may not.
 */
export function intersectAll(
  target: usize,
  included: usize,
  excluded: usize,
  end: usize,
  bytes: usize,
): void {
  for (let offset: usize = 0; offset < bytes; offset += BLOCK_BYTES) {
    const first = load<usize>(included) + offset
    let rows0 = v128.load(first)
    let rows1 = v128.load(first, 16)
    let rows2 = v128.load(first, 32)
    let rows3 = v128.load(first, 48)
    for (let entry = included + 4; entry < excluded; entry += 4) {
      const bitmap = load<usize>(entry) + offset
      rows0 = v128.and(rows0, v128.load(bitmap))
      rows1 = v128.and(rows1, v128.load(bitmap, 16))
      rows2 = v128.and(rows2, v128.load(bitmap, 32))
      rows3 = v128.and(rows3, v128.load(bitmap, 48))
    }
    for (let entry = excluded; entry < end; entry += 4) {
      const bitmap = load<usize>(entry) + offset
      rows0 = v128.andnot(rows0, v128.load(bitmap))
      rows1 = v128.andnot(rows1, v128.load(bitmap, 16))
      rows2 = v128.andnot(rows2, v128.load(bitmap, 32))
      rows3 = v128.andnot(rows3, v128.load(bitmap, 48))
    }
    v128.store(target + offset, rows0)
    v128.store(target + offset, rows1, 16)
    v128.store(target + offset, rows2, 32)
    v128.store(target + offset, rows3, 48)
  }
}

/**
 * target &= the rows in any bitmap of the table. Where the target has no row left the bitmaps are
 * not read: rows are in the order of their price, and many values occur in a part of it only.
 */
export function intersectAny(target: usize, table: usize, end: usize, bytes: usize): void {
  for (let offset: usize = 0; offset < bytes; offset += BLOCK_BYTES) {
    const block = target + offset
    if (isEmptyBlock(block)) continue
    let rows0 = v128.splat<u64>(0)
    let rows1 = v128.splat<u64>(0)
    let rows2 = v128.splat<u64>(0)
    let rows3 = v128.splat<u64>(0)
    for (let entry = table; entry < end; entry += 4) {
      const bitmap = load<usize>(entry) + offset
      rows0 = v128.or(rows0, v128.load(bitmap))
      rows1 = v128.or(rows1, v128.load(bitmap, 16))
      rows2 = v128.or(rows2, v128.load(bitmap, 32))
      rows3 = v128.or(rows3, v128.load(bitmap, 48))
    }
    v128.store(block, v128.and(v128.load(block), rows0))
    v128.store(block, v128.and(v128.load(block, 16), rows1), 16)
    v128.store(block, v128.and(v128.load(block, 32), rows2), 32)
    v128.store(block, v128.and(v128.load(block, 48), rows3), 48)
  }
}

/** target &= included & ~excluded. */
export function intersectDifference(
  target: usize,
  included: usize,
  excluded: usize,
  bytes: usize,
): void {
  for (let offset: usize = 0; offset < bytes; offset += VECTOR_BYTES) {
    const rows = v128.and(v128.load(target + offset), v128.load(included + offset))
    v128.store(target + offset, v128.andnot(rows, v128.load(excluded + offset)))
  }
}

/** target |= a & b. */
export function addIntersection(target: usize, a: usize, b: usize, bytes: usize): void {
  for (let offset: usize = 0; offset < bytes; offset += VECTOR_BYTES) {
    const both = v128.and(v128.load(a + offset), v128.load(b + offset))
    v128.store(target + offset, v128.or(v128.load(target + offset), both))
  }
}

/** target &= ~excluded. */
export function subtract(target: usize, excluded: usize, bytes: usize): void {
  for (let offset: usize = 0; offset < bytes; offset += VECTOR_BYTES) {
    const rows = v128.load(target + offset)
    v128.store(target + offset, v128.andnot(rows, v128.load(excluded + offset)))
  }
}

/**
 * Divides the rows of target & included & ~excluded: those in `checkBelow` or outside `checkFrom`
 * must be checked one by one and go to `unchecked`; the others stay in the target.
 */
export function splitRange(
  target: usize,
  included: usize,
  excluded: usize,
  checkBelow: usize,
  checkFrom: usize,
  unchecked: usize,
  bytes: usize,
): void {
  for (let offset: usize = 0; offset < bytes; offset += VECTOR_BYTES) {
    const candidates = v128.and(v128.load(target + offset), v128.load(included + offset))
    const rows = v128.andnot(candidates, v128.load(excluded + offset))
    const low = v128.and(rows, v128.load(checkBelow + offset))
    const high = v128.andnot(rows, v128.load(checkFrom + offset))
    const doubtful = v128.or(low, high)
    v128.store(target + offset, v128.andnot(rows, doubtful))
    v128.store(unchecked + offset, doubtful)
  }
}

/**
 * Adds the rows of one band, source & below & ~from & half, to the target. `flip` is 0, or -1 for
 * the rows that are not in `half`.
 */
export function addRowsOfBand(
  target: usize,
  source: usize,
  below: usize,
  from: usize,
  half: usize,
  flip: i32,
  bytes: usize,
): void {
  const flipped = v128.splat<i32>(flip)
  for (let offset: usize = 0; offset < bytes; offset += VECTOR_BYTES) {
    const upTo = v128.and(v128.load(source + offset), v128.load(below + offset))
    const band = v128.andnot(upTo, v128.load(from + offset))
    const rows = v128.and(band, v128.xor(v128.load(half + offset), flipped))
    v128.store(target + offset, v128.or(v128.load(target + offset), rows))
  }
}

/** Returns how many rows are in both bitmaps. Where `a` has none, `b` is not read. */
export function countIntersection(a: usize, b: usize, bytes: usize): u32 {
  let sums = v128.splat<u32>(0)
  for (let offset: usize = 0; offset < bytes; offset += BLOCK_BYTES) {
    const x = a + offset
    const y = b + offset
    if (isEmptyBlock(x)) continue
    const both0 = v128.and(v128.load(x), v128.load(y))
    const both1 = v128.and(v128.load(x, 16), v128.load(y, 16))
    const both2 = v128.and(v128.load(x, 32), v128.load(y, 32))
    const both3 = v128.and(v128.load(x, 48), v128.load(y, 48))
    sums = i32x4.add(sums, countBits(both0, both1, both2, both3))
  }
  return sumOf(sums)
}

/** Writes the offsets of the blocks that have a row to `list`, and returns how many there are. */
export function listBlocks(bitmap: usize, list: usize, bytes: usize): u32 {
  let end = list
  for (let offset: usize = 0; offset < bytes; offset += BLOCK_BYTES) {
    store<u32>(end, <u32>offset)
    end += isEmptyBlock(bitmap + offset) ? 0 : 4
  }
  return <u32>(end - list) / 4
}

/**
 * Writes to `counts`, for each bitmap of the table, how many rows of the source it has. The table
 * has an even number of bitmaps: two are counted at once, so that the source is read half as often.
 * The list `blocks..blocksEnd` has the offsets of the blocks in which the source has rows: only
 * these are read.
 */
export function countEach(
  source: usize,
  blocks: usize,
  blocksEnd: usize,
  table: usize,
  end: usize,
  counts: usize,
): void {
  for (let entry = table; entry < end; entry += 8) {
    const first = load<usize>(entry)
    const second = load<usize>(entry, 4)
    let firstSums = v128.splat<u32>(0)
    let secondSums = v128.splat<u32>(0)
    for (let block = blocks; block < blocksEnd; block += 4) {
      const offset = load<usize>(block)
      const from = source + offset
      const rows0 = v128.load(from)
      const rows1 = v128.load(from, 16)
      const rows2 = v128.load(from, 32)
      const rows3 = v128.load(from, 48)
      const x = first + offset
      const x0 = v128.and(rows0, v128.load(x))
      const x1 = v128.and(rows1, v128.load(x, 16))
      const x2 = v128.and(rows2, v128.load(x, 32))
      const x3 = v128.and(rows3, v128.load(x, 48))
      firstSums = i32x4.add(firstSums, countBits(x0, x1, x2, x3))
      const y = second + offset
      const y0 = v128.and(rows0, v128.load(y))
      const y1 = v128.and(rows1, v128.load(y, 16))
      const y2 = v128.and(rows2, v128.load(y, 32))
      const y3 = v128.and(rows3, v128.load(y, 48))
      secondSums = i32x4.add(secondSums, countBits(y0, y1, y2, y3))
    }
    store<u32>(counts + (entry - table), sumOf(firstSums))
    store<u32>(counts + (entry - table), sumOf(secondSums), 4)
  }
}

/**
 * The set bits of a block, as four sums: counted by byte, which has room for the 32 bits of four
 * vectors, then added up pairwise twice.
 */
function countBits(bits0: v128, bits1: v128, bits2: v128, bits3: v128): v128 {
  const firstHalf = i8x16.add(v128.popcnt<u8>(bits0), v128.popcnt<u8>(bits1))
  const secondHalf = i8x16.add(v128.popcnt<u8>(bits2), v128.popcnt<u8>(bits3))
  const byBytePair = i16x8.extadd_pairwise_i8x16_u(i8x16.add(firstHalf, secondHalf))
  return i32x4.extadd_pairwise_i16x8_u(byBytePair)
}

function sumOf(sums: v128): u32 {
  const firstHalf = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1)
  return firstHalf + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3)
}

/** Returns whether a row is in both bitmaps, and stops at the first block with one. */
export function intersects(a: usize, b: usize, bytes: usize): bool {
  for (let offset: usize = 0; offset < bytes; offset += BLOCK_BYTES) {
    const x = a + offset
    const y = b + offset
    const both0 = v128.and(v128.load(x), v128.load(y))
    const both1 = v128.and(v128.load(x, 16), v128.load(y, 16))
    const both2 = v128.and(v128.load(x, 32), v128.load(y, 32))
    const both3 = v128.and(v128.load(x, 48), v128.load(y, 48))
    if (v128.any_true(v128.or(v128.or(both0, both1), v128.or(both2, both3)))) return true
  }
  return false
}

/** Returns the offset of the first block from `offset` on that has a row, or `bytes`. */
export function findBlock(bitmap: usize, offset: usize, bytes: usize): usize {
  while (offset < bytes && isEmptyBlock(bitmap + offset)) offset += BLOCK_BYTES
  return offset
}
