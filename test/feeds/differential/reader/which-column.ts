import { currencyIn, fieldsOf } from './columns.ts'
import type { Table } from './table.ts'
import { readCut, readNumber, readShape } from './values.ts'

/** Where each field stands. */
export type Columns = Map<string, number>

const STONE = { ratio: null, density: null, hasCut: true }

/** Which of the meanings of a name its values have. */
function fits(field: string, header: string, cells: string[]): boolean {
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length === 0) return false
  const most = (test: (cell: string) => boolean) => filled.filter(test).length * 2 > filled.length
  if (field === 'cut') return most((cell) => readCut(cell) !== null)
  if (field === 'shape' && header.toLowerCase() === 'cut')
    return most((cell) => readShape(cell, STONE) !== null && readCut(cell) === null)
  if (field === 'depth' && header.toLowerCase() === 'depth')
    return most((cell) => (readNumber(cell.replace(',', '.'), '.') ?? 0) < 30)
  if (field === 'depthPercent') return most((cell) => Number(cell.replace(',', '.')) > 30)
  if (field === 'lab') return most((cell) => !/\d{5}/.test(cell))
  if (field === 'cert') return most((cell) => /\d{5}/.test(cell))
  return true
}

/** The first column of each meaning that has values. */
export function columnsOf({ headers, rows }: Table): Columns {
  const columns: Columns = new Map()
  headers.forEach((header, at) => {
    const cells = rows.map((row) => row[at] ?? '')
    for (const field of fieldsOf(header)) {
      if (columns.has(field) || !fits(field, header, cells)) continue
      columns.set(field, at)
    }
  })
  return columns
}

export const currencyOf = ({ headers }: Table, at: number) => currencyIn(headers[at])
