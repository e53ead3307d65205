import { Refusal } from '../lib/refusal.ts'

/**
 * Text search over orders: whole words and prefixes, whatever their case. A field stands in the
 * order's words as it is (between white space) and in its parts, so `PO-2026/17` is found by
 * `po-2026`, `2026` and `17`. PostgreSQL's own parser is not used: it reads `PO-2026` as a
 * negative number.
 */
const WORD_LENGTH_MAX = 100

/** The words of a field, lower case. */
export function wordsOf(field: string): string[] {
  return field
    .toLowerCase()
    .split(/\s+/)
    .flatMap((word) => [word, ...partsOf(word)])
    .filter((word) => word !== '')
    .map((word) => word.slice(0, WORD_LENGTH_MAX))
}

/** A number keeps its decimals: `52` is not a word of `1.52`. */
function partsOf(word: string): string[] {
  return /^[\d.]+$/.test(word) ? [] : word.split(/[^\p{L}\p{N}]+/u)
}

/** More words than a person types are refused. */
const QUERY_WORDS_MAX = 20

/** The text of a tsquery: every word must be the beginning of some word of the order. */
export function tsqueryOf(text: string): string | undefined {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, WORD_LENGTH_MAX))
  if (words.length === 0) return undefined
  if (words.length > QUERY_WORDS_MAX) {
    // Its parameter has another name in each version, so none is named.
    throw new Refusal('invalid_request', `A search takes at most ${QUERY_WORDS_MAX} words.`)
  }
  return words
    .map((word) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}':*`)
    .join(' & ')
}
