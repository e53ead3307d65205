import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  addBand,
  addIntersection,
  countIntersection,
  findBlock,
  intersectAll,
  intersectAny,
  intersectDifference,
  intersects,
  removeRows,
  splitRange,
  subtract,
} from '../../src/index/kernel/bitmaps.ts'
import { type Kernel, newKernel } from '../../src/index/kernel/kernel.ts'
import {
  addRowsInRange,
  countBins,
  countCodes,
  findExtent,
  listRows,
} from '../../src/index/kernel/rows.ts'
import { type Arena, allocate, allocateBits, newArena } from '../../src/index/segment/arena.ts'
import { type Bits, hasBit, setBit } from '../../src/index/segment/bits.ts'

/** Each loop of the kernel against the same written in plain JavaScript. */

/** Three blocks of 512 rows, the last of them not full. */
const ROWS = 1200
const ALL = Array.from({ length: ROWS }, (_, row) => row)
/** A part of the bitmaps: the second block. */
const PART = { start: 64, bytes: 64 }
const isInPart = (row: number) => row >= 512 && row < 1024

type RowSet = ReadonlySet<number>

/** A few rows, all but a few, those of one block, or none. */
const few = fc.uniqueArray(fc.nat(ROWS - 1), { maxLength: 30 })
const rowSet: fc.Arbitrary<RowSet> = fc.oneof(
  few.map((rows) => new Set(rows)),
  few.map((rows) => new Set(ALL.filter((row) => !rows.includes(row)))),
  fc.nat(2).map((block) => new Set(ALL.filter((row) => row >>> 9 === block))),
  fc.constant(new Set<number>()),
)

let arena: Arena
let kernel: Kernel
let target: Bits
let unchecked: Bits
let spare: Bits[]

beforeEach(() => {
  arena = newArena(100_000)
  kernel = newKernel(arena, ROWS)
  target = allocateBits(arena, ROWS)
  unchecked = allocateBits(arena, ROWS)
  spare = Array.from({ length: 10 }, () => allocateBits(arena, ROWS))
})

function bitmapsOf(sets: readonly RowSet[]): Bits[] {
  return sets.map((rows, i) => fill(spare[i], rows))
}

function fill(bits: Bits, rows: RowSet): Bits {
  bits.fill(0)
  for (const row of rows) setBit(bits, row)
  return bits
}

function rowsOf(bits: Bits): number[] {
  return ALL.filter((row) => hasBit(bits, row))
}

/** Checks a property of `count` sets of rows. */
function check(count: number, property: (...sets: RowSet[]) => void): void {
  const sets = fc.array(rowSet, { minLength: count, maxLength: count })
  fc.assert(fc.property(sets, (drawn) => property(...drawn)))
}

