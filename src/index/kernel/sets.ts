import {
  add,
  addLanes,
  and,
  andNot,
  anyTrue,
  at,
  type Code,
  get,
  I32,
  int,
  isEmpty,
  type Kernel,
  less,
  load,
  or,
  popcount,
  QUARTERS,
  repeat,
  set,
  store,
  sumLanes,
  unless,
  V128,
  zeros,
} from './words.ts'

/**
 * target = all of the sets of the first table and none of the second, which begins where the first
 * ends; 64 bytes a turn. The first table has at least one entry, the second may have none.
 */
const meetAll: Kernel = {
  name: 'meetAll',
  parameters: 5, // target, bytes, first table, second table, end of both
  returns: false,
  locals: [I32, I32, V128, V128, V128, V128], // i, entry, four quarters
  body: repeat(
    [
      ...QUARTERS.flatMap((offset, n) => set(7 + n, load(add(entryAt(2), get(5)), offset))),
      ...set(6, add(get(2), int(4))),
      ...eachEntry(6, 3, (rows, offset) => and(rows, load(add(entryAt(6), get(5)), offset))),
      ...eachEntry(6, 4, (rows, offset) => andNot(rows, load(add(entryAt(6), get(5)), offset))),
      ...QUARTERS.flatMap((offset, n) => store(add(get(0), get(5)), get(7 + n), offset)),
      ...set(5, add(get(5), int(64))),
    ],
    less(get(5), get(1)),
  ),
}

/** The address in a table's entry. */
function entryAt(entry: number): Code {
  return [...get(entry), 0x28, 2, 0]
}

/** Combines the four quarters with every further entry up to an end. */
function eachEntry(
  entry: number,
  end: number,
  combine: (rows: Code, offset: number) => Code,
): Code {
  const more = less(get(entry), get(end))
  return unless(
    [...more, 0x45],
    repeat(
      [
        ...QUARTERS.flatMap((offset, n) => set(7 + n, combine(get(7 + n), offset))),
        ...set(entry, add(get(entry), int(4))),
      ],
      more,
    ),
  )
}

/**
 * target &= any of the sets whose addresses stand in the table; 64 bytes a turn. Where nothing is
 * left in the target no set is read: rows lie by price, and what is asked for often does too.
 */
const andAny: Kernel = {
  name: 'andAny',
  parameters: 4, // target, bytes, table, end of table
  returns: false,
  locals: [I32, I32, V128, V128, V128, V128], // i, entry, four quarters
  body: repeat(
    [
      ...unless(isEmpty(add(get(0), get(4))), [
        ...[6, 7, 8, 9].flatMap((quarter) => set(quarter, zeros)),
        ...set(5, get(2)),
        ...repeat(
          [
            ...QUARTERS.flatMap((offset, n) => {
              const address = add([...get(5), 0x28, 2, 0], get(4))
              return set(6 + n, or(get(6 + n), load(address, offset)))
            }),
            ...set(5, add(get(5), int(4))),
          ],
          less(get(5), get(3)),
        ),
        ...QUARTERS.flatMap((offset, n) => {
          const address = add(get(0), get(4))
          return store(address, and(load(address, offset), get(6 + n)), offset)
        }),
      ]),
      ...set(4, add(get(4), int(64))),
    ],
    less(get(4), get(1)),
  ),
}

/** target &= keep & ~drop. */
const between: Kernel = {
  name: 'between',
  parameters: 4, // target, bytes, keep, drop
  returns: false,
  locals: [I32], // i
  body: repeat(
    [
      ...store(add(get(0), get(4)), andNot(and(at(0, 4), at(2, 4)), at(3, 4))),
      ...set(4, add(get(4), int(16))),
    ],
    less(get(4), get(1)),
  ),
}

/**
 * Of the rows of target & keep & ~drop, those in lookBelow or not in lookFrom go to look, and only
 * the others stay in the target.
 */
