import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addIntersection,
  addRowsOfBand,
  countEach,
  countIntersection,
  findBlock,
  intersectAll,
  intersectAny,
  intersectDifference,
  intersects,
  listBlocks,
  splitRange,
  subtract,
} from '../../src/index/kernel/bitmaps.ts'
import { addRowsInRange } from '../../src/index/kernel/rows.ts'
import { allocate, allocateBits, newArena } from '../../src/index/segment/arena.ts'
import {
  ALL,
  fill,
  isInPart,
  isOfBand,
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

  it('addRowsOfBand adds all rows of a band within a part of the bitmaps', () => {
    for (const inHalf of [true, false]) {
      check(5, (before, ...sets) => {
        const [source, below, from, half] = bitmapsOf(sets)
        addRowsOfBand(kernel, fill(target, before), { source, below, from, half, inHalf }, PART)
        const isAdded = isOfBand(sets, inHalf)
        const isWanted = (row: number) => before.has(row) || (isInPart(row) && isAdded(row))
        expect(rowsOf(target)).toEqual(ALL.filter(isWanted))
      })
    }
  })

  it('countIntersection counts the rows in both bitmaps', () => {
    check(2, (a, b) => {
      const [first, second] = bitmapsOf([a, b])
      const both = ALL.filter((row) => a.has(row) && b.has(row))
      expect(countIntersection(kernel, first, second)).toBe(both.length)
    })
  })

  it('listBlocks and countEach count the rows that bitmaps have of another one', () => {
    const list = new Uint32Array(kernel.buffer, allocate(arena, 4 * 3), 3)
    const others = fc.array(rowSet, { maxLength: 5 })
    const property = fc.property(rowSet, others, (rows, sets) => {
      const [source, ...bitmaps] = bitmapsOf([rows, ...sets])
      const blocks = listBlocks(kernel, source, list)
      const expected = [0, 1, 2].filter((block) =>
        ALL.some((row) => rows.has(row) && row >>> 9 === block),
      )
      expect([...blocks]).toEqual(expected.map((block) => 64 * block))
      const counts = sets.map((set) => ALL.filter((row) => rows.has(row) && set.has(row)).length)
      expect([...countEach(kernel, source, blocks, bitmaps)]).toEqual(counts)
      const many = Array.from({ length: 150 }, () => source)
      expect([...countEach(kernel, source, blocks, many)]).toEqual(many.map(() => rows.size))
    })
    fc.assert(property)
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
    const band = { source: target, below: target, from: target, half: target, inHalf: true }
    for (const part of [
      { start: 32, bytes: 64 },
      { start: 128, bytes: 128 },
    ]) {
      expect(() => addRowsOfBand(kernel, unchecked, band, part)).toThrow('whole blocks')
    }
  })

  it('refuse to intersect no bitmaps, or more than fit in the table', () => {
    expect(() => intersectAll(kernel, target, [], [])).toThrow('Nothing to intersect')
    const many = Array.from({ length: 129 }, () => unchecked)
    expect(() => intersectAny(kernel, target, many)).toThrow('Too many bitmaps')
  })
})
