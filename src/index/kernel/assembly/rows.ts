import { BLOCK_BYTES, isEmptyBlock } from './blocks'

/**
 * The loops over single rows, those of a bitmap or of a list; see bitmaps.ts for the types. A word
 * of 64 rows of a bitmap is read from its lowest bit: `ctz(word)` is its position, `word & -word`
 * the bit alone, and `word & (word - 1)` the word without it. Empty blocks are skipped. A list has
 * the numbers of rows, four bytes each, from the address `list` up to `end`.
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

/**
 * Counts the rows of a list by some bits of their words, for three fields at once, which is faster
 * than one after the other: does counts[(words[row] >>> shift) & mask]++ for each. The table has
 * three numbers for each field: shift, mask, and the address of the counts. `width` is how many
 * bytes a word has: 1, 2 or 4.
 */
export function countFields(list: usize, end: usize, words: usize, width: u32, table: usize): void {
  if (width === 1) countBy<u8>(list, end, words, table)
  else if (width === 2) countBy<u16>(list, end, words, table)
  else countBy<u32>(list, end, words, table)
}

function countBy<Word>(list: usize, end: usize, words: usize, table: usize): void {
  const shift0 = load<u32>(table)
  const mask0 = load<u32>(table, 4)
  const counts0 = load<usize>(table, 8)
  const shift1 = load<u32>(table, 12)
  const mask1 = load<u32>(table, 16)
  const counts1 = load<usize>(table, 20)
  const shift2 = load<u32>(table, 24)
  const mask2 = load<u32>(table, 28)
  const counts2 = load<usize>(table, 32)
  for (let entry = list; entry < end; entry += 4) {
    const word = valueAt<Word>(words, <usize>load<u32>(entry))
    increment(counts0, (word >>> shift0) & mask0)
    increment(counts1, (word >>> shift1) & mask1)
    increment(counts2, (word >>> shift2) & mask2)
  }
}

function increment(counts: usize, value: u32): void {
  const count = counts + 4 * <usize>value
  store<u32>(count, load<u32>(count) + 1)
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
      const first = values + offset * 8 * sizeof<Value>()
      const found = rowsInRange<Value>(load<u64>(unchecked + offset), first, min, span)
      store<u64>(target + offset, load<u64>(target + offset) | found)
    }
  }
}

/** 64 rows of one band; see addRowsOfBand in bitmaps.ts. */
function wordOfBand(source: usize, below: usize, from: usize, half: usize, flipped: u64): u64 {
  const band = load<u64>(source) & load<u64>(below) & ~load<u64>(from)
  return band & (load<u64>(half) ^ flipped)
}

/**
 * Adds to the target the rows of one band whose value is in min..min + span; `width` is how many
 * bytes a value has.
 */
export function addBandInRange(
  target: usize,
  source: usize,
  below: usize,
  from: usize,
  half: usize,
  flip: i32,
  values: usize,
  width: u32,
  min: u32,
  span: u32,
  bytes: usize,
): void {
  // Sign extended: all bits of it are alike.
  const flipped = <u64>(<i64>flip)
  for (let at: usize = 0; at < bytes; at += WORD_BYTES) {
    const rows = wordOfBand(source + at, below + at, from + at, half + at, flipped)
    if (rows === 0) continue
    const first = values + at * 8 * width
    let found: u64 = 0
    if (width === 1) found = rowsInRange<u8>(rows, first, min, span)
    else if (width === 2) found = rowsInRange<u16>(rows, first, min, span)
    else found = rowsInRange<u32>(rows, first, min, span)
    store<u64>(target + at, load<u64>(target + at) | found)
  }
}

/** The rows of a word whose value is in min..min + span; `values` is where those of it begin. */
function rowsInRange<Value>(rows: u64, values: usize, min: u32, span: u32): u64 {
  let found: u64 = 0
  for (let word = rows; word !== 0; word &= word - 1) {
    // Unsigned: a value below `min` wraps around and is far above the span.
    const value = valueAt<Value>(values, <usize>ctz(word))
    found |= value - min <= span ? word & -word : 0
  }
  return found
}

