import type { Supplier } from '../../gems/supplier.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { DraftSettings } from '../drafting/draft-settings.ts'
import type { DiscountStyle } from '../drafting/learn-discount.ts'
import type { FieldName } from '../mapping/fields.ts'
import { type ColumnMapping, DECIDED, type PriceMeaning } from '../mapping/mapping.ts'
import { isPosition } from '../reading/header/find-header.ts'
import type { ShapeCodes } from '../values/shape-codes.ts'
import type { PriceLevel } from './checks/price-check.ts'

/**
 * What was understood of a supplier's file besides its rows. It is remembered for the supplier: the
 * next file is read the same way, because a small file alone cannot tell a price per carat from a
 * total, and a file that contradicts it is refused.
 */
export interface FileReading {
  /** The field of each column that was used, by the column's name. */
  columns: Record<string, FieldName>
  /** How many columns a file without a header has; absent for one with a header. */
  positions?: number
  /** Null for a file that has both prices, or only list price and discount. */
  price: PriceMeaning | null
  /** Whether the operator said what the price column holds. */
  price_settled: boolean
  discount: DiscountStyle
  shape_codes: ShapeCodes
  decimal_comma: boolean
  /** The currency of prices that name none themselves. */
  currency_code: string
  /** The levels of prices by kind, which single prices are compared with. */
  price_levels: PriceLevel[]
}

/** What was understood of the supplier's last file; undefined before its first import. */
export function learnedFrom({ reading }: Pick<Supplier, 'reading'>): FileReading | undefined {
  return (reading ?? undefined) as FileReading | undefined
}

/** Collects what was understood of a file. */
export function readingOf(settings: DraftSettings, price_levels: PriceLevel[]): FileReading {
  const { mapping, discount, shapeCodes } = settings
  const used = mapping.columns.flatMap(({ column, field, constant }) =>
    field && constant === undefined ? [[column, field]] : [],
  )
  const [header] = settings.headerCurrencies.values()
  const own = mapping.columns.filter(({ constant }) => constant === undefined)
  const isHeaderless = own.every(({ column }) => isPosition(column))
  return {
    columns: Object.fromEntries(used),
    ...(isHeaderless && { positions: own.length }),
    price: mapping.price?.meaning ?? null,
    price_settled: ['settled', 'mapping'].includes(mapping.price?.basis ?? ''),
    discount,
    shape_codes: shapeCodes,
    decimal_comma: mapping.style.decimalComma,
    currency_code: header ?? settings.currency,
    price_levels,
  }
}

/** Refuses a file that reads differently from the supplier's last one, naming every difference. */
export function checkReading(
  learned: FileReading | undefined,
  now: FileReading,
  columns: readonly ColumnMapping[],
): void {
  if (learned === undefined) return
  const differences = differencesOf(learned, now, columns)
  if (differences.length === 0) return
  const detail =
    `The file reads differently from the supplier's last one: ${differences.join('; ')}. ` +
    'If that is right, import it again with --relearn; nothing was changed.'
  throw new Refusal('reading_changed', detail, { extra: { differences } })
}

function differencesOf(
  learned: FileReading,
  now: FileReading,
  columns: readonly ColumnMapping[],
): string[] {
  const decided = new Set(columns.filter(isDecided).map(({ column }) => column))
  const found = columnDifferences(learned, now, columns, decided)
  const { positions } = learned
  if (positions !== undefined && now.positions !== undefined && positions !== now.positions) {
    found.push(`its rows had ${positions} columns without names and have ${now.positions} now`)
  }
  const priceColumn = priceColumnOf(now)
  const isSameColumn = priceColumnOf(learned) === priceColumn && !decided.has(priceColumn ?? '')
  if (isSameColumn && learned.price && now.price && learned.price !== now.price) {
    found.push(`prices were ${priceWords(learned.price)} and are now ${priceWords(now.price)}`)
  }
  if (usesDiscount(learned) && usesDiscount(now)) {
    if (differs(learned.discount.factor, now.discount.factor)) {
      found.push(`discounts were ${shareWords(learned)} and are now ${shareWords(now)}`)
    }
    if (differs(learned.discount.sign, now.discount.sign)) {
      const isShare = [learned, now].some(({ discount }) => discount.sign === 'of list')
      const share = 'one file has discounts, and the other shares of the list price'
      found.push(isShare ? share : 'discounts have the opposite sign')
    }
  }
  if (learned.decimal_comma !== now.decimal_comma) {
    found.push(`decimals were written with a ${signOf(learned)} and are now with a ${signOf(now)}`)
  }
  if (learned.currency_code !== now.currency_code) {
    found.push(`prices were in ${learned.currency_code} and are now in ${now.currency_code}`)
  }
  return found
}

function columnDifferences(
  learned: FileReading,
  now: FileReading,
  columns: readonly ColumnMapping[],
  decided: ReadonlySet<string>,
): string[] {
  const present = new Set(columns.map(({ column }) => column))
  const before = new Map(Object.entries(learned.columns))
  const after = new Map(Object.entries(now.columns))
  return [...before].flatMap(([column, field]) => {
    const read = after.get(column)
    const isPrice = PRICES.has(field) && (read === undefined || PRICES.has(read))
    if (!present.has(column) || decided.has(column) || read === field || isPrice) return []
    const meaning = read === undefined ? 'its values no longer fit' : `it looks like ${read}`
    return [`${JSON.stringify(column)} was ${field}, and ${meaning}`]
  })
}

/** What the mapping says may differ from the last file. */
function isDecided({ reason }: ColumnMapping): boolean {
  return reason === DECIDED.chosen || reason === DECIDED.ignored || reason === DECIDED.unused
}

const PRICES: ReadonlySet<FieldName> = new Set<FieldName>(['price_per_carat', 'total_price'])

/** The only price column of a reading, or the first of two. */
function priceColumnOf({ columns }: FileReading): string | undefined {
  return Object.entries(columns).find(([, field]) => PRICES.has(field))?.[0]
}

/** What a file does not tell cannot contradict another. */
const differs = <Value>(before: Value | null, now: Value | null) =>
  before !== null && now !== null && before !== now

const usesDiscount = ({ columns }: FileReading) =>
  Object.values(columns).includes('discount_percentage')
const priceWords = (price: PriceMeaning) => (price === 'total' ? 'per stone' : 'per carat')
const shareWords = ({ discount }: FileReading) =>
  discount.factor === 1 ? 'percentages' : 'fractions'
const signOf = ({ decimal_comma }: FileReading) => (decimal_comma ? 'comma' : 'point')
