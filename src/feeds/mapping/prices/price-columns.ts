import type { RawRow } from '../../reading/raw-row.ts'
import { currencyOfHeader } from '../../values/currency.ts'
import { MINED_PER_CARAT_USD } from '../../values/price-scale.ts'
import type { FieldName } from '../fields.ts'
import { isSurelyNamed } from '../header-names.ts'
import type { FeedMapping, PriceColumn, PriceMeaning } from '../mapping.ts'
import { hasWeight } from '../mapping.ts'
import { dropOtherCurrency } from './currency-column.ts'
import { decideListColumn, findNetPrice } from './list-evidence.ts'
import {
  agreeAtOneCarat,
  grownShare,
  minedLevelOf,
  type PricedRow,
  type Proof,
  pricedRows,
  proveByList,
  proveByWeight,
  slopeOf,
} from './price-evidence.ts'

const FIELD_OF: Record<PriceMeaning, FieldName> = {
  total: 'total_price',
  'per carat': 'price_per_carat',
}

/**
 * Returns what one unit of a price column is worth, for the currency that its header names, or for
 * the supplier's: without a currency, the level of prices cannot be judged.
 */
export type DollarsPerUnit = (namedCurrency: string | undefined) => number

/**
 * Decides whether a price column holds prices per carat or of whole stones, because headers are
 * often wrong or unclear about it. Proof by another column comes first, then a clear name, then how
 * the prices grow with weight. What none of these decides stays unsure, and the import asks.
 */
export function decidePriceColumns(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  dollarsPerUnit: DollarsPerUnit,
): void {
  dropOtherCurrency(mapping, sample)
  const { price_per_carat: perCarat, total_price: total } = mapping.at
  if (!hasWeight(mapping)) return
  const isFixed = (at: number | undefined) => at !== undefined && mapping.decisions.has(at)
  if (isFixed(perCarat) || isFixed(total)) {
    fixPrice(mapping)
    return
  }
  decideMeanings(mapping, sample, dollarsPerUnit)
  decideListColumn(mapping, sample)
  const priceAt = mapping.at.total_price ?? mapping.at.price_per_carat
  const netAt = priceAt === undefined ? undefined : findNetPrice(mapping, sample, priceAt)
  if (priceAt === undefined || netAt === undefined) return
  mapping.rival = { at: priceAt, otherAt: netAt, difference: 'is lower by the discount' }
}

function decideMeanings(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  dollarsPerUnit: DollarsPerUnit,
): void {
  const { price_per_carat: perCarat, total_price: total } = mapping.at
  if (perCarat !== undefined && total !== undefined)
    decideTwo(mapping, sample, perCarat, total, dollarsPerUnit)
  else if (perCarat !== undefined || total !== undefined) {
    decideOne(mapping, sample, (perCarat ?? total) as number, dollarsPerUnit)
  }
}

/** The operator's mapping says what the only price column is. */
function fixPrice(mapping: FeedMapping): void {
  const { price_per_carat: perCarat, total_price: total } = mapping.at
  if (perCarat !== undefined && total !== undefined) return
  const meaning = total === undefined ? 'per carat' : 'total'
  mapping.price = { at: (perCarat ?? total) as number, meaning, basis: 'mapping', examples: [] }
}

/** Gives the only price column the meaning that the operator or an earlier file settled. */
export function setPriceMeaning(mapping: FeedMapping, meaning: PriceMeaning, reason: string): void {
  if (mapping.price === undefined) return
  assign(mapping, mapping.price.at, FIELD_OF[meaning], 1, reason)
  mapping.price = { ...mapping.price, meaning, basis: 'settled' }
}

