import { BLOCK_BYTES, isEmptyBlock } from './blocks'

/**
 * The loops over the single rows of a bitmap; see bitmaps.ts for the types. A word of 64 rows is
 * read from its lowest bit: `ctz(word)` is its position, `word & -word` the bit alone, and
 * `word & (word - 1)` the word without it. Empty blocks are skipped.
 */

const WORD_BYTES: usize = 8

/** Writes the numbers of the rows in the bitmap to `list`, and returns how many there are. */
export function listRows(bitmap: usize, list: usize, bytes: usize): u32 {
  let end = list
  for (let block: usize = 0; block < bytes; block += BLOCK_BYTES) {
    if (isEmptyBlock(bitmap + block)) continue
    for (let offset = block; offset < block + BLOCK_BYTES; offset += WORD_BYTES) {
      for (let word = load<u64>(bitmap + offset); word !== 0; word &= word - 1) {
        store<u32>(end, <u32>(offset * 8) + <u32>ctz(word))
        end += 4
      }
    }
  }
  return <u32>(end - list) / 4
}

/** Does counts[codes[row]]++ for every row of the list. */
export function countCodes(list: usize, listEnd: usize, codes: usize, counts: usize): void {
  for (let entry = list; entry < listEnd; entry += 4) {
    const code = <usize>load<u8>(codes + load<u32>(entry))
    const count = counts + code * 4
    store<u32>(count, load<u32>(count) + 1)
  }
}

/** Adds to the target the rows of `unchecked` whose value is in min..min + span. */
export function addRowsInRange8(
  target: usize,
  unchecked: usize,
  values: usize,
  min: u32,
  span: u32,
  bytes: usize,
): void {
  addRowsInRange<u8>(target, unchecked, values, min, span, bytes)
}

export function addRowsInRange16(
  target: usize,
  unchecked: usize,
  values: usize,
  min: u32,
  span: u32,
  bytes: usize,
): void {
  addRowsInRange<u16>(target, unchecked, values, min, span, bytes)
}

export function addRowsInRange32(
  target: usize,
  unchecked: usize,
  values: usize,
  min: u32,
  span: u32,
  bytes: usize,
): void {
  addRowsInRange<u32>(target, unchecked, values, min, span, bytes)
}

function addRowsInRange<Value>(
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
        const row = offset * 8 + <usize>ctz(word)
        const value = <u32>load<Value>(values + row * sizeof<Value>())
        // Unsigned: a value below `min` wraps around and is far above the span.
        found |= value - min <= span ? word & -word : 0
      }
      store<u64>(target + offset, load<u64>(target + offset) | found)
    }
  }
}
