import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDelimitedReader } from '../../../src/feeds/reading/delimited/reader.ts'
import { cellTextOf, type RawRow } from '../../../src/feeds/reading/raw-row.ts'

const DIALECT = { delimiter: ',', lineEnd: '\n' } as const

interface ReadRow {
  row: number
  cells: string[]
}

/** The same rows, read character by character. */
function rowsOf(text: string): ReadRow[] {
  const rows: ReadRow[] = []
  let line = 1
  for (let at = 0; at < text.length; ) {
    const stop = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at)
    const plain = text.slice(at, stop)
    const record = plain.includes('"') ? recordAt(text, at) : undefined
    rows.push({ row: line, cells: record?.cells ?? plain.replace(/\r$/, '').split(',') })
    const end = record?.end ?? stop
    line += text.slice(at, end).split('\n').length
    at = end + 1
  }
  return rows
}

/** A record with quotes; undefined when one of them never closes. */
function recordAt(text: string, start: number): { cells: string[]; end: number } | undefined {
  const cells: string[] = []
  for (let at = start; ; at++) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (at >= text.length) return undefined
        if (text[at] === '"') at++
        cell += text[at]
      }
      at++
    }
    let tail = ''
    for (; at < text.length && text[at] !== ',' && text[at] !== '\n'; at++) tail += text[at]
    cells.push(cell + tail.replace(/\r$/, ''))
    if (text[at] !== ',') return { cells, end: at }
  }
}

/** Reads a text in pieces that end at these places. */
function readInPieces(text: string, places: readonly number[]): RawRow[] {
  const reader = createDelimitedReader(DIALECT)
  const ends = [...places].filter((place) => place < text.length).sort((a, b) => a - b)
  const starts = [0, ...ends]
  const rows = starts.flatMap((start, at) => reader.push(text.slice(start, ends[at])))
  return [...rows, ...reader.end()]
}

const piece = fc.constantFrom('a', 'b1', ' ', ',', ',', '"', '""', '\n', '\r\n', '\r', '",', ',"')
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))
const places = fc.array(fc.nat({ max: 80 }), { maxLength: 4 })

describe('a file of delimited text', () => {
  it('has the rows and cells that reading it character by character finds', () => {
    fc.assert(
      fc.property(text, places, (content, ends) => {
        const rows = readInPieces(content, ends)
        expect(rows.map(({ row, cells }) => ({ row, cells }))).toEqual(rowsOf(content))
      }),
      { numRuns: 3_000 },
    )
  })

  it('has the same cells when one of them is asked for before the others', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 6 }), (content, at) => {
        const asked = readInPieces(content, []).map((row) => cellTextOf(row, at))
        const expected = rowsOf(content).map(({ cells }) => (cells[at] ?? '').trim())
        expect(asked).toEqual(expected)
      }),
      { numRuns: 3_000 },
    )
  })

  it('has the same rows when they are longer than a short one', () => {
    const long = 'x'.repeat(3_000)
    const content = `a,"b ""1""\n2",${long}\n"${long}",c\n${long},d\ne,"f"\n`
    const rows = readInPieces(content, [1_000, 5_000])
    expect(rows.map(({ row, cells }) => ({ row, cells }))).toEqual(rowsOf(content))
  })

  it('has as many cells as there are, and a row with too many is not read', () => {
    const [full, over] = readInPieces(`${','.repeat(1_999)}\n${','.repeat(2_000)}\n`, [])
    expect(full.cells).toHaveLength(2_000)
    expect(over).toMatchObject({ row: 2, cells: [], unreadable: expect.any(String) })
  })
})