function decideTwo(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  perCarat: number,
  total: number,
  dollarsPerUnit: DollarsPerUnit,
): void {
  const rows = pricedRows(mapping, sample, perCarat)
  const priced = pricedRows(mapping, sample, total)
  if (priced.length === 0 && rows.length > 0) {
    dropColumn(mapping, total, `has no prices; ${mapping.columns[perCarat].column} is used`)
    decideOne(mapping, sample, perCarat, dollarsPerUnit)
    return
  }
  // Each row has its price in one of the two columns, which cannot contradict each other then.
  const known = new Set(priced.map(({ cells }) => cells))
  const isEither = !rows.some(({ cells }) => known.has(cells))
  if (isEither && hasClearNames(mapping, perCarat, total)) return
  const proof = proveByWeight(mapping, rows, perCarat)
  if (proof?.partnerAt === total) {
    const reason = `proved by ${agreement(proof)}`
    const isSwapped = proof.meaning === 'total'
    const swapped = isSwapped ? 'the names are swapped: ' : ''
    assign(mapping, isSwapped ? total : perCarat, 'price_per_carat', 1, swapped + reason)
    assign(mapping, isSwapped ? perCarat : total, 'total_price', 1, swapped + reason)
    return
  }
  if (proof === undefined && agreeAtOneCarat(mapping, rows, total)) return
  // The two prices do not belong together: the one with the better name is judged alone.
  const isTotalBetter = mapping.columns[total].confidence > mapping.columns[perCarat].confidence
  const [keep, drop] = isTotalBetter ? [total, perCarat] : [perCarat, total]
  const { column } = mapping.columns[keep]
  dropColumn(mapping, drop, `does not agree with ${column}, which is used as the price`)
  if (isRival(mapping, keep, drop)) {
    mapping.rival = { at: keep, otherAt: drop, difference: 'does not agree with it' }
  }
  decideOne(mapping, sample, keep, dollarsPerUnit)
}

function dropColumn(mapping: FeedMapping, at: number, reason: string): void {
  const dropped = mapping.columns[at]
  if (dropped.field) delete mapping.at[dropped.field]
  mapping.columns[at] = { ...dropped, field: null, confidence: 0.6, reason }
}

function hasClearNames({ columns }: FeedMapping, one: number, other: number): boolean {
  return [one, other].every((at) => clearMeaningOf(columns[at].column) !== undefined)
}

/** Whether both names are clear and their currency is the same, so that one of them is wrong. */
function isRival(mapping: FeedMapping, keep: number, drop: number): boolean {
  if (!hasClearNames(mapping, keep, drop)) return false
  const names = [mapping.columns[keep].column, mapping.columns[drop].column]
  const [one, other] = names.map(currencyOfHeader)
  return one === undefined || other === undefined || one === other
}

/** Statistics of fewer stones decide nothing. */
const STONES_MIN = 50

function decideOne(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  at: number,
  dollarsPerUnit: DollarsPerUnit,
): void {
  const rows = pricedRows(mapping, sample, at)
  const unitUsd = dollarsPerUnit(currencyOfHeader(mapping.columns[at].column))
  const named = mapping.columns[at]
  const clear = clearMeaningOf(named.column)
  const isNamedClearly = clear !== undefined
  const nameMeans = clear ?? (named.field === 'total_price' ? 'total' : 'per carat')
  const proof = proveByWeight(mapping, rows, at) ?? proveByList(mapping, rows)
  const decide = (column: Pick<PriceColumn, 'meaning' | 'basis'>, reason: string) => {
    const confidence = column.basis === 'unsure' ? 0.3 : column.basis === 'values' ? 0.9 : 1
    assign(mapping, at, FIELD_OF[column.meaning], confidence, reason)
    mapping.price = { at, ...column, examples: examplesOf(rows) }
  }
  if (proof) {
    const partner = mapping.columns[proof.partnerAt].column
    decide({ meaning: proof.meaning, basis: 'proof' }, `${agreement(proof)} with ${partner}`)
    return
  }
  const measured = rows.length >= STONES_MIN ? measure(rows, unitUsd) : undefined
  if (isNamedClearly && (measured === undefined || measured.meaning === nameMeans)) {
    decide({ meaning: nameMeans, basis: 'name' }, named.reason)
  } else if (isNamedClearly && measured) {
    const overrules =
      isPlausible(rows, measured.meaning, unitUsd) && !isPlausible(rows, nameMeans, unitUsd)
    const reason = `the name means ${nameMeans}, but ${measured.reason}`
    if (overrules) decide({ meaning: measured.meaning, basis: 'values' }, reason)
    else decide({ meaning: nameMeans, basis: 'unsure' }, reason)
  } else if (measured) {
    decide({ meaning: measured.meaning, basis: 'values' }, measured.reason)
  } else {
    decide({ meaning: nameMeans, basis: 'unsure' }, 'the name fits both meanings')
  }
}

