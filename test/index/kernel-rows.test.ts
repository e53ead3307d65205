import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newKernel } from '../../src/index/kernel/kernel.ts'
import {
  addBandInRange,
  addRowsInRange,
  countBins,
  countFields,
  eachRowOfBand,
  findExtent,
  listRows,
  listRowsIn,
} from '../../src/index/kernel/rows.ts'
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

/** The loops of the kernel over single rows, each against the same in plain JavaScript. */

const { arena, kernel, target, unchecked, bitmapsOf } = kernelMemory()
const list = new Uint32Array(kernel.buffer, allocate(arena, 4 * ROWS), ROWS)
const listed = (rows: RowSet) => listRowsIn(kernel, bitmapsOf([rows])[0], list)

describe('the loops over single rows', () => {
  it('listRows and listRowsIn list the rows of a bitmap', () => {
    const property = fc.property(rowSet, (rows) => {
      const [bits] = bitmapsOf([rows])
      const expected = ALL.filter((row) => rows.has(row))
      expect([...listRows(kernel, bits, rows.size)]).toEqual(expected)
      expect([...listRowsIn(kernel, bits, list)]).toEqual(expected)
    })
    fc.assert(property)
  })

  it('eachRowOfBand lists the rows of a band', () => {
    const sets = fc.tuple(rowSet, rowSet, rowSet, rowSet)
    const property = fc.property(sets, fc.boolean(), (drawn, inHalf) => {
      const [source, below, from, half] = bitmapsOf(drawn)
      const rows: number[] = []
      const band = { source, below, from, half, inHalf }
      eachRowOfBand(kernel, band, (some) => rows.push(...some))
      expect(rows).toEqual(ALL.filter(isOfBand(drawn, inHalf)))
    })
    fc.assert(property)
  })

  it('listRows lists more rows than the kernel lists at once', () => {
    const larger = newArena(200_000)
    const { list, ...rest } = newKernel(larger, 50_000)
    const wanted = Array.from({ length: 50_000 }, (_, row) => row).filter((row) => row % 7 !== 3)
    const bits = fill(allocateBits(larger, 50_000), new Set(wanted))
    expect(list.length).toBeLessThan(wanted.length)
    expect([...listRows({ list, ...rest }, bits, wanted.length)]).toEqual(wanted)
  })

  const WIDTHS = [
    { bits: 8, most: 0xff, valuesIn: Uint8Array<SharedArrayBuffer> },
    { bits: 16, most: 0xffff, valuesIn: Uint16Array<SharedArrayBuffer> },
    { bits: 32, most: 0xffffffff, valuesIn: Uint32Array<SharedArrayBuffer> },
  ]

  it.each(WIDTHS)('countFields counts rows by some of the $bits bits of their words', (width) => {
    const { bits, most, valuesIn } = width
    const words = new valuesIn(kernel.buffer, allocate(arena, (ROWS * bits) / 8), ROWS)
    const countsOf = (values: number) =>
      new Uint32Array(kernel.buffer, allocate(arena, 4 * values), values)
    const fields = [
      { shift: 0, mask: 7, counts: countsOf(8) },
      { shift: 3, mask: 31, counts: countsOf(32) },
      { shift: bits - 4, mask: 15, counts: countsOf(16) },
    ]
    const word = fc.integer({ min: 0, max: most })
    const property = fc.property(rowSet, fc.array(word, { minLength: 1 }), (rows, pattern) => {
      words.set(ALL.map((row) => pattern[row % pattern.length]))
      for (const { counts } of fields) counts.fill(1)
      countFields(kernel, listed(rows), words, fields)
      for (const { shift, mask, counts } of fields) {
        const expected = Array.from({ length: mask + 1 }, () => 1)
        for (const row of rows) expected[(words[row] >>> shift) & mask]++
        expect([...counts]).toEqual(expected)
      }
    })
    fc.assert(property)
  })

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
      })
      const property = fc.property(cases, ({ before, open, pattern, min, max }) => {
        values.set(ALL.map((row) => pattern[row % pattern.length]))
        fill(unchecked, open)
        addRowsInRange(kernel, fill(target, before), unchecked, values, min, max)
        const isInside = (row: number) => values[row] >= min && values[row] <= max
        const isAdded = (row: number) => open.has(row) && isInside(row)
        expect(rowsOf(target)).toEqual(ALL.filter((row) => before.has(row) || isAdded(row)))
      })
      fc.assert(property)
    },
  )

  it.each(WIDTHS)(
    'addBandInRange adds the rows of a band with values of $bits bits in a range',
    ({ bits, most, valuesIn }) => {
      const values = new valuesIn(kernel.buffer, allocate(arena, (ROWS * bits) / 8), ROWS)
      const value = fc.integer({ min: 0, max: most })
      const cases = fc.record({
        sets: fc.tuple(rowSet, rowSet, rowSet, rowSet, rowSet),
        inHalf: fc.boolean(),
        pattern: fc.array(value, { minLength: 1 }),
        min: value,
        max: value,
      })
      const property = fc.property(cases, ({ sets, inHalf, pattern, min, max }) => {
        values.set(ALL.map((row) => pattern[row % pattern.length]))
        const [source, below, from, half, before] = bitmapsOf(sets)
        target.set(before)
        const band = { source, below, from, half, inHalf }
        addBandInRange(kernel, target, band, values, min, max, PART)
        const ofBand = ALL.filter(isOfBand(sets, inHalf)).filter(isInPart)
        const added = ofBand.filter((row) => values[row] >= min && values[row] <= max)
        const isWanted = (row: number) => sets[4].has(row) || added.includes(row)
        expect(rowsOf(target)).toEqual(ALL.filter(isWanted))
      })
      fc.assert(property)
    },
  )

  const value = (most: number) =>
    fc.oneof(fc.integer({ min: 0, max: most - 1 }), fc.integer({ min: 100, max: 250 }))

  it.each(WIDTHS)(
    'findExtent and countBins find and count values of $bits bits',
    ({ bits, most, valuesIn }) => {
      const values = new valuesIn(kernel.buffer, allocate(arena, (ROWS * bits) / 8), ROWS)
      const cases = fc.record({
        rows: rowSet.filter((rows) => rows.size > 0),
        // The greatest number of a width stands for no value. Some are near to each other.
        pattern: fc.array(value(most), { minLength: 1 }),
        cuts: fc.array(value(most), { maxLength: 40 }),
      })
      const property = fc.property(cases, ({ rows, pattern, cuts }) => {
        values.set(ALL.map((row) => pattern[row % pattern.length]))
        const list = listed(rows)
        const own = [...rows].map((row) => values[row])
        const [least, greatest] = [Math.min(...own), Math.max(...own)]
        expect(findExtent(kernel, list, values)).toEqual({ least, greatest })
        const inside = cuts.map((cut) => Math.min(Math.max(cut, least), greatest + 1))
        const edges = [least, ...inside, greatest + 1].toSorted((a, b) => a - b)
        const expected = edges
          .slice(1)
          .map((end, i) => own.filter((value) => value >= edges[i] && value < end).length)
        expect(countBins(kernel, (visit) => visit(list), values, edges)).toEqual(expected)
      })
      fc.assert(property)
    },
  )
})
