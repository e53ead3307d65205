import { BLOCK_BYTES, isEmptyBlock } from './blocks'

/**
 * The loops over the single rows of a bitmap; see bitmaps.ts for the types. A word of 64 rows is
 * read from its lowest bit: `ctz(word)` is its position, `word & -word` the bit alone, and
 * `word & (word - 1)` the word without it. Empty blocks are skipped.
 */

const WORD_BYTES: usize = 8

/**
 * Writes the numbers of the rows in the bitmap to `list`, and returns how many there are. `first`
 * is the number of the first row.
 */
export function listRows(bitmap: usize, list: usize, first: u32, bytes: usize): u32 {
  let end = list
  for (let block: usize = 0; block < bytes; block += BLOCK_BYTES) {
    if (isEmptyBlock(bitmap + block)) continue
    for (let offset = block; offset < block + BLOCK_BYTES; offset += WORD_BYTES) {
      for (let word = load<u64>(bitmap + offset); word !== 0; word &= word - 1) {
        store<u32>(end, first + <u32>(offset * 8) + <u32>ctz(word))
        end += 4
      }
    }
  }
  return <u32>(end - list) / 4
}

/** Does counts[codes[row]]++ for every row of the bitmap. */
export function countCodes(bitmap: usize, codes: usize, counts: usize, bytes: usize): void {
  for (let block: usize = 0; block < bytes; block += BLOCK_BYTES) {
    if (isEmptyBlock(bitmap + block)) continue
    for (let offset = block; offset < block + BLOCK_BYTES; offset += WORD_BYTES) {
      for (let word = load<u64>(bitmap + offset); word !== 0; word &= word - 1) {
        const code = <usize>load<u8>(codes + offset * 8 + <usize>ctz(word))
        const count = counts + code * 4
        store<u32>(count, load<u32>(count) + 1)
      }
    }
  }
}

/**
 * Adds to the target the rows of `unchecked` whose value is in min..min + span. `width` is how many
 * bytes a value has: 1, 2 or 4.
 */
export function addRowsInRange(
  target: usize,
  unchecked: usize,
  values: usize,
  width: u32,
  min: u32,
  span: u32,
  bytes: usize,
): void {
  if (width === 1) addInRange<u8>(target, unchecked, values, min, span, bytes)
  else if (width === 2) addInRange<u16>(target, unchecked, values, min, span, bytes)
  else addInRange<u32>(target, unchecked, values, min, span, bytes)
}

function addInRange<Value>(
  target: usize,
  unchecked: usize,
  values: usize,
  min: u32,
  span: u32,
  bytes: usize,
): void {
  for (let block: usize = 0; block < bytes; block += BLOCK_BYTES) {
    if (isEmptyBlock(unchecked + block)) continue
    for (let offset = block; offset < block + BLOCK_BYTES; offset += WORD_BYTES) {
      let found: u64 = 0
      for (let word = load<u64>(unchecked + offset); word !== 0; word &= word - 1) {
        const value = valueAt<Value>(values, offset * 8 + <usize>ctz(word))
        // Unsigned: a value below `min` wraps around and is far above the span.
        found |= value - min <= span ? word & -word : 0
      }
      store<u64>(target + offset, load<u64>(target + offset) | found)
    }
  }
}

/** Writes the least and the greatest value of the rows in the bitmap, two numbers, to `extent`. */
export function findExtent(
  bitmap: usize,
  values: usize,
  width: u32,
  extent: usize,
  bytes: usize,
): void {
  if (width === 1) extentOf<u8>(bitmap, values, extent, bytes)
  else if (width === 2) extentOf<u16>(bitmap, values, extent, bytes)
  else extentOf<u32>(bitmap, values, extent, bytes)
}

function extentOf<Value>(bitmap: usize, values: usize, extent: usize, bytes: usize): void {
  let least = u32.MAX_VALUE
  let greatest = u32.MIN_VALUE
  for (let block: usize = 0; block < bytes; block += BLOCK_BYTES) {
    if (isEmptyBlock(bitmap + block)) continue
    for (let offset = block; offset < block + BLOCK_BYTES; offset += WORD_BYTES) {
      for (let word = load<u64>(bitmap + offset); word !== 0; word &= word - 1) {
        const value = valueAt<Value>(values, offset * 8 + <usize>ctz(word))
        least = value < least ? value : least
        greatest = value > greatest ? value : greatest
      }
    }
  }
  store<u32>(extent, least)
  store<u32>(extent, greatest, 4)
}

/**
 * Counts the rows of the bitmap by bins: bin b has the values from edges[b] up to, but not
 * including, edges[b + 1]. No value is below the first edge or from the last one on.
 */
export function countBins(
  bitmap: usize,
  values: usize,
  width: u32,
  edges: usize,
  counts: usize,
  bins: u32,
  bytes: usize,
): void {
  if (width === 1) addToBins<u8>(bitmap, values, edges, counts, bins, bytes)
  else if (width === 2) addToBins<u16>(bitmap, values, edges, counts, bins, bytes)
  else addToBins<u32>(bitmap, values, edges, counts, bins, bytes)
}

function addToBins<Value>(
  bitmap: usize,
  values: usize,
  edges: usize,
  counts: usize,
  bins: u32,
  bytes: usize,
): void {
  const first = load<u32>(edges)
  const binsPerUnit = <f64>bins / <f64>(load<u32>(edges + bins * 4) - first)
  for (let block: usize = 0; block < bytes; block += BLOCK_BYTES) {
    if (isEmptyBlock(bitmap + block)) continue
    for (let offset = block; offset < block + BLOCK_BYTES; offset += WORD_BYTES) {
      for (let word = load<u64>(bitmap + offset); word !== 0; word &= word - 1) {
        const value = valueAt<Value>(values, offset * 8 + <usize>ctz(word))
        // Where the bin would be if all were equally wide; most nearly are.
        let position = <usize>(<f64>(value - first) * binsPerUnit) * 4
        while (value < load<u32>(edges + position)) position -= 4
        while (value >= load<u32>(edges + position, 4)) position += 4
        store<u32>(counts + position, load<u32>(counts + position) + 1)
      }
    }
  }
}

function valueAt<Value>(values: usize, row: usize): u32 {
  return <u32>load<Value>(values + row * sizeof<Value>())
}
