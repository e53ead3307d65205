import type pg from 'pg'
import { findRow, idAt, type Segment, type View } from '../../index/index.ts'
import type { IndexTable } from './columns.ts'

/**
 * What an index and its table must agree on: how many stones there are, and a sum of one number per
 * stone that follows from its id, both of its prices and the time of its last change. PostgreSQL
 * computes it in one pass over the table. A stone that is missing or has another price changes it;
 * a sum of products does so also where two stones have each other's prices.
 */
interface Digest {
  stones: number
  sum: number
}

/** The columns, and what their values are multiplied by before they are added. */
const FACTORS = { wholesale_price: 31, wholesale_price_us: 37, updated_on: 1 }
/** Below 2 ** 26, so that a product is exact in a double, as it is in PostgreSQL's bigint. */
const PRIME = 67_108_859

/** The digest of the stones of a table, or of those among `ids`. */
export async function digestTable(
  client: pg.Client,
  { columns, from }: IndexTable,
  ids?: readonly number[],
): Promise<Digest> {
  const terms = Object.entries(FACTORS).map(([name, factor]) => {
    const column = columns.printed.find(({ spec }) => spec.name === name)
    if (!column) throw new Error(`${name} is not a column of the index`)
    const { sql, decimals } = column
    const value = decimals === 0 ? sql : `(${sql} * ${10 ** decimals})::bigint`
    return `${value} % ${PRIME} * ${factor}`
  })
  const product = `(gem.id % ${PRIME}) * ((${terms.join(' + ')}) % ${PRIME}) % ${PRIME}`
  const text = `select count(*) as stones, coalesce(sum(${product}), 0) as sum from ${from}`
  const { rows } = await client.query<{ stones: string; sum: string }>(
    ids ? `${text} and gem.id = any($1)` : text,
    ids && [ids],
  )
  return { stones: Number(rows[0].stones), sum: Number(rows[0].sum) }
}

/** The digest of the stones of a segment. */
export function digestSegment(segment: Segment): Digest {
  let sum = 0
  const termOf = termsIn(segment)
  for (let row = 0; row < segment.size; row++) sum += termOf(row)
  return { stones: segment.size, sum }
}

/** The digest of those of the stones that are in the segment. */
export function digestStones(segment: Segment, ids: readonly number[]): Digest {
  const termOf = termsIn(segment)
  const found = ids.map((id) => findRow(segment, id)).filter((row) => row !== undefined)
  return { stones: found.length, sum: found.reduce((sum, row) => sum + termOf(row), 0) }
}

/** What a row adds to the sum: a number below 2 ** 26, another one when the stone has changed. */
export function termsIn(view: View): (row: number) => number {
  const columns = Object.entries(FACTORS).map(([name, factor]) => {
    const { values, base } = view.numbers[name]
    return { values, base, factor }
  })
  return (row) => {
    let sum = 0
    for (const { values, base, factor } of columns) sum += ((values[row] + base) % PRIME) * factor
    return ((idAt(view, row) % PRIME) * (sum % PRIME)) % PRIME
  }
}

/** Whether two digests are equal without the stones that changed. */
export function agree(
  [table, ofTable]: readonly [all: Digest, changed: Digest],
  [segment, ofSegment]: readonly [all: Digest, changed: Digest],
): boolean {
  return (
    table.stones - ofTable.stones === segment.stones - ofSegment.stones &&
    table.sum - ofTable.sum === segment.sum - ofSegment.sum
  )
}
