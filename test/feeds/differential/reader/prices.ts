import { round } from './money.ts'
import type { Table } from './table.ts'
import { readNumber, signIn } from './values.ts'
import { type Columns, currencyOf } from './which-column.ts'

/** How a file states prices. */
export interface PriceReading {
  isUnsure: boolean
  /** In US dollars, or null without a price. */
  of(row: string[], weight: number): { perCarat: string; total: string } | null
}

/** Prices of so many stones show by their growth with weight what they mean. */
const STONES_MIN = 50

export function readPrices(
  sheet: Table,
  columns: Columns,
  decimal: '.' | ',',
  rates: Readonly<Record<string, number>>,
): PriceReading {
  const at = (field: string) => columns.get(field)
  const number = (row: string[], field: string) => {
    const column = at(field)
    return column === undefined ? null : readNumber(row[column] ?? '', decimal)
  }
  const both = at('perCarat') !== undefined && at('perCarat') === at('total')
  const meaning = both ? meaningOf(sheet, columns, decimal) : null
  const main = at('total') ?? at('perCarat') ?? at('list')
  const share = discountScale(sheet, columns, decimal)
  return {
    isUnsure: both && meaning === null,
    of(row, weight) {
      const given = {
        perCarat: meaning === 'total' ? null : number(row, 'perCarat'),
        total: meaning === 'per carat' ? null : number(row, 'total'),
      }
      const amount = amountOf(given, weight, () => {
        const [list, discount] = [number(row, 'list'), number(row, 'discount')]
        return list === null || discount === null ? null : list * (1 - discount * share)
      })
      if (amount === null || main === undefined) return null
      const currency = signIn(row[main] ?? '') ?? currencyOf(sheet, main) ?? 'USD'
      const usd = (value: number) => round(value / rates[currency], 2).toFixed(2)
      return { perCarat: usd(amount.perCarat), total: usd(amount.total) }
    },
  }
}

function amountOf(
  { perCarat, total }: { perCarat: number | null; total: number | null },
  weight: number,
  fromList: () => number | null,
) {
  if (total === 0 || perCarat === 0) return null
  if (perCarat !== null) return { perCarat, total: total ?? perCarat * weight }
  if (total !== null) return { perCarat: total / weight, total }
  const net = fromList()
  return net === null || net <= 0 ? null : { perCarat: net, total: net * weight }
}

/** By what a cell is multiplied to be the share below the list price. */
function discountScale(sheet: Table, columns: Columns, decimal: '.' | ','): number {
  const column = columns.get('discount')
  if (column === undefined) return 0
  const cells = sheet.rows
    .map((row) => readNumber(row[column] ?? '', decimal))
    .filter((value) => value !== null && value !== 0) as number[]
  const isShare = cells.every((value) => Math.abs(value) <= 1)
  const isNegative = cells.filter((value) => value < 0).length * 2 > cells.length
  return (isShare ? 1 : 0.01) * (isNegative ? -1 : 1)
}

/** A price per carat grows slower than the weight, a total faster. */
function meaningOf(sheet: Table, columns: Columns, decimal: '.' | ',') {
  const [price, weight] = [columns.get('perCarat') ?? 0, columns.get('weight') ?? 0]
  const points = sheet.rows
    .map((row) => [row[weight], row[price]].map((cell) => readNumber(cell ?? '', decimal) ?? 0))
    .filter((pair) => pair.every((value) => value > 0))
    .map((pair) => pair.map(Math.log))
  if (points.length < STONES_MIN) return null
  const mean = (axis: number) => points.reduce((sum, point) => sum + point[axis], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const slope =
    points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) /
    points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  return slope > 1.45 ? 'total' : slope < 1.15 ? 'per carat' : null
}
