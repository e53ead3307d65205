import type { FeedMapping } from '../mapping/mapping.ts'
import { fitsField } from '../mapping/value-fits.ts'
import { type RawRow, textAt } from '../reading/raw-row.ts'
import { isCellError } from '../values/spelling.ts'

/** Files whose rows differ in length drop the empty cells at their ends, and shift nothing. */
const SAME_LENGTH_MIN = 0.98
const ROWS_MIN = 3
/** In a column that fits so often, a value that does not fit is a sign of a shifted row. */
const RELIABLE_MIN = 0.95

/** Finds rows that lost or gained a cell, whose values are then in the wrong columns. */
export type ShiftCheck = (row: RawRow) => string | undefined

export function createShiftCheck(mapping: FeedMapping, sample: readonly RawRow[]): ShiftCheck {
  const usual = usualLength(sample)
  let reliable: number[] | undefined
  return ({ cells }) => {
    if (usual === undefined || cells.length === usual) return undefined
    if (cells.length > usual && cells.slice(usual).every((cell) => cell.trim() === '')) {
      return undefined
    }
    reliable ??= reliableColumns(mapping, sample)
    const isShifted = reliable.some((at) => !fits(mapping, cells, at))
    if (!isShifted) return undefined
    return `The row has ${cells.length} cells, others have ${usual}, and its values do not fit`
  }
}

function usualLength(sample: readonly RawRow[]): number | undefined {
  const counts = new Map<number, number>()
  for (const { cells } of sample) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  const [length, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [0, 0]
  const others = sample.length - count
  // One odd row of a few is not a habit of the file.
  const isSame = others <= 1 || count >= sample.length * SAME_LENGTH_MIN
  return sample.length >= ROWS_MIN && isSame ? length : undefined
}

function reliableColumns(mapping: FeedMapping, sample: readonly RawRow[]): number[] {
  return Object.values(mapping.at).filter((at) => {
    const filled = sample.filter(({ cells }) => textAt(cells, at) !== '')
    const fitting = filled.filter(({ cells }) => fits(mapping, cells, at))
    const odd = filled.length - fitting.length
    return filled.length > 0 && (odd <= 1 || odd <= filled.length * (1 - RELIABLE_MIN))
  })
}

function fits({ columns, style }: FeedMapping, cells: readonly string[], at: number): boolean {
  const text = textAt(cells, at)
  const { field } = columns[at]
  if (text === '' || field === null || isCellError(text)) return true
  return fitsField(field, text, style)
}
