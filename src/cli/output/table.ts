/** Tables for people. Scripts use `--json`. */
import { isoWithOffset, isPrinted } from '../../lib/timestamps.ts'

/** The heading of each column, in the order in which the columns are printed. */
type Headings<Row> = { [Column in keyof Row & string]?: string }

/** Prints rows as aligned columns under their headings, or `empty` when there are no rows. */
export function tableOf<Row extends object>(
  rows: readonly Row[],
  headings: Headings<Row>,
  empty: string,
): string {
  if (rows.length === 0) return empty
  const columns = Object.keys(headings) as (keyof Row & string)[]
  const head = columns.map((column) => headings[column] ?? column)
  const lines = [head, ...rows.map((row) => columns.map((column) => cellOf(row[column])))]
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at].length)))
  const printed = lines.map((line) => line.map((cell, at) => cell.padEnd(widths[at])).join('  '))
  return printed.map((line) => line.trimEnd()).join('\n')
}

const ISO = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d\.\d{6}\+00:00$/

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  const text = `${value as string | number}`
  // A person reads a time to the minute; `--json` has all of it.
  const time = ISO.exec(isPrinted(text) ? isoWithOffset(text) : text)
  return time ? `${time[1]} ${time[2]} UTC` : text
}
