import {
  add,
  type Code,
  get,
  I32,
  I64,
  int,
  isEmpty,
  type Kernel,
  less,
  repeat,
  set,
  shiftLeft,
  unless,
} from './words.ts'

/** Runs the body for each word of a set that has a row; 64 bytes without one are passed over. */
function eachWord(
  { bits, bytes, turn, i, word }: Record<'bits' | 'bytes' | 'turn' | 'i' | 'word', number>,
  body: Code,
): Code {
  const words = repeat(
    [
      ...set(word, [...add(get(bits), get(i)), 0x29, 3, 0]),
      ...unless([...get(word), 0x50], body),
      ...set(i, add(get(i), int(8))),
    ],
    less(get(i), add(get(turn), int(64))),
  )
  return repeat(
    [
      ...unless(isEmpty(add(get(bits), get(turn))), [...set(i, get(turn)), ...words]),
      ...set(turn, add(get(turn), int(64))),
    ],
    less(get(turn), get(bytes)),
  )
}

/** Drops the lowest bit of a word. */
function dropLowest(word: number): Code {
  return set(word, [...get(word), ...get(word), 0x42, 1, 0x7d, 0x83])
}

/** Writes the numbers of the set bits to `out`, and answers how many there are. */
const listRows: Kernel = {
  name: 'listRows',
  parameters: 3, // bits, bytes, out
  returns: true,
  locals: [I32, I64, I32, I32], // i, word, end of out, turn
  body: [
    ...set(5, get(2)),
    ...eachWord(
      { bits: 0, bytes: 1, turn: 6, i: 3, word: 4 },
      repeat(
        [
          // out = i * 8 + count of trailing zeros
          ...get(5),
          ...add(shiftLeft(get(3), 3), [...get(4), 0x7a, 0xa7]),
          ...[0x36, 2, 0],
          ...set(5, add(get(5), int(4))),
          ...dropLowest(4),
        ],
        [...get(4), 0x50, 0x45],
      ),
    ),
    ...[...get(5), ...get(2), 0x6b, ...int(2), 0x76],
  ],
}

/** Of the rows in `look`, those whose value lies in min..min + span join the target. */
function siftOf(name: string, load: Code, shift: number): Kernel {
  const lowestBit = [...get(7), ...[0x42, 0], ...get(7), 0x7d, 0x83]
  const row = add(shiftLeft(get(6), 3), [...get(7), 0x7a, 0xa7])
  const value = [...add(get(3), shiftLeft(row, shift)), ...load]
  const isInside = [...value, ...get(4), 0x6b, ...get(5), 0x4d]
  const target = add(get(0), get(6))
  return {
    name,
    parameters: 6, // target, look, bytes, values, min, span
    returns: false,
    locals: [I32, I64, I64, I32], // i, word of look, rows of it that join, turn
    body: eachWord({ bits: 1, bytes: 2, turn: 9, i: 6, word: 7 }, [
      ...set(8, [0x42, 0]),
      ...repeat(
        [
          ...set(8, [...get(8), ...lowestBit, ...[0x42, 0], ...isInside, 0x1b, 0x84]),
          ...dropLowest(7),
        ],
        [...get(7), 0x50, 0x45],
      ),
      ...[...target, ...target, 0x29, 3, 0, ...get(8), 0x84, 0x37, 3, 0],
    ]),
  }
}

/** counts[codes[row]]++ for every row of a list. */
const tally: Kernel = {
  name: 'tally',
  parameters: 4, // rows, end of rows, codes, counts
  returns: false,
  locals: [I32], // address of the count
  body: repeat(
    [
      ...set(4, add(get(3), shiftLeft([...add(get(2), [...get(0), 0x28, 2, 0]), 0x2d, 0, 0], 2))),
      ...get(4),
      ...add([...get(4), 0x28, 2, 0], int(1)),
      ...[0x36, 2, 0],
      ...set(0, add(get(0), int(4))),
    ],
    less(get(0), get(1)),
  ),
}

/** The loops over single rows. */
export const ROW_KERNELS: readonly Kernel[] = [
  listRows,
  tally,
  siftOf('siftBytes', [0x2d, 0, 0], 0),
  siftOf('siftHalves', [0x2f, 1, 0], 1),
  siftOf('siftWords', [0x28, 2, 0], 2),
]