/** Lists the rows of one band as listRows does. */
export function listBand(
  source: usize,
  below: usize,
  from: usize,
  half: usize,
  flip: i32,
  list: usize,
  first: u32,
  bytes: usize,
): u32 {
  const flipped = <u64>(<i64>flip)
  let end = list
  for (let at: usize = 0; at < bytes; at += WORD_BYTES) {
    let word = wordOfBand(source + at, below + at, from + at, half + at, flipped)
    for (; word !== 0; word &= word - 1) {
      store<u32>(end, first + <u32>(at * 8) + <u32>ctz(word))
      end += 4
    }
  }
  return <u32>(end - list) / 4
}

/** Writes the least and the greatest value of the rows of a list, two numbers, to `extent`. */
export function findExtent(
  list: usize,
  end: usize,
  values: usize,
  width: u32,
  extent: usize,
): void {
  if (width === 1) extentOf<u8>(list, end, values, extent)
  else if (width === 2) extentOf<u16>(list, end, values, extent)
  else extentOf<u32>(list, end, values, extent)
}

function extentOf<Value>(list: usize, end: usize, values: usize, extent: usize): void {
  let least = u32.MAX_VALUE
  let greatest = u32.MIN_VALUE
  for (let entry = list; entry < end; entry += 4) {
    const value = valueAt<Value>(values, <usize>load<u32>(entry))
    least = value < least ? value : least
    greatest = value > greatest ? value : greatest
  }
  store<u32>(extent, least)
  store<u32>(extent, greatest, 4)
}

/** Counts the rows of a list by their value: does cells[value - first]++ for each. */
export function countCells(
  list: usize,
  end: usize,
  values: usize,
  width: u32,
  first: u32,
  cells: usize,
): void {
  const zero = cells - 4 * <usize>first
  if (width === 1) addToCells<u8>(list, end, values, zero)
  else if (width === 2) addToCells<u16>(list, end, values, zero)
  else addToCells<u32>(list, end, values, zero)
}

function addToCells<Value>(list: usize, end: usize, values: usize, cells: usize): void {
  for (let entry = list; entry < end; entry += 4) {
    increment(cells, valueAt<Value>(values, <usize>load<u32>(entry)))
  }
}

/** In a table of bins: rows with such a value are in more than one. */
const AMBIGUOUS: u32 = 255

/**
 * Counts the rows of a list by bins: bin b has the values from edges[b] up to, but not including,
 * edges[b + 1]. No value is below the first edge or from the last one on. table[value >>> shift] is
 * the bin of a value, where all values of that entry have the same one.
 */
export function countBins(
  list: usize,
  end: usize,
  values: usize,
  width: u32,
  edges: usize,
  counts: usize,
  table: usize,
  shift: u32,
): void {
  if (width === 1) addToBins<u8>(list, end, values, edges, counts, table, shift)
  else if (width === 2) addToBins<u16>(list, end, values, edges, counts, table, shift)
  else addToBins<u32>(list, end, values, edges, counts, table, shift)
}

function addToBins<Value>(
  list: usize,
  end: usize,
  values: usize,
  edges: usize,
  counts: usize,
  table: usize,
  shift: u32,
): void {
  for (let entry = list; entry < end; entry += 4) {
    const value = valueAt<Value>(values, <usize>load<u32>(entry))
    let bin = <u32>load<u8>(table + <usize>(value >>> shift))
    if (bin === AMBIGUOUS) bin = findBin(value, edges)
    increment(counts, bin)
  }
}

function findBin(value: u32, edges: usize): u32 {
  let bin: u32 = 0
  while (value >= load<u32>(edges + 4 * <usize>bin, 4)) bin++
  return bin
}

function valueAt<Value>(values: usize, row: usize): u32 {
  return <u32>load<Value>(values + row * sizeof<Value>())
}
