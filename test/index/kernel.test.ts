import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addBand,
  addIntersection,
  addRowsOfBand,
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
import { addRowsInRange } from '../../src/index/kernel/rows.ts'
import { allocate, allocateBits, newArena } from '../../src/index/segment/arena.ts'
import {
  ALL,
  fill,
  isInPart,
  kernelMemory,
  PART,
  ROWS,
  type RowSet,
  rowSet,
  rowsOf,
} from './kernel-memory.ts'

/** The loops of the kernel over whole bitmaps, each against the same in plain JavaScript. */

const { arena, kernel, target, unchecked, bitmapsOf } = kernelMemory()

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

  it('addRowsOfBand adds all rows of a band within a part of the bitmaps', () => {
    check(5, (before, ...sets) => {
      const [source, below, from, half] = bitmapsOf(sets)
      addRowsOfBand(kernel, fill(target, before), { source, below, from, half }, PART)
      const [s, b, f, h] = sets.map((set) => (row: number) => set.has(row))
      const isAdded = (row: number) => isInPart(row) && s(row) && b(row) && !f(row) && h(row)
      expect(rowsOf(target)).toEqual(ALL.filter((row) => before.has(row) || isAdded(row)))
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

describe('the calls of the kernel', () => {
  it('refuse arrays that are not in the memory of the kernel', () => {
    const elsewhere = allocateBits(newArena(1000), ROWS)
    const shorter = allocateBits(arena, 512)
    expect(() => subtract(kernel, target, elsewhere)).toThrow('does not belong')
    expect(() => subtract(kernel, shorter, target)).toThrow('does not belong')
    const values = new Uint8Array(ROWS)
    const call = () => addRowsInRange(kernel, target, unchecked, values, 0, 1)
    expect(call).toThrow('not in the memory')
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
