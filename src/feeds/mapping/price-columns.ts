import type { RawRow } from '../reading/raw-row.ts'
import { type NumberStyle, readPositive } from '../values/numbers.ts'
import type { FieldName } from './fields.ts'
import { type FeedMapping, percentOf } from './mapping.ts'

interface Point {
  weight: number
  price: number
}

/**
 * Decides whether a price column holds prices per carat or of whole stones, because headers are
 * often wrong about it. Two price columns check each other; a single one is judged by how its
 * prices grow with weight.
 */
export function decidePriceColumns(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  fixed: ReadonlySet<string>,
): void {
  const { price_per_carat: perCarat, total_price: total, weight } = mapping.at
  if (weight === undefined) return
  const isFixed = (index: number) => fixed.has(mapping.columns[index].column)
  if (perCarat !== undefined && total !== undefined) {
    if (!isFixed(perCarat) && !isFixed(total)) decideTwo(mapping, sample, weight, perCarat, total)
    return
  }
  const only = perCarat ?? total
  if (only === undefined || isFixed(only)) return
  decideOne(mapping, sample, weight, only)
}

const AGREEMENT_MIN = 0.6

function decideTwo(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  weightAt: number,
  perCarat: number,
  total: number,
): void {
  const { style } = mapping
  const triples = sample.flatMap(({ cells }) => {
    const weight = readPositive(cells[weightAt] ?? '', style)
    const first = readPositive(cells[perCarat] ?? '', style)
    const second = readPositive(cells[total] ?? '', style)
    return weight && first && second ? [{ weight, first, second }] : []
  })
  if (triples.length === 0) return
  const share = (agrees: (triple: (typeof triples)[number]) => boolean) =>
    triples.filter(agrees).length / triples.length
  const upright = share(({ weight, first, second }) => isNear(first * weight, second))
  const swapped = share(({ weight, first, second }) => isNear(second * weight, first))
  if (upright >= AGREEMENT_MIN && upright >= swapped) {
    const reason = `price per carat x weight is the total price in ${percentOf(upright)} of rows`
    assign(mapping, perCarat, 'price_per_carat', 1, reason)
    assign(mapping, total, 'total_price', 1, reason)
  } else if (swapped >= AGREEMENT_MIN) {
    const reason = `the two price columns are swapped, as ${percentOf(swapped)} of rows show`
    assign(mapping, total, 'price_per_carat', 0.9, reason)
    assign(mapping, perCarat, 'total_price', 0.9, reason)
  } else {
    dropOne(mapping, sample, weightAt, perCarat, total)
  }
}

/** The two prices do not belong together: the one with the better name is judged alone. */
function dropOne(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  weightAt: number,
  perCarat: number,
  total: number,
): void {
  const isTotalSurer = mapping.columns[total].confidence > mapping.columns[perCarat].confidence
  const [keep, drop] = isTotalSurer ? [total, perCarat] : [perCarat, total]
  const kept = mapping.columns[keep].column
  const reason = `does not agree with ${kept}, which is used as the price`
  const dropped = mapping.columns[drop].field
  mapping.columns[drop] = { ...mapping.columns[drop], field: null, confidence: 0.6, reason }
  if (dropped) delete mapping.at[dropped]
  decideOne(mapping, sample, weightAt, keep)
}

/** With fewer stones, or with stones of about one weight, the slope means nothing. */
const POINTS_MIN = 8
const SPREAD_MIN = 0.12
/**
 * Between these slopes of log price over log weight, both meanings occur: prices per carat of mined
 * stones rise with weight (slope about 1), and totals of lab grown stones rise little more.
 */
const SLOPE_PER_CARAT_MAX = 0.6
const SLOPE_TOTAL_MIN = 1.5

function decideOne(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  weightAt: number,
  priceAt: number,
): void {
  const points = pointsOf(sample, weightAt, priceAt, mapping.style)
  const named = mapping.columns[priceAt]
  const isNamedSurely = named.confidence >= 0.8
  const slope = slopeOf(points)
  const isTotal = named.field === 'total_price'
  if (slope === undefined) {
    if (!isNamedSurely) byName(mapping, priceAt, 'too few different weights to judge the prices')
    return
  }
  const growth = `it grows with weight to the power of ${slope.toFixed(2)}`
  // A clear name is overruled only by a slope that is impossible for its meaning.
  const perCaratMax = isNamedSurely && isTotal ? 0.35 : SLOPE_PER_CARAT_MAX
  const totalMin = isNamedSurely && !isTotal ? 1.75 : SLOPE_TOTAL_MIN
  if (slope <= perCaratMax) {
    assign(mapping, priceAt, 'price_per_carat', 0.9, `a price per carat: ${growth}`)
  } else if (slope >= totalMin) {
    assign(mapping, priceAt, 'total_price', 0.9, `a price per stone: ${growth}`)
  } else if (!isNamedSurely) {
    byRoundness(mapping, priceAt, points, growth)
  }
}

/** People quote round prices per carat; totals are the result of a multiplication. */
function byRoundness(mapping: FeedMapping, at: number, points: Point[], growth: string): void {
  const share = (isRound: (point: Point) => boolean) =>
    points.filter(isRound).length / points.length
  const priceRound = share(({ price }) => isWhole(price, 0))
  const quotientRound = share(({ price, weight }) => isWhole(price / weight, 0.006 / weight))
  if (quotientRound > priceRound + 0.3) {
    assign(mapping, at, 'total_price', 0.7, 'a price per stone: divided by weight it is round')
  } else {
    byName(mapping, at, `${growth}, which fits both meanings`)
  }
}

function byName(mapping: FeedMapping, at: number, why: string): void {
  const { field, column } = mapping.columns[at]
  const isTotal = field === 'total_price' && !PER_CARAT_BY_CUSTOM.test(column)
  const meaning = isTotal ? 'total_price' : 'price_per_carat'
  assign(mapping, at, meaning, 0.5, `${why}; a column with this name usually is ${meaning}`)
}

/** RapNet's format uses these bare names for a price per carat. */
const PER_CARAT_BY_CUSTOM = /^\s*(price|prc|px|rate|asking ?price|ap|cash ?price|price ?usd)\s*$/i

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

function pointsOf(
  sample: readonly RawRow[],
  weightAt: number,
  priceAt: number,
  style: NumberStyle,
): Point[] {
  return sample.flatMap(({ cells }) => {
    const weight = readPositive(cells[weightAt] ?? '', style)
    const price = readPositive(cells[priceAt] ?? '', style)
    return weight && price ? [{ weight, price }] : []
  })
}

/**
 * The slope of log price over log weight by the Theil-Sen estimator: as a median over pairs it is
 * not affected by outliers. Undefined when the weights are too few or too similar.
 */
function slopeOf(points: readonly Point[]): number | undefined {
  if (points.length < POINTS_MIN) return undefined
  const logs = points.slice(0, 400).map(({ weight, price }) => [Math.log(weight), Math.log(price)])
  const slopes: number[] = []
  for (let a = 0; a < logs.length; a++) {
    for (let b = a + 1; b < logs.length; b++) {
      const run = logs[b][0] - logs[a][0]
      if (Math.abs(run) >= SPREAD_MIN) slopes.push((logs[b][1] - logs[a][1]) / run)
    }
  }
  if (slopes.length < POINTS_MIN) return undefined
  slopes.sort((a, b) => a - b)
  return slopes[slopes.length >> 1]
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 0.015 * Math.max(a, b) + 1
}

function isWhole(value: number, tolerance: number): boolean {
  return Math.abs(value - Math.round(value)) <= Math.max(tolerance, 1e-9)
}
