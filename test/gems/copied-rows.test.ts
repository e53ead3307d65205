import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeCopyText } from '../../src/database/copy.ts'
import { gemColumnsOf } from '../../src/gems/indexing/columns.ts'
import { readCopied } from '../../src/gems/indexing/copied-rows.ts'
import { DIAMOND_FIELDS_V3 } from '../../src/gems/search/field-tables.ts'
import { newRows, putRow, type Rows } from '../../src/index/index.ts'
import { printStone, stoneArbitrary } from './search-oracle.ts'

/** What is read from the bytes of a COPY is what is read from the strings of a query. */

const columns = gemColumnsOf(DIAMOND_FIELDS_V3)

/** Words with everything that COPY escapes, and with letters of more than a byte. */
const words = fc.oneof(
  fc.string({ minLength: 1, unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom('a\tb', 'a\nb', '\\N', '\\', 'é', 'ø\r', 'ﬀ'),
)

const printedArbitrary = fc.nat(1e9).chain((id) =>
  fc.record({ stone: stoneArbitrary(id), sku: words, lab_name: words }).map((drawn) => {
    const { stone, ...texts } = drawn
    return printStone({ ...stone, ...texts, id })
  }),
)

function copied(printed: readonly (string | null)[][]): Buffer {
  const lines = printed.map((row) =>
    row.map((value) => (value === null ? '\\N' : escapeCopyText(value))).join('\t'),
  )
  return Buffer.from(lines.map((line) => `${line}\n`).join(''))
}

function contentOf({ spec: _, capacity: __, size, ...rows }: Rows): unknown {
  const numbers = Object.entries(rows.numbers).map(([name, { values }]) => [
    name,
    values.slice(0, size),
  ])
  const codes = Object.entries(rows.codes).map(([name, view]) => [name, view.words.slice(0, size)])
  const { texts, sparse, dictionaries } = rows
  return { size, ids: rows.ids.values.slice(0, size), numbers, codes, texts, sparse, dictionaries }
}

describe('reading stones from the bytes of a COPY', () => {
  it('makes the rows that the printed values make, however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(printedArbitrary, { maxLength: 5 }),
        fc.array(fc.nat(2_000)),
        (printed, cuts) => {
          const expected = newRows(columns.spec)
          for (const row of printed) {
            const { id, values } = columns.read(row, expected.dictionaries)
            putRow(expected, expected.size, id, values)
          }
          const rows = newRows(columns.spec)
          const read = readCopied(columns, rows)
          const bytes = copied(printed)
          const places = [...cuts, 0, bytes.length].sort((a, b) => a - b)
          for (const [i, from] of places.entries()) read(bytes.subarray(from, places[i + 1]))
          expect(contentOf(rows)).toEqual(contentOf(expected))
        },
      ),
    )
  })

  it('adds to the same rows as another reader, while they grow', () => {
    const printed = fc.sample(printedArbitrary, { seed: 4, numRuns: 1_200 })
    const rows = newRows(columns.spec)
    const readers = [readCopied(columns, rows), readCopied(columns, rows)]
    for (const [i, row] of printed.entries()) readers[i % 2](copied([row]))
    const alone = newRows(columns.spec)
    readCopied(columns, alone)(copied(printed))
    expect(contentOf(rows)).toEqual(contentOf(alone))
  })

  it('refuses a text where a number belongs', () => {
    const [row] = fc.sample(printedArbitrary, { seed: 5, numRuns: 1 })
    const at = columns.sources.indexOf('weight')
    const read = readCopied(columns, newRows(columns.spec))
    expect(() => read(copied([row.with(at, 'NaN')]))).toThrow('something else than a number')
  })
})
