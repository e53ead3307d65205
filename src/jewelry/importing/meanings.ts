/** Decides what the columns of a file are: by their names, by each other and by their values. */
import {
  ATTRIBUTE_PREFIX,
  bare,
  type ColumnMeaning,
  meaningOf,
  OPTION_PREFIX,
  plainName,
} from './columns.ts'
import type { JewelryFile } from './reading/kept-rows.ts'

/** Beside a column with one of these names, a plain `Price` is what the customers of a shop pay. */
const OWN_PRICES: ReadonlySet<string> = new Set(['wholesale price', 'net price'].map(bare))
/** A plain `Price` beside it may be that of a sale, which has a column of its own. */
const REGULAR_PRICE = bare('regular price')

/** Leaves only the prices that the supplier is paid, where a file has others as well. */
function dropShopPrices(meanings: Map<string, ColumnMeaning>): void {
  const prices = [...meanings].filter(([, meaning]) => meaning === 'price')
  const named = (column: string) => bare(plainName(column))
  const hasRegular = prices.some(([column]) => named(column) === REGULAR_PRICE)
  const isOwn = (column: string) =>
    OWN_PRICES.has(named(column)) || (hasRegular && named(column) === REGULAR_PRICE)
  if (!prices.some(([column]) => isOwn(column))) return
  for (const [column] of prices) if (!isOwn(column)) meanings.delete(column)
}

/** `R-1042` and `88231`, but not `Halo`, `3-stone` or `1920s`. */
const STYLE_CODE = /^(?=[^\d]{0,8}\d{2})[A-Z\d][A-Z\d./_-]{1,39}(?<!\ds)$/i

/** A column `Style` of nothing but codes has the numbers of designs. */
function nameStyleNumbers(meanings: Map<string, ColumnMeaning>, rows: JewelryFile['rows']): void {
  const hasParent = [...meanings.values()].includes('parent_vendor_sku')
  for (const [column, meaning] of meanings) {
    if (meaning !== 'style') continue
    const texts = rows.flatMap(({ cells }) => cells.get(column) ?? [])
    if (texts.length === 0 || !texts.every((text) => STYLE_CODE.test(text))) continue
    meanings.set(column, hasParent ? 'details' : 'parent_vendor_sku')
    return
  }
}

/** `In stock` of 0, 3 and 12 is how many there are; a status of 2 may be any. */
function nameCounts(meanings: Map<string, ColumnMeaning>, rows: JewelryFile['rows']): void {
  if ([...meanings.values()].includes('quantity')) return
  for (const column of meanings.keys()) {
    if (!/^(?:instock|available)$/.test(bare(column))) continue
    const counts = rows.flatMap(({ cells }) => cells.get(column) ?? [])
    const isCount =
      counts.every((text) => /^\d{1,6}$/.test(text)) && counts.some((n) => Number(n) > 1)
    if (isCount) meanings.set(column, 'quantity')
  }
}

/** Whether a column says which rows are products and which are their variants. */
const ROW_TYPE =
  /^(simple|variable|variation|grouped|external|configurable|bundle|virtual|downloadable)\b/i

/**
 * Finds out what the columns are. In the export of one kind of shop, `Type` is the kind of row and
 * `Stock` a quantity, which elsewhere are the type of jewelry and the stock number.
 */
export function meaningsOf({ columns, rows }: JewelryFile): Map<string, ColumnMeaning> {
  const meanings = new Map<string, ColumnMeaning>()
  for (const column of columns) {
    const meaning = meaningOf(column)
    if (meaning !== undefined) meanings.set(column, meaning)
    else if (OPTION_PREFIX.test(column) || ATTRIBUTE_PREFIX.test(column)) {
      meanings.set(column, 'details')
    }
  }
  dropShopPrices(meanings)
  nameStyleNumbers(meanings, rows)
  nameCounts(meanings, rows)
  const types = columns.filter((column) => /^(?:product)?type$/.test(bare(column)))
  const typeColumn = types.find((column) => rows.some(({ cells }) => cells.has(column)))
  const hasRowTypes =
    typeColumn !== undefined &&
    rows.every(({ cells }) => ROW_TYPE.test(cells.get(typeColumn) ?? 'simple'))
  if (!hasRowTypes) return meanings
  meanings.set(typeColumn, 'row_type')
  const hasSku = columns.some((column) => bare(column) === 'sku')
  for (const column of columns) {
    if (hasSku && bare(column) === 'stock') meanings.set(column, 'quantity')
  }
  return meanings
}