describe('the loops over whole bitmaps', () => {
  it('intersectAll finds the rows in all of some bitmaps and in none of others', () => {
    const included = fc.array(rowSet, { minLength: 1, maxLength: 5 })
    const excluded = fc.array(rowSet, { maxLength: 4 })
    const property = fc.property(included, excluded, (all, none) => {
      const bitmaps = bitmapsOf([...all, ...none])
      intersectAll(kernel, target, bitmaps.slice(0, all.length), bitmaps.slice(all.length))
      const isWanted = (row: number) =>
        all.every((rows) => rows.has(row)) && !none.some((rows) => rows.has(row))
      expect(rowsOf(target)).toEqual(ALL.filter(isWanted))
    })
    fc.assert(property)
  })

  it('intersectAny retains the rows in any of the bitmaps', () => {
    const property = fc.property(rowSet, fc.array(rowSet, { maxLength: 5 }), (before, any) => {
      fill(target, before)
      intersectAny(kernel, target, bitmapsOf(any))
      const isWanted = (row: number) => before.has(row) && any.some((rows) => rows.has(row))
      expect(rowsOf(target)).toEqual(ALL.filter(isWanted))
    })
    fc.assert(property)
  })

  it('intersectDifference retains the rows in one bitmap and not in the other', () => {
    check(3, (before, included, excluded) => {
      const [a, b] = bitmapsOf([included, excluded])
      intersectDifference(kernel, fill(target, before), a, b)
      const isWanted = (row: number) => before.has(row) && included.has(row) && !excluded.has(row)
      expect(rowsOf(target)).toEqual(ALL.filter(isWanted))
    })
  })

  it('addIntersection adds the rows in both bitmaps', () => {
    check(3, (before, a, b) => {
      const [first, second] = bitmapsOf([a, b])
      addIntersection(kernel, fill(target, before), first, second)
      const isWanted = (row: number) => before.has(row) || (a.has(row) && b.has(row))
      expect(rowsOf(target)).toEqual(ALL.filter(isWanted))
    })
  })

  it('subtract removes the rows of a bitmap', () => {
    check(2, (before, excluded) => {
      subtract(kernel, fill(target, before), bitmapsOf([excluded])[0])
      expect(rowsOf(target)).toEqual(ALL.filter((row) => before.has(row) && !excluded.has(row)))
    })
  })

  it('splitRange divides the rows of a range into certain and unchecked ones', () => {
    check(5, (before, ...sets) => {
      const [included, excluded, checkBelow, checkFrom] = bitmapsOf(sets)
      const ends = { included, excluded, checkBelow, checkFrom }
      splitRange(kernel, fill(target, before), ends, unchecked)
      const [a, b, c, d] = sets
      const inside = ALL.filter((row) => before.has(row) && a.has(row) && !b.has(row))
      const isUnchecked = (row: number) => c.has(row) || !d.has(row)
      expect(rowsOf(target)).toEqual(inside.filter((row) => !isUnchecked(row)))
      expect(rowsOf(unchecked)).toEqual(inside.filter(isUnchecked))
    })
  })

  it('addBand adds the certain rows of a band within a part of the bitmaps', () => {
    check(9, (before, ...sets) => {
      const [source, below, from, half, ...rest] = bitmapsOf(sets)
      const [included, excluded, checkBelow, checkFrom] = rest
      const ends = { included, excluded, checkBelow, checkFrom }
      fill(unchecked, new Set())
      const band = { source, below, from, half }
      addBand(kernel, fill(target, before), band, ends, unchecked, PART)
      const [s, b, f, h, i, e, c, d] = sets.map((set) => (row: number) => set.has(row))
      const ofBand = ALL.filter((row) => isInPart(row) && s(row) && b(row) && !f(row) && h(row))
      const inside = ofBand.filter((row) => i(row) && !e(row))
      const certain = inside.filter((row) => !c(row) && d(row))
      expect(rowsOf(target)).toEqual(ALL.filter((row) => before.has(row) || certain.includes(row)))
      expect(rowsOf(unchecked)).toEqual(inside.filter((row) => c(row) || !d(row)))
    })
  })

  it('countIntersection counts the rows in both bitmaps', () => {
    check(2, (a, b) => {
      const [first, second] = bitmapsOf([a, b])
      const both = ALL.filter((row) => a.has(row) && b.has(row))
      expect(countIntersection(kernel, first, second)).toBe(both.length)
    })
  })

  it('removeRows counts the rows of a bitmap while it removes them', () => {
    check(3, (before, removed, other) => {
      const [source, bits] = bitmapsOf([before, removed])
      const both = ALL.filter((row) => before.has(row) && removed.has(row))
      const rest = ALL.filter((row) => before.has(row) && !removed.has(row))
      expect(removeRows(kernel, source, bits, fill(target, other))).toBe(both.length)
      expect(rowsOf(target)).toEqual(rest)
      expect(removeRows(kernel, source, bits, source)).toBe(both.length)
      expect(rowsOf(source)).toEqual(rest)
    })
  })

  it('intersects finds out whether a row is in both bitmaps', () => {
    check(2, (a, b) => {
      const [first, second] = bitmapsOf([a, b])
      expect(intersects(kernel, first, second)).toBe(ALL.some((row) => a.has(row) && b.has(row)))
    })
  })

  it('findBlock finds the first row of the first block that has a row', () => {
    check(1, (rows) => {
      const [bits] = bitmapsOf([rows])
      const first = ALL.find((row) => rows.has(row)) ?? 1536
      expect(findBlock(kernel, bits)).toBe(Math.floor(first / 512) * 512)
    })
  })
})

