import type { RangeName } from '../search/query.ts'

/** A number as somebody types it, with what it may be a number of. */
interface Amount {
  value: number
  /** What its unit says; undefined without one. */
  unit: RangeName | undefined
  /** A currency that was named, as the symbol or code that was typed. */
  currency: string | undefined
  isThousands: boolean
}

/** What was said about one range: bounds of it, from `1-1.5 ct`, `under 9,000` or `F+`. */
export interface Bounds {
  name: RangeName
  min?: number
  max?: number
  currency: string | undefined
}

const NUMBER = "\\d(?:[\\d.,'’]*\\d)?"
const CURRENCY = '[$€£]|usd|eur|euros?|gbp|(?:us-)?dollars?|bucks'
const UNITS: readonly [pattern: string, name: RangeName][] = [
  [`(?:${CURRENCY})?\\s*(?:/|per|a|pro|je)\\s*(?:ct|carat|karat)`, 'price_per_carat'],
  ['-?(?:cts?|carats?|karat|karäter|crts?|c)(?![a-z])', 'weight'],
  ['-?(?:pts?|points?|pointers?|punkte?r?)(?![a-z])', 'weight'],
  ['(?:business |working )?(?:days?|(?:werk|arbeits)?tage?n?)(?![a-z])', 'delivery_days'],
  ['(?:mm|millimeter)(?![a-z])', 'length'],
]
const UNIT = UNITS.map(([pattern]) => pattern).join('|')
const AMOUNT = `(${CURRENCY})?\\s*(${NUMBER})\\s*(k|tsd\\.?|tausend|thousand)?`
const ONE = `${AMOUNT}\\s*(${UNIT}|${CURRENCY})?(?![a-z\\d])`

const UPPER =
  'under|below|less than|up to|at most|no more than|max(?:imum|\\.)?|within|<=?|≤|bis(?: zu)?|' +
  'unter|höchstens|maximal|weniger als|nicht (?:mehr als|über)|innerhalb von'
const LOWER =
  'over|above|more than|at least|no less than|min(?:imum|\\.)?|starting (?:at|from)|from|>=?|≥|' +
  'ab|über|mindestens|mehr als|nicht (?:weniger als|unter)'
const ABOUT = 'around|about|approx(?:imately|\\.)?|circa|ca\\.?|roughly|etwa|ungefähr|rund um|um|~'
const BETWEEN = '(?:between|from|zwischen|von)\\s+'
const TO = '\\s*(?:-|–|—|\\.\\.|to|and|bis|und)\\s*'
const MORE = '\\+|(?:or|and) (?:more|up|above|over)|plus|(?:oder|und) (?:mehr|darüber)|aufwärts'
const LESS = '(?:or|and) (?:less|below|under)|(?:oder|und) (?:weniger|darunter)|max(?![a-z])'

const sticky = (pattern: string) => new RegExp(pattern, 'iy')
const FORMS = {
  between: sticky(`(?:${BETWEEN})?${ONE}${TO}${ONE}`),
  upper: sticky(`(?:${UPPER})\\s*${ONE}`),
  lower: sticky(`(?:${LOWER})\\s*${ONE}`),
  about: sticky(`(?:${ABOUT})\\s*${ONE}`),
  more: sticky(`${ONE}\\s*(?:${MORE})`),
  less: sticky(`${ONE}\\s*(?:${LESS})`),
  alone: sticky(ONE),
} as const
type Form = keyof typeof FORMS

/** Numbers below this are carats when nothing else is said, others are prices. */
const WEIGHT_MAX = 50
/** `2 ct` finds stones up to so much heavier, `around 5,000` prices so far off. */
const NEAR = 0.1

/** Reads bounds at a position of the text, or returns undefined; `named` was said before them. */
export function readBounds(
  text: string,
  at: number,
  toNumber: (text: string) => number,
  named?: RangeName,
): { bounds: Bounds; length: number } | undefined {
  for (const form of Object.keys(FORMS) as Form[]) {
    const pattern = FORMS[form]
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match) continue
    const first = amountOf(match.slice(1, 5), toNumber)
    const second = form === 'between' ? amountOf(match.slice(5, 9), toNumber) : undefined
    if (!first || (form === 'between' && !second)) continue
    return { bounds: boundsOf(form, first, second, named), length: match[0].length }
  }
  return undefined
}

function amountOf(
  [before, digits, thousand, after]: (string | undefined)[],
  toNumber: (text: string) => number,
): Amount | undefined {
  const number = toNumber(digits ?? '')
  if (!Number.isFinite(number)) return undefined
  const unitText = after?.trim() ?? ''
  const unit = UNITS.find(([pattern]) => new RegExp(`^(?:${pattern})$`, 'i').test(unitText))?.[1]
  const isPoints = /^-?p(t|oint|unkt)/i.test(unitText)
  const isCurrency = new RegExp(`^(?:${CURRENCY})$`, 'i').test(unitText)
  const currency = before ?? (isCurrency ? unitText : undefined)
  const isPrice = currency !== undefined || thousand !== undefined
  return {
    value: rounded((thousand ? number * 1_000 : number) / (isPoints ? 100 : 1)),
    unit: unit ?? (isPrice ? 'retail_price' : undefined),
    currency,
    isThousands: thousand !== undefined,
  }
}

function boundsOf(
  form: Form,
  first: Amount,
  second: Amount | undefined,
  named: RangeName | undefined,
): Bounds {
  const guessed = Math.max(first.value, second?.value ?? 0) < WEIGHT_MAX ? 'weight' : 'retail_price'
  const name = named ?? second?.unit ?? first.unit ?? guessed
  const low = lifted(first, second)
  const bounds = { name, currency: first.currency ?? second?.currency }
  if (form === 'between' && second) {
    return { ...bounds, min: Math.min(low, second.value), max: Math.max(low, second.value) }
  }
  if (form === 'upper' || form === 'less') return { ...bounds, max: first.value }
  if (form === 'lower' || form === 'more') return { ...bounds, min: first.value }
  if (form === 'about') return { ...bounds, ...near(first.value, NEAR, NEAR) }
  return { ...bounds, ...aloneOf(name, first.value) }
}

/** `5-8k` is five to eight thousand, and `50-70 points` are both hundredths. */
function lifted(first: Amount, second: Amount | undefined): number {
  if (!second) return first.value
  if (second.isThousands && !first.isThousands && first.value < 1_000) return first.value * 1_000
  if (first.unit !== undefined) return first.value
  return second.unit === 'weight' && second.value < 2 && first.value >= 10
    ? rounded(first.value / 100)
    : first.value
}

/** What a number without a comparison means: carats are at least that, a price is a limit. */
function aloneOf(name: RangeName, value: number): { min?: number; max?: number } {
  if (name === 'weight') return near(value, 0, NEAR)
  if (name === 'retail_price' || name === 'wholesale_price') return { max: value }
  if (name === 'price_per_carat' || name === 'delivery_days') return { max: value }
  return near(value, 0.02, 0.02)
}

function near(value: number, below: number, above: number): { min: number; max: number } {
  return { min: rounded(value * (1 - below)), max: rounded(value * (1 + above)) }
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
