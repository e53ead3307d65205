import { COLORS } from '../../../src/reference/attributes.ts'
import {
  EVERYTHING,
  parseQuery,
  type RangeName,
  type SearchQuery,
  searchUrl,
} from '../search/query.ts'
import { type Bounds, readBounds } from './amounts.ts'
import { RANGE_WORDS } from './vocabulary.ts'
import { matchAt } from './word-rule.ts'
import { WORD_RULES } from './word-rules.ts'

/** What words say: a search, and the words that were not understood. */
interface Reading {
  query: SearchQuery
  unread: string[]
}

interface Options {
  /** Reads a number in the reader's locale; NaN when it is none. */
  toNumber: (text: string) => number
  /** The currency of all prices; another one that is named is not converted. */
  currency: string
}

const TEXT_CHARS_MAX = 2_000

/**
 * Reads words such as `2 ct oval F VS1 under 9,000` into filters. At each position the first rule
 * that matches takes its words; a word that no rule matches is named. Nothing is dropped silently.
 */
export function readWords(text: string, options: Options): Reading {
  const plain = text.slice(0, TEXT_CHARS_MAX).replaceAll(/\s+/g, ' ')
  const query = structuredClone(EVERYTHING)
  const unread: string[] = []
  let at = 0
  while (at < plain.length) {
    const { length, isRead } = readNext(plain, at, query, options)
    if (!isRead) unread.push(plain.slice(at, at + length).trim())
    at += length
  }
  return withOneScale(query, unread)
}

const GAP = /[\s,;|·/&()[\]"“”„]+/y
/** Marks between words that say nothing, such as the hyphen of `F-VS1`. */
const MARK = /[-–—+.:!?*=]/y
const WORD = /[^\s,;|·/&()[\]"“”„]+/y

interface Step {
  length: number
  isRead: boolean
}

/** Reads one thing at a position; at least one character. */
function readNext(text: string, at: number, query: SearchQuery, options: Options): Step {
  const gap = matchAt(GAP, text, at)
  if (gap) return { length: gap[0].length, isRead: true }
  const known = readSize(text, at, query, options) ?? readRange(text, at, query, options)
  if (known) return known
  for (const [pattern, take] of WORD_RULES) {
    const match = matchAt(pattern, text, at)
    if (match) return { length: match[0].length, isRead: take(query, match) }
  }
  const found = readBounds(text, at, options.toNumber)
  if (found) return { length: found.length, isRead: bound(query, found.bounds, options) }
  if (matchAt(MARK, text, at)) return { length: 1, isRead: true }
  return { length: matchAt(WORD, text, at)?.[0].length ?? 1, isRead: false }
}

const NAMES = RANGE_WORDS.map(([pattern, name]) => {
  const before = `(?:${pattern})(?: ?%)?(?: (?:is|of|between|from|in|ist|von|zwischen))?:? ?`
  return [new RegExp(before, 'iuy'), name] as const
})
const BELOW_LIST = new RegExp(
  '-\\s?(\\d[\\d.,]*) ?%|(\\d[\\d.,]*) ?% ' +
    '(?:below|under|off|discount|unter|rabatt|nachlass)' +
    '(?: (?:the |der )?list(?: price|e|enpreis)?)?',
  'iy',
)

/** A range that is named: `table 57-60`, `40 % below list`. */
function readRange(text: string, at: number, query: SearchQuery, options: Options) {
  const below = matchAt(BELOW_LIST, text, at)
  if (below) {
    const percent = options.toNumber(below[1] ?? below[2])
    const bounds = { name: 'off_rap_percentage', max: -percent, currency: undefined } as const
    return { length: below[0].length, isRead: percent > 0 && bound(query, bounds, options) }
  }
  for (const [pattern, name] of NAMES) {
    const match = matchAt(pattern, text, at)
    if (!match) continue
    const start = at + match[0].length
    const found = readBounds(text, start, options.toNumber, name)
    if (!found) continue
    const percent = matchAt(/ ?[%°]/y, text, start + found.length)?.[0].length ?? 0
    const length = match[0].length + found.length + percent
    return { length, isRead: bound(query, found.bounds, options) }
  }
  return undefined
}

const SIZE = /(\d[\d.,]*) ?[x×*] ?(\d[\d.,]*)(?: ?[x×*] ?(\d[\d.,]*))?(?: ?mm)?(?![\p{L}\d])/iuy
/** Stones are cut to weight, not to a size: a tenth of a millimetre counts as the same. */
const SIZE_MM = 0.1

/** Sizes such as `7 x 5 mm`. */
function readSize(text: string, at: number, query: SearchQuery, options: Options) {
  const match = matchAt(SIZE, text, at)
  if (!match) return undefined
  const sizes = match.slice(1).filter(Boolean).map(options.toNumber)
  const names: RangeName[] = ['length', 'width', 'depth']
  const isRead = sizes.every((size, index) => {
    const [min, max] = [size - SIZE_MM, size + SIZE_MM].map((each) => Math.round(each * 100) / 100)
    const bounds = { name: names[index], min, max, currency: undefined }
    return size > SIZE_MM && bound(query, bounds, options)
  })
  return { length: match[0].length, isRead }
}

const SYMBOLS: readonly [pattern: RegExp, code: string][] = [
  [/^(\$|usd|(?:us-)?dollars?|bucks)$/i, 'USD'],
  [/^(€|eur|euros?)$/i, 'EUR'],
  [/^(£|gbp)$/i, 'GBP'],
]

/** Beyond any price, weight or length; the interface takes no larger number. */
const BOUND_MAX = 1e10

/** Sets bounds, unless something before has set them or they are in another currency. */
function bound(query: SearchQuery, { name, min, max, currency }: Bounds, options: Options) {
  const code = currency && SYMBOLS.find(([pattern]) => pattern.test(currency))?.[1]
  if (code && code !== options.currency) return false
  const range = query.ranges[name]
  if (min !== undefined && range.min !== undefined) return false
  if (max !== undefined && range.max !== undefined) return false
  const next = { min: min ?? range.min, max: max ?? range.max }
  const [least, most] = [next.min ?? -BOUND_MAX, next.max ?? BOUND_MAX]
  if (least > most || least < -BOUND_MAX || most > BOUND_MAX) return false
  query.ranges[name] = next
  return true
}

/**
 * A stone has a color grade or a fancy color: with a fancy color the grades are not used. Reading
 * the address of the search puts the values into the order of the trade.
 */
function withOneScale(query: SearchQuery, unread: string[]): Reading {
  const grades: readonly string[] = query.fancy ? COLORS : []
  const unused = query.choices.color.filter((color) => grades.includes(color))
  const { searchParams } = new URL(searchUrl(query), 'https://pavilion.example')
  return { query: parseQuery(searchParams), unread: [...unread, ...unused] }
}
