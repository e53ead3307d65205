import { type NumberStyle, readNumber } from './numbers.ts'
import { isOtherSize } from './parcel-words.ts'

/** Millimetres, the longer side first; a side that the feed does not give is undefined. */
export interface Measurements {
  length: number | undefined
  width: number | undefined
  depth: number | undefined
  /** A third number that can only be a percentage is the depth in percent. */
  depth_percentage: number | undefined
}

/** No stone is longer. */
export const SIDE_MM_MAX = 100
const PERCENT_MIN = 30

/** Reads `6.50 x 6.53 x 4.01`, `6.50-6.53X4.01`, `6.5*6.4*4`, `6,50 x 6,53 x 4,01 mm` etc. */
export function readMeasurements(text: string, style: NumberStyle): Measurements | undefined {
  const hasPoints = text.includes('.')
  const decimalComma = !hasPoints && (style.decimalComma || /\d,\d{1,2}\D/.test(`${text} `))
  const pattern = decimalComma ? /\d+(?:,\d+)?/g : /\d*\.\d+|\d+/g
  const found = text.match(pattern)
  if (found?.length === SIDES_OF_PAIR) return readPairSides(text, style)
  if (!found || found.length < 2 || found.length > 3) return undefined
  // Only two numbers may be a sieve, and the expressions cost as much as reading the sides.
  if (found.length === 2 && isOtherSize(text, style)) return undefined
  const numbers = found.map((digits) => Number(digits.replace(',', '.')))
  // `7.80x5.70x0` says nothing about the depth, as `7.80x5.70xXX` does not.
  if (numbers.length === 3 && numbers[2] === 0) numbers.pop()
  if (numbers.some((number) => !(number > 0) || number > SIDE_MM_MAX)) return undefined
  return orderMeasurements(numbers[0], numbers[1], numbers[2])
}

/** Both stones of a pair in one cell: `6.50x6.52x4.01 / 6.48x6.51x4.00`. */
const SIDES_OF_PAIR = 6
const BETWEEN_STONES = /\s*[/;&|+\n]\s*|\s+and\s+|,\s+/i
/** The stones of a pair differ by less. */
const PAIR_FACTOR_MAX = 1.1

/** Reads the sides of the first stone of a pair, where those of the second are nearly the same. */
function readPairSides(text: string, style: NumberStyle): Measurements | undefined {
  const parts = text.split(BETWEEN_STONES)
  // Parts are shorter than the text: of one part, this would not end.
  if (parts.length !== 2) return undefined
  const [first, second] = parts.map((part) => readMeasurements(part, style))
  if (!first || !second) return undefined
  const isAlike = (['length', 'width', 'depth'] as const).every((side) => {
    const [one = 0, other = 0] = [first[side], second[side]]
    return Math.max(one, other) <= Math.min(one, other) * PAIR_FACTOR_MAX
  })
  return isAlike ? first : undefined
}

/** Stones of a parcel are neither smaller nor larger than this. */
const PARCEL_MM_MIN = 0.3
const PARCEL_MM_MAX = 30

/** Reads the one side that names the size of a parcel: `1.3`, `1.25 mm`, `Ø 1,5`. */
export function readParcelSize(text: string, style: NumberStyle): number | undefined {
  const match = /^[øØ⌀]?\s*(\d{0,2}(?:[.,]\d{1,3})?|\d{1,2}[.,])\s*(?:mm\.?)?$/i.exec(text.trim())
  if (!match || match[1] === '') return undefined
  if (match[1].includes(',') && !style.decimalComma && /,\d{3}$/.test(match[1])) return undefined
  const size = Number(match[1].replace(',', '.'))
  return size >= PARCEL_MM_MIN && size <= PARCEL_MM_MAX ? size : undefined
}

/** How much the stones of a parcel may be larger or smaller than its size, in millimetres. */
export interface Tolerance {
  tolerance_positive: number | null
  tolerance_negative: number | null
}

const TOLERANCE_MM_MAX = 10

/** Reads one tolerance without its sign: `0.05`, `-0.05 mm`, `+0,05`. */
export function readTolerance(text: string, style: NumberStyle): number | undefined {
  const value = Math.abs(readNumber(text.replace(/^[±+]\s*/, ''), style) ?? Number.NaN)
  return value <= TOLERANCE_MM_MAX ? value : undefined
}

/** Reads both from one cell: `0.05` and `± 0.05` are the same up and down, `+0.05/-0.03` is not. */
export function readTolerances(text: string, style: NumberStyle): Tolerance | undefined {
  const parts = text.split(/\/|\s(?=[+-])|(?<=\d)(?=[+-])/).filter((part) => part.trim() !== '')
  const [up, down = up] = parts
    .toSorted((a, b) => Number(a.includes('-')) - Number(b.includes('-')))
    .map((part) => readTolerance(part.trim(), style))
  if (parts.length > 2 || up === undefined || down === undefined) return undefined
  return { tolerance_positive: up, tolerance_negative: down }
}

/** Puts the longer side first: some suppliers write the width before the length. */
export function orderMeasurements(
  first: number | undefined,
  second: number | undefined,
  third: number | undefined,
): Measurements {
  const isPercent = third !== undefined && third >= PERCENT_MIN && third > 2 * (first ?? 0)
  const isSwapped = first !== undefined && second !== undefined && first < second
  return {
    length: isSwapped ? second : first,
    width: isSwapped ? first : second,
    depth: isPercent ? undefined : third,
    depth_percentage: isPercent ? third : undefined,
  }
}

/** A brilliant of one carat is 6.5 mm wide; weight grows with the cube of the width. */
const CARAT_DIAMETER_MM = 6.5

/** Returns the diameter of a round stone of this weight in millimetres, to two decimals. */
export function roundDiameterOf(weightCarats: number): number {
  return Math.max(0.01, Math.round(CARAT_DIAMETER_MM * Math.cbrt(weightCarats) * 100) / 100)
}

/** Returns the weight in carats of a round stone of this diameter. */
export function roundWeightOf(diameterMm: number): number {
  return (diameterMm / CARAT_DIAMETER_MM) ** 3
}

/** Carats per cubic millimetre of length x width x depth; every cut is well within the bounds. */
const DENSITY_MIN = 0.0025
const DENSITY_MAX = 0.0135

/** Returns whether a diamond with these sides can have this weight. */
export function fitsWeight(measurements: Measurements, weightCarats: number): boolean {
  const { length, width, depth } = measurements
  if (length === undefined || width === undefined || depth === undefined) return true
  const density = weightCarats / (length * width * depth)
  return density >= DENSITY_MIN && density <= DENSITY_MAX
}