describe('the loops over single rows', () => {
  it('listRows lists the rows of a bitmap', () => {
    const list = new Uint32Array(kernel.buffer, allocate(arena, 4 * ROWS), ROWS)
    check(1, (rows) => {
      const [bits] = bitmapsOf([rows])
      expect([...listRows(kernel, bits, list)]).toEqual(ALL.filter((row) => rows.has(row)))
    })
  })

  it('countCodes counts the codes of the rows of a bitmap', () => {
    const codes = new Uint8Array(kernel.buffer, allocate(arena, ROWS), ROWS)
    const counts = new Uint32Array(kernel.buffer, allocate(arena, 1024), 256)
    const code = fc.integer({ min: 0, max: 255 })
    const property = fc.property(rowSet, fc.array(code, { minLength: 1 }), (rows, pattern) => {
      codes.set(ALL.map((row) => pattern[row % pattern.length]))
      counts.fill(1)
      countCodes(kernel, bitmapsOf([rows])[0], codes, counts)
      const expected = Array.from({ length: 256 }, () => 1)
      for (const row of rows) expected[codes[row]]++
      expect([...counts]).toEqual(expected)
    })
    fc.assert(property)
  })

  const WIDTHS = [
    { bits: 8, most: 0xff, valuesIn: Uint8Array<SharedArrayBuffer> },
    { bits: 16, most: 0xffff, valuesIn: Uint16Array<SharedArrayBuffer> },
    { bits: 32, most: 0xffffffff, valuesIn: Uint32Array<SharedArrayBuffer> },
  ]

  it.each(WIDTHS)(
    'addRowsInRange adds the unchecked rows with values of $bits bits in a range',
    ({ bits, most, valuesIn }) => {
      const values = new valuesIn(kernel.buffer, allocate(arena, (ROWS * bits) / 8), ROWS)
      const value = fc.integer({ min: 0, max: most })
      const cases = fc.record({
        before: rowSet,
        open: rowSet,
        pattern: fc.array(value, { minLength: 1 }),
        min: value,
        max: value,
        part: fc.constantFrom(undefined, PART),
      })
      const property = fc.property(cases, ({ before, open, pattern, min, max, part }) => {
        values.set(ALL.map((row) => pattern[row % pattern.length]))
        fill(unchecked, open)
        addRowsInRange(kernel, fill(target, before), unchecked, values, min, max, part)
        const isInside = (row: number) => values[row] >= min && values[row] <= max
        const isAdded = (row: number) => open.has(row) && isInside(row) && (!part || isInPart(row))
        expect(rowsOf(target)).toEqual(ALL.filter((row) => before.has(row) || isAdded(row)))
      })
      fc.assert(property)
    },
  )

  it.each(WIDTHS)(
    'findExtent and countBins find and count values of $bits bits',
    ({ bits, most, valuesIn }) => {
      const values = new valuesIn(kernel.buffer, allocate(arena, (ROWS * bits) / 8), ROWS)
      const cases = fc.record({
        rows: rowSet.filter((rows) => rows.size > 0),
        // The greatest number of a width stands for no value.
        pattern: fc.array(fc.integer({ min: 0, max: most - 1 }), { minLength: 1 }),
        cuts: fc.array(fc.integer({ min: 0, max: most - 1 }), { maxLength: 40 }),
      })
      const property = fc.property(cases, ({ rows, pattern, cuts }) => {
        values.set(ALL.map((row) => pattern[row % pattern.length]))
        const [bits] = bitmapsOf([rows])
        const own = [...rows].map((row) => values[row])
        const [least, greatest] = [Math.min(...own), Math.max(...own)]
        expect(findExtent(kernel, bits, values)).toEqual({ least, greatest })
        const inside = cuts.map((cut) => Math.min(Math.max(cut, least), greatest + 1))
        const edges = [least, ...inside, greatest + 1].toSorted((a, b) => a - b)
        const expected = edges
          .slice(1)
          .map((end, i) => own.filter((value) => value >= edges[i] && value < end).length)
        expect([...countBins(kernel, bits, values, edges)]).toEqual(expected)
      })
      fc.assert(property)
    },
  )
})

describe('the calls of the kernel', () => {
  it('refuse arrays that are not in the memory of the kernel', () => {
    const elsewhere = allocateBits(newArena(1000), ROWS)
    const shorter = allocateBits(arena, 512)
    expect(() => subtract(kernel, target, elsewhere)).toThrow('does not belong')
    expect(() => subtract(kernel, shorter, target)).toThrow('does not belong')
    const list = new Uint32Array(ROWS)
    expect(() => listRows(kernel, target, list)).toThrow('not in the memory')
  })

  it('refuse a part of the bitmaps that is not in whole blocks, or that is outside of them', () => {
    const values = new Uint8Array(kernel.buffer, allocate(arena, ROWS), ROWS)
    for (const part of [
      { start: 32, bytes: 64 },
      { start: 128, bytes: 128 },
    ]) {
      const call = () => addRowsInRange(kernel, target, unchecked, values, 0, 1, part)
      expect(call).toThrow('whole blocks')
    }
  })

  it('refuse to intersect no bitmaps, or more than fit in the table', () => {
    expect(() => intersectAll(kernel, target, [], [])).toThrow('Nothing to intersect')
    const many = Array.from({ length: 129 }, () => unchecked)
    expect(() => intersectAny(kernel, target, many)).toThrow('Too many bitmaps')
  })
})
