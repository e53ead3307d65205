/** What a file itself says about its price column: pure functions over a sample of its rows. */
import { type RawRow, textAt } from '../../reading/raw-row.ts'
import { readColor } from '../../values/color.ts'
import { readClarity } from '../../values/grades.ts'
import { readNumber, readPositive } from '../../values/numbers.ts'
import { readCarats, weightOfStones } from '../../values/parcel-words.ts'
import { gradeScaleOf } from '../../values/price-scale.ts'
import type { FeedMapping, PriceMeaning } from '../mapping.ts'

/** A priced row of the sample. */
export interface PricedRow {
  cells: string[]
  weight: number
  price: number
  /** The price of a stone of these grades, relative to a G VS2 of the same weight. */
  grades: number
}

/** Returns the rows of the sample that have a weight and a price, or the first `max` of them. */
export function pricedRows(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  priceAt: number,
  max = sample.length,
): PricedRow[] {
  const rows: PricedRow[] = []
  for (const { cells } of sample) {
    if (rows.length >= max) break
    const row = pricedRow(mapping, cells, priceAt)
    if (row !== undefined) rows.push(row)
  }
  return rows
}

function pricedRow(
  { at, style }: FeedMapping,
  cells: string[],
  priceAt: number,
): PricedRow | undefined {
  const weight =
    readCarats(textAt(cells, at.weight), style) ??
    weightOfStones(textAt(cells, at.average_weight), textAt(cells, at.parcel_stones), style)
  const price = readPositive(textAt(cells, priceAt), style)
  if (weight === undefined || price === undefined) return undefined
  // A line of totals has no shape.
  if (at.shape !== undefined && textAt(cells, at.shape) === '') return undefined
  const color = readColor(textAt(cells, at.color))
  const clarity = readClarity(textAt(cells, at.clarity))?.clarity
  const grades = gradeScaleOf({
    is_fancy: color?.is_fancy ?? false,
    color: color?.is_fancy === false ? color.color : null,
    clarity: clarity === 'SI3' ? 'SI2' : (clarity ?? null),
  })
  return { cells, weight, price, grades }
}

/** Near one carat, a price per carat and a total are the same number and prove nothing. */
export const WEIGHT_LOG_MIN = 0.05
/** Fewer rows could agree by chance. */
export const PROOF_ROWS_MIN = 3
export const PROOF_ROWS_MAX = 200
export const PROOF_SHARE_MIN = 0.8

export interface Proof {
  meaning: PriceMeaning
  /** The column that the prices agree with. */
  partnerAt: number
  agreeing: number
  rows: number
}

/**
 * Looks for a column that is the price times the weight, or the weight times which is the price.
 * Whatever the columns are called, this proves what the price is.
 */
export function proveByWeight(
  mapping: FeedMapping,
  rows: readonly PricedRow[],
  priceAt: number,
): Proof | undefined {
  const telling = rows.filter(({ weight }) => Math.abs(Math.log(weight)) >= WEIGHT_LOG_MIN)
  const checked = telling.slice(0, PROOF_ROWS_MAX)
  let best: Proof | undefined
  for (const partnerAt of mapping.columns.keys()) {
    if (partnerAt === priceAt || partnerAt === mapping.at.weight) continue
    for (const proof of proofsWith(mapping, checked, partnerAt)) {
      if (best === undefined || proof.agreeing > best.agreeing) best = proof
    }
  }
  return best
}

function proofsWith(
  { columns, style }: FeedMapping,
  rows: readonly PricedRow[],
  partnerAt: number,
): Proof[] {
  let both = 0
  let perCarat = 0
  let total = 0
  for (const { cells, weight, price } of rows) {
    const other = readPositive(textAt(cells, partnerAt), style)
    if (other === undefined) continue
    both++
    if (isProduct(price, weight, other)) perCarat++
    if (isProduct(other, weight, price)) total++
  }
  const { field } = columns[partnerAt]
  const isPrice = field === 'price_per_carat' || field === 'total_price'
  const needed = Math.max(isPrice ? 1 : PROOF_ROWS_MIN, Math.ceil(both * PROOF_SHARE_MIN))
  const found = (meaning: PriceMeaning, agreeing: number): Proof[] =>
    agreeing >= needed ? [{ meaning, partnerAt, agreeing, rows: both }] : []
  return [...found('per carat', perCarat), ...found('total', total)]
}

/**
 * Returns whether all stones weigh about one carat and the two prices fit each other as they are
 * named: they cannot be told apart by weight then, and need not be.
 */