/** Returns what the name says if it can only mean one thing, as `Price Per Carat` does. */
function clearMeaningOf(column: string): PriceMeaning | undefined {
  const isPerCarat = isSurelyNamed(column, 'price_per_carat')
  const isTotal = isSurelyNamed(column, 'total_price')
  if (isPerCarat === isTotal) return undefined
  return isTotal ? 'total' : 'per carat'
}

/**
 * Slopes of log price over log weight. Prices per carat grow like the weight for mined stones
 * (slope 1) and hardly for grown ones (0 to 0.3); totals grow by one more. Between these limits a
 * price per carat of mined stones and a total of grown ones look alike.
 */
const PER_CARAT_SLOPE_MAX = 0.5
const TOTAL_SLOPE_MIN = 1.65
const MINED_PER_CARAT_SLOPE_MAX = 1.35
const GROWN_TOTAL_SLOPE_MIN = 0.8
const GROWN_TOTAL_SLOPE_MAX = 1.5
const GROWN_SHARE_MIN = 0.9
const MINED_SHARE_MAX = 0.1

interface Measured {
  meaning: PriceMeaning
  reason: string
}

/** Decides by how prices grow with weight; undefined where both meanings are possible. */
function measure(rows: readonly PricedRow[], unitUsd: number): Measured | undefined {
  const slope = slopeOf(rows)
  if (slope === undefined) return undefined
  const power = `to the power of ${slope.toFixed(2)}`
  const growth = `the prices of ${rows.length} stones grow with weight ${power}`
  const grown = grownShare(rows)
  if (slope <= PER_CARAT_SLOPE_MAX) return { meaning: 'per carat', reason: growth }
  if (slope >= TOTAL_SLOPE_MIN && grown < GROWN_SHARE_MIN) {
    return { meaning: 'total', reason: growth }
  }
  const isGrownTotal = slope >= GROWN_TOTAL_SLOPE_MIN && slope <= GROWN_TOTAL_SLOPE_MAX
  if (grown >= GROWN_SHARE_MIN && isGrownTotal) {
    return { meaning: 'total', reason: `${growth}, and they are lab grown` }
  }
  const isMined = grown <= MINED_SHARE_MAX && slope <= MINED_PER_CARAT_SLOPE_MAX
  if (isMined && isPlausible(rows, 'per carat', unitUsd)) {
    return { meaning: 'per carat', reason: `${growth}, at the level of mined stones` }
  }
  return undefined
}

/** Further from the usual price, the column means something else or the stones are not mined. */
const LEVEL_FACTOR_MAX = 3

function isPlausible(rows: readonly PricedRow[], meaning: PriceMeaning, unitUsd: number): boolean {
  const factor = (minedLevelOf(rows, meaning) * unitUsd) / MINED_PER_CARAT_USD
  return factor <= LEVEL_FACTOR_MAX && factor >= 1 / LEVEL_FACTOR_MAX
}

const EXAMPLES = 3

/** The heaviest stones, for which the two readings differ most. */
function examplesOf(rows: readonly PricedRow[]): PriceColumn['examples'] {
  const heaviest = [...rows].sort((a, b) => b.weight - a.weight).slice(0, EXAMPLES)
  return heaviest.map(({ weight, price }) => ({ weight, price }))
}

function agreement({ meaning, agreeing, rows }: Proof): string {
  const product = meaning === 'total' ? 'a price per carat x weight' : 'price x weight'
  return `${product} agrees in ${agreeing} of ${rows} rows`
}

function assign(
  mapping: FeedMapping,
  at: number,
  field: FieldName,
  confidence: number,
  reason: string,
): void {
  const before = mapping.columns[at].field
  if (before && mapping.at[before] === at) delete mapping.at[before]
  mapping.columns[at] = { column: mapping.columns[at].column, field, confidence, reason }
  mapping.at[field] = at
}
