import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newKernel } from '../../src/index/kernel/kernel.ts'
import {
  addRowsInRange,
  countBins,
  countCodes,
  findExtent,
  listRows,
} from '../../src/index/kernel/rows.ts'
import { allocate, allocateBits, newArena } from '../../src/index/segment/arena.ts'
import { ALL, fill, isInPart, kernelMemory, PART, ROWS, rowSet, rowsOf } from './kernel-memory.ts'

/** The loops of the kernel over single rows, each against the same in plain JavaScript. */

const { arena, kernel, target, unchecked, bitmapsOf } = kernelMemory()

describe('the loops over single rows', () => {
  it('listRows lists the rows of a bitmap', () => {
    const property = fc.property(rowSet, (rows) => {
      const [bits] = bitmapsOf([rows])
      expect([...listRows(kernel, bits, rows.size)]).toEqual(ALL.filter((row) => rows.has(row)))
    })
    fc.assert(property)
  })

  it('listRows lists more rows than the kernel lists at once', () => {
    const larger = newArena(100_000)
    const { list, ...rest } = newKernel(larger, 20_000)
    const wanted = Array.from({ length: 20_000 }, (_, row) => row).filter((row) => row % 7 !== 3)
    const bits = fill(allocateBits(larger, 20_000), new Set(wanted))
    expect(list.length).toBeLessThan(wanted.length)
    expect([...listRows({ list, ...rest }, bits, wanted.length)]).toEqual(wanted)
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
