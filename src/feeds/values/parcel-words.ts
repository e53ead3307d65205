import { type NumberStyle, readCount, readPositive, roundTo } from './numbers.ts'
import { readFlag } from './spelling.ts'

const PARCEL = /(?<![A-Z])(?:PARCELS?|MEL+EES?|MIXED LOT)(?![A-Z])/i
const NO_PARCEL = /(?<![A-Z])(?:NO|NON|NOT)\W+(?:AN? )?(?:PARCEL|MEL+EE)/i
/** Columns that say what a row sells; a remark may name the parcel that a stone comes from. */
const KIND = /type|category|kind|class|group|shape|product|item.?name|single|department/i
const PARCEL_FLAG = /^(?:is.?)?(?:parcel|mel+ee)s?(?:.?flag)?$/i
const SIEVE_COLUMN = /s(?:ie|ei)ve|chalni/i
/** Longer texts are remarks. */
const KIND_CHARS_MAX = 60

/** Returns whether a cell says that its row is a parcel: `Melee` in `Lot Type`, `Is Parcel` yes. */
export function saysParcel(column: string, text: string): boolean {
  if (text === '' || text.length > KIND_CHARS_MAX) return false
  if (PARCEL.test(text)) return KIND.test(column) && !NO_PARCEL.test(text)
  // Only melee is sieved.
  if (SIEVE_COLUMN.test(column)) return /\d/.test(text) && SIEVE.test(text.trim())
  return PARCEL_FLAG.test(column) && readFlag(text) === true
}

/** Stones of this weight and more are not sold by an average weight. */
const EACH_CARATS_MAX = 5

/** Reads a weight: `1.01`, `1.01 ct`, `101 pts`. A fraction like `1/2` stands for many weights. */
export function readCarats(text: string, style: NumberStyle): number | undefined {
  const carats = readPositive(text, style)
  if (carats !== undefined) return carats
  const points = POINTS.exec(text)
  return points ? Number(points[1].replace(',', '.')) / 100 : undefined
}

/** Reads the weight of each stone: `0.02`, `1/10`, `10 pts`; of `0.03-0.07` the middle. */
export function readCaratsEach(text: string, style: NumberStyle): number | undefined {
  const carats = eachIn(text.trim(), style)
  return carats !== undefined && carats <= EACH_CARATS_MAX ? carats : undefined
}

/** The weight of a parcel of which a list has only that of one stone, and their number. */
export function weightOfStones(
  each: string,
  stones: string,
  style: NumberStyle,
): number | undefined {
  const carats = readCaratsEach(each, style)
  const count = readCount(stones)
  return carats === undefined || count === undefined ? undefined : roundTo(carats * count, 4)
}

const FRACTION = /^1\s?\/\s?(\d{1,3})(?:\s?CTS?\.?)?$/i
const POINTS = /^(\d{1,3}(?:[.,]\d)?)\s?-?(?:PTS?|POINTS?|POINTERS?)\.?$/i
const RANGE = /^([\d.,]+)\s*(?:-|–|TO)\s*([\d.,]+)\s*(?:CTS?\.?)?$/i

function eachIn(text: string, style: NumberStyle): number | undefined {
  const fraction = FRACTION.exec(text)
  if (fraction) return Number(fraction[1]) > 0 ? 1 / Number(fraction[1]) : undefined
  const range = RANGE.exec(text)
  if (!range) return readCarats(text, style)
  const from = readPositive(range[1], style)
  const to = readPositive(range[2], style)
  return from === undefined || to === undefined ? undefined : (from + to) / 2
}

/** `+6.5-8`, `+2`, `-2`, `000-2`, `#6.5`: sieves, which are numbered and not in millimetres. */
const SIEVE = new RegExp(
  '^(?:(?:SIEVE\\W*|[+#-]\\s*)\\d+(?:\\.\\d)?|0{2,4})' +
    '(?:\\s*(?:[-–/+]|TO)\\s*[+-]?\\s*\\d+(?:\\.\\d)?)?$',
  'i',
)
/** No side of a stone is shorter, in millimetres: a smaller size is a weight. */
const SIDE_MM_MIN = 0.3

/** Returns the weight that names the size of stones: a fraction, points, or too few for a side. */
export function caratsOfSize(text: string, style: NumberStyle): number | undefined {
  const trimmed = text.trim()
  const each = readCaratsEach(trimmed, style)
  const isWeight = FRACTION.test(trimmed) || POINTS.test(trimmed) || /CTS?\.?$/i.test(trimmed)
  return each !== undefined && (isWeight || each < SIDE_MM_MIN) ? each : undefined
}

/** Returns whether a size is a sieve or a weight, and not in millimetres. */
export function isOtherSize(text: string, style: NumberStyle): boolean {
  return SIEVE.test(text.trim()) || caratsOfSize(text, style) !== undefined
}
