import { copyText } from '../reading/raw-row.ts'

/** Upper case letters and digits only: `V. Good` and `v-good` are both `VGOOD`. */
export function fold(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
}

/** The folded name of a column without its path in JSON: `offer.Is Sold` is `ISSOLD`. */
export function lastName(column: string): string {
  return fold(column.slice(column.lastIndexOf('.') + 1))
}

/** Words that suppliers write instead of leaving a cell empty. */
const BLANK_WORDS = new Set([
  '',
  'NA',
  'NULL',
  'NIL',
  'NOTSPECIFIED',
  'UNKNOWN',
  'UNDEFINED',
  'NOTAVAILABLE',
  'NOTAPPLICABLE',
  'NAN',
  'TBD',
  'BLANK',
])

const CELL_ERROR =
  /^(?:#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|FIELD!|ERROR!)|Err:\d{3})$/i

/** Whether a cell has what a spreadsheet shows in place of the result of a formula. */
export function isCellError(text: string): boolean {
  const first = text.charCodeAt(0)
  // Every cell of every row is asked.
  return (first === HASH || first === CAPITAL_E) && text.length >= 4 && CELL_ERROR.test(text)
}

const HASH = 35
const CAPITAL_E = 69

export function isBlankWord(text: string): boolean {
  if (isCellError(text)) return true
  // None of the words has a digit.
  if (/\d/.test(text)) return false
  const folded = fold(text)
  // A word of other letters than Latin ones is a word.
  if (folded === '') return !/\p{L}/u.test(text)
  return BLANK_WORDS.has(folded)
}

/** `None`, `0.00`, `0 x 0 x 0`, `XX`: where a number or a link belongs, these say nothing. */
const NOTHING = /^(?:(?:[0X×|*.,\s%°-]|MM)+|N|NO|NONE|NG|ND|FALSE|NOT GIVEN)$/i

/** Returns whether a cell for a number, a link or a place says nothing. */
export function saysNothing(text: string): boolean {
  return isBlankWord(text) || NOTHING.test(text)
}

const CACHED_MAX = 4_096
const CACHED_CHARS_MAX = 64

/**
 * Caches the results of a pure reader. A column of a million rows has few spellings, and a look-up
 * costs a tenth of reading. The cache is bounded and holds no text that is long.
 */
export function cached<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined || known.has(text)) return found as T
    const value = read(text)
    if (text.length <= CACHED_CHARS_MAX) {
      if (known.size >= CACHED_MAX) known.clear()
      known.set(copyText(text), value)
    }
    return value
  }
}

const YES = /^(Y|YES|T|TRUE|1|OK|X|ALLOWED|ACCEPTED)$/
const NO = /^(N|NO|F|FALSE|0|NONE|NOT|NOTALLOWED)$/

/** Reads a yes or a no; undefined for anything else. */
export const readFlag = cached((text: string): boolean | undefined => {
  const code = fold(text)
  return YES.test(code) ? true : NO.test(code) ? false : undefined
})

/** Turns a table of `value: 'SPELLING SPELLING …'` into a map from spelling to value. */
export function spellings<V extends string>(table: Record<V, string>): Map<string, V> {
  const map = new Map<string, V>()
  for (const [value, words] of Object.entries(table) as [V, string][]) {
    for (const word of words.split(/\s+/)) if (word !== '') map.set(word, value)
  }
  return map
}

/** Turns `'WORD WORD …'` into a set. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}

const UNSTORABLE = /[\0\ud800-\udfff]/u

/** Removes the characters that PostgreSQL cannot store: NUL and unpaired surrogates. */
export function storableText(text: string): string {
  if (!UNSTORABLE.test(text)) return text
  return text.replaceAll('\0', '').replaceAll(/[\ud800-\udfff]/gu, '\ufffd')
}