export function agreeAtOneCarat(
  { style }: FeedMapping,
  rows: readonly PricedRow[],
  totalAt: number,
): boolean {
  return rows.every(({ cells, weight, price }) => {
    const total = readPositive(textAt(cells, totalAt), style)
    const isTelling = Math.abs(Math.log(weight)) >= WEIGHT_LOG_MIN
    return !isTelling && (total === undefined || isProduct(price, weight, total))
  })
}

/** Half a percent covers weights and prices per carat that were rounded before they were listed. */
export function isProduct(perCarat: number, weight: number, total: number): boolean {
  return Math.abs(perCarat * weight - total) <= Math.max(0.005 * total, 0.6)
}

/** A discount as a share of the list price: 30, -30 and 0.3 are all three tenths. */
export function shareOfDiscount(discount: number): number {
  return Math.abs(discount) / (Math.abs(discount) <= 1 ? 1 : 100)
}

/** What is left of a list price below or above it, or if the number says what is left. */
export function leftBy(share: number): [below: number, above: number, itself: number] {
  return [1 - share, 1 + share, share]
}

/**
 * Compares the price with the list price and the discount from it. List prices are per carat, so a
 * price that is the list price less the discount is per carat as well.
 */
export function proveByList(
  { at, style }: FeedMapping,
  rows: readonly PricedRow[],
): Proof | undefined {
  const { list_price: listAt, discount_percentage: discountAt } = at
  if (listAt === undefined || discountAt === undefined) return undefined
  let both = 0
  let perCarat = 0
  let total = 0
  for (const { cells, weight, price } of rows.slice(0, PROOF_ROWS_MAX)) {
    const list = readPositive(textAt(cells, listAt), style)
    const discount = readNumber(textAt(cells, discountAt), style)
    if (list === undefined || !discount || Math.abs(Math.log(weight)) < WEIGHT_LOG_MIN) continue
    both++
    const discounted = leftBy(shareOfDiscount(discount)).map((left) => list * left)
    if (discounted.some((value) => isProduct(value, 1, price))) perCarat++
    if (discounted.some((value) => isProduct(value, weight, price))) total++
  }
  const needed = Math.max(PROOF_ROWS_MIN, Math.ceil(both * PROOF_SHARE_MIN))
  if (perCarat >= needed)
    return { meaning: 'per carat', partnerAt: listAt, agreeing: perCarat, rows: both }
  return total >= needed
    ? { meaning: 'total', partnerAt: listAt, agreeing: total, rows: both }
    : undefined
}

/** With stones of about one weight, the slope means nothing. */
const WEIGHT_SPREAD_MIN = 0.12
const PAIRS_MIN = 200
const POINTS_MAX = 400

/**
 * The slope of log price over log weight, for stones of equal grades, by the Theil-Sen estimator:
 * as a median over pairs it is not affected by outliers. Undefined when the weights are too alike.
 */
export function slopeOf(rows: readonly PricedRow[]): number | undefined {
  const logs = rows
    .slice(0, POINTS_MAX)
    .map(({ weight, price, grades }) => [Math.log(weight), Math.log(price / grades)])
  const slopes = new Float64Array((logs.length * (logs.length - 1)) / 2)
  let count = 0
  for (let a = 0; a < logs.length; a++) {
    for (let b = a + 1; b < logs.length; b++) {
      const run = logs[b][0] - logs[a][0]
      if (Math.abs(run) >= WEIGHT_SPREAD_MIN) slopes[count++] = (logs[b][1] - logs[a][1]) / run
    }
  }
  if (count < PAIRS_MIN) return undefined
  return medianOf(slopes.subarray(0, count))
}

/** The median price of a carat of a one carat G VS2, if the column means this and is mined. */
export function minedLevelOf(rows: readonly PricedRow[], meaning: PriceMeaning): number {
  return medianOf(
    rows.map(({ weight, price, grades }) => {
      const perCarat = meaning === 'total' ? price / weight : price
      return perCarat / weight / grades
    }),
  )
}

function medianOf(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[sorted.length >> 1] ?? 0
}

const GROWN_SIGN = /\b(CVD|HPHT|LAB[\s-]?(GROWN|CREATED)|LGD?)\b|\bLG\d{6}/i

/** The share of rows with any sign of laboratory growth, in any column. */
export function grownShare(rows: readonly PricedRow[]): number {
  if (rows.length === 0) return 0
  const grown = rows.filter(({ cells }) => cells.some((cell) => GROWN_SIGN.test(cell)))
  return grown.length / rows.length
}
