/** Refusals of files that cannot be read: each says what was seen, and what to do. */
import { Refusal } from '../../lib/refusal.ts'
import type { ListNames } from '../mapping/list-names.ts'
import type { RawRow } from './raw-row.ts'

/** A message is read by a person; more of a row or of its notes would not help. */
const CELLS_SHOWN = 12
const CELL_CHARS_SHOWN = 24
const NOTES_SHOWN = 3

export function refused(detail: string): Refusal {
  return new Refusal('invalid_request', detail)
}

/** The refusal of a file that has no sheets, of which one was named. */
export function noSheets(sheet: string): Refusal {
  return refused(`The file has no sheets, so there is no sheet ${JSON.stringify(sheet)} in it.`)
}

/** The refusal of a file without a header: it shows the first row and how to map positions. */
export function noHeader(
  container: string,
  firstRow: RawRow | undefined,
  { usual, example }: ListNames,
  notes: readonly string[] = [],
): Refusal {
  const seen = `This is ${container}, with no header row of columns like ${usual}.`
  if (!firstRow) return refused([seen, ...notes.slice(0, NOTES_SHOWN)].join(' '))
  const cells = firstRow.cells
    .slice(0, CELLS_SHOWN)
    .map((cell) => cell.replaceAll(/\s+/g, ' ').trim().slice(0, CELL_CHARS_SHOWN))
  const shown = cells.join(' | ') + (firstRow.cells.length > CELLS_SHOWN ? ' | …' : '')
  return refused(
    `${seen} Its row ${firstRow.row} is: ${shown}. Write a mapping with --explain, say in it ` +
      'what the columns are, and import with --mapping: by position if there is no header, ' +
      `such as ${example}, or by name if the header is in another language.`,
  )
}