const slice: Kernel = {
  name: 'slice',
  parameters: 7, // target, bytes, keep, drop, lookBelow, lookFrom, look
  returns: false,
  locals: [I32, V128, V128], // i, rows, rows to look at
  body: repeat(
    [
      ...set(8, andNot(and(at(0, 7), at(2, 7)), at(3, 7))),
      ...set(9, or(and(get(8), at(4, 7)), andNot(get(8), at(5, 7)))),
      ...store(add(get(0), get(7)), andNot(get(8), get(9))),
      ...store(add(get(6), get(7)), get(9)),
      ...set(7, add(get(7), int(16))),
    ],
    less(get(7), get(1)),
  ),
}

/** target |= a & b. */
const orBoth: Kernel = {
  name: 'orBoth',
  parameters: 4, // target, a, b, bytes
  returns: false,
  locals: [I32],
  body: repeat(
    [
      ...store(add(get(0), get(4)), or(at(0, 4), and(at(1, 4), at(2, 4)))),
      ...set(4, add(get(4), int(16))),
    ],
    less(get(4), get(3)),
  ),
}

/** target &= ~set. */
const dropRows: Kernel = {
  name: 'dropRows',
  parameters: 3, // target, set, bytes
  returns: false,
  locals: [I32],
  body: repeat(
    [...store(add(get(0), get(3)), andNot(at(0, 3), at(1, 3))), ...set(3, add(get(3), int(16)))],
    less(get(3), get(2)),
  ),
}

/** How many bits are set in both. Where the first has none the second is not read. */
const countAnd: Kernel = {
  name: 'countAnd',
  parameters: 3, // a, b, bytes
  returns: true,
  locals: [I32, V128], // i, sums
  body: [
    ...repeat(
      [
        ...unless(
          isEmpty(add(get(0), get(3))),
          QUARTERS.flatMap((offset) => {
            const [a, b] = [0, 1].map((side) => load(add(get(side), get(3)), offset))
            return set(4, addLanes(get(4), popcount(and(a, b))))
          }),
        ),
        ...set(3, add(get(3), int(64))),
      ],
      less(get(3), get(2)),
    ),
    ...sumLanes(get(4)),
  ],
}

/** The first turn of 64 bytes from a given one on that has a bit, or the end. */
const firstTurn: Kernel = {
  name: 'firstTurn',
  parameters: 3, // bits, turn, bytes
  returns: true,
  locals: [],
  body: [
    ...repeat(
      [...unless(isEmpty(add(get(0), get(1))), [...get(1), 0x0f]), ...set(1, add(get(1), int(64)))],
      less(get(1), get(2)),
    ),
    ...get(2),
  ],
}

/** Whether a bit is set in both; ends at the first. */
const anyAnd: Kernel = {
  name: 'anyAnd',
  parameters: 3, // a, b, bytes
  returns: true,
  locals: [I32],
  body: [
    ...repeat(
      [
        ...unless([...anyTrue(and(at(0, 3), at(1, 3))), 0x45], [...int(1), 0x0f]),
        ...set(3, add(get(3), int(16))),
      ],
      less(get(3), get(2)),
    ),
    ...int(0),
  ],
}

/**
 * Of the rows of source & below & ~from & set & keep & ~drop, those in lookBelow or not in lookFrom
 * go to look, and the others join the target.
 */
const joinBand: Kernel = {
  name: 'joinBand',
  // source, bytes, below, from, set, keep, drop, lookBelow, lookFrom, look, target
  parameters: 11,
  returns: false,
  locals: [I32, V128, V128], // i, rows, rows to look at
  body: repeat(
    [
      ...set(12, andNot(and(at(0, 11), at(2, 11)), at(3, 11))),
      ...set(12, andNot(and(and(get(12), at(4, 11)), at(5, 11)), at(6, 11))),
      ...set(13, or(and(get(12), at(7, 11)), andNot(get(12), at(8, 11)))),
      ...store(add(get(10), get(11)), or(at(10, 11), andNot(get(12), get(13)))),
      ...store(add(get(9), get(11)), get(13)),
      ...set(11, add(get(11), int(16))),
    ],
    less(get(11), get(1)),
  ),
}

/** The loops over whole bitmaps. */
export const SET_KERNELS: readonly Kernel[] = [
  meetAll,
  andAny,
  between,
  slice,
  orBoth,
  dropRows,
  countAnd,
  firstTurn,
  anyAnd,
  joinBand,
]
