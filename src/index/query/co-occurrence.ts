import { intersects } from '../kernel/bitmaps.ts'
import { codeAt } from '../segment/columns.ts'
import { codesOf } from '../segment/rows.ts'
import { assertCurrent, listBaseRows, type Match } from './match.ts'
import type { CoOccurrences, Searchable, Workspace } from './workspace.ts'

/** The values of a column that occur among the matches, in the order of the column's list. */
export function occurringValues(found: Match, column: string): string[] {
  assertCurrent(found)
  const { base, delta, dictionaries, workspace } = found.searched
  const occurs = new Uint8Array(dictionaries[column].values.length)
  const deltaCodes = delta.codes[column]
  for (const row of found.deltaRows) occurs[codeAt(deltaCodes, row)] = 1
  if (found.baseCount > FEW_MATCHES) {
    const { bitmaps, counts } = base.codes[column]
    const canOccur = occurrenceTest(found, column)
    for (const [code, bits] of bitmaps.entries()) {
      if (!bits || counts[code] === 0 || occurs[code] === 1 || !canOccur(code)) continue
      if (intersects(workspace.kernel, workspace.target, bits)) occurs[code] = 1
    }
  } else if (found.baseCount > 0) {
    const codes = base.codes[column]
    for (const row of listBaseRows(found)) occurs[codeAt(codes, row)] = 1
  }
  return dictionaries[column].values.filter(
    (value, code): value is string => value !== null && occurs[code] === 1,
  )
}

/** Up to this many matches, reading their codes is faster than intersecting bitmaps. */
const FEW_MATCHES = 4096

/**
 * Whether some row of the base has a code together with one of the values of each filter. This
 * rules out most codes, and it pays: a bitmap that does not intersect the matches must be read to
 * its end to find that out.
 */
function occurrenceTest({ searched, predicates }: Match, column: string) {
  const { base, dictionaries } = searched
  const filters: { wanted: number[]; known: CoOccurrences }[] = []
  for (const predicate of predicates) {
    if (predicate.kind !== 'oneOf') continue
    const { bitmaps } = base.codes[predicate.column]
    const wanted = codesOf(dictionaries[predicate.column], predicate.values)
    if (wanted.some((code) => code >= bitmaps.length)) continue
    filters.push({ wanted, known: coOccurrencesOf(searched, predicate.column, column) })
  }
  return (code: number): boolean =>
    filters.every(({ wanted, known }) =>
      wanted.some((other) => doOccurTogether(searched, known, other, code)),
    )
}

function coOccurrencesOf({ base, workspace }: Searchable, first: string, second: string) {
  const key = `${first} ${second}`
  const known = workspace.coOccurrences.get(key)
  if (known) return known
  const width = base.codes[second].bitmaps.length
  const table = new Uint8Array(base.codes[first].bitmaps.length * width)
  const added: CoOccurrences = { columns: [first, second], width, table }
  workspace.coOccurrences.set(key, added)
  return added
}

const UNKNOWN = 0
const TOGETHER = 1
const APART = 2

/** Each pair of codes is found out once. */
function doOccurTogether(
  { base, workspace }: Searchable,
  { columns, width, table }: CoOccurrences,
  code: number,
  other: number,
): boolean {
  const position = code * width + other
  if (table[position] === UNKNOWN) {
    const [first, second] = columns.map((column) => base.codes[column].bitmaps)
    const [a, b] = [first[code], second[other]]
    const together = a !== null && b !== null && intersects(workspace.kernel, a, b)
    table[position] = together ? TOGETHER : APART
  }
  return table[position] === TOGETHER
}

/** Removes what is known about a column, after a code of the base was changed in place. */
export function forgetCoOccurrences({ coOccurrences }: Workspace, column: string): void {
  for (const [key, { columns }] of coOccurrences) {
    if (columns.includes(column)) coOccurrences.delete(key)
  }
}
