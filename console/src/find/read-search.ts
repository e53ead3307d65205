import type { SearchQuery } from '../search/query.ts'
import { readWords } from './read-words.ts'

/** What somebody searches: stones by their numbers, or by words. */
type Search =
  | { kind: 'numbers'; numbers: string[]; leftOut: number }
  | { kind: 'words'; query: SearchQuery; unread: string[] }

type Options = Parameters<typeof readWords>[1]

/** Their addresses stay within what every server and proxy accepts. */
export const NUMBERS_MAX = 300

/** Decides whether a text is a list of SKUs and certificates, and reads it. */
export function readSearch(text: string, options: Options): Search {
  const parts = text
    .replaceAll(LAB, '$1')
    .split(/[\s,;|]+/)
    .map((part) => part.replaceAll(/^["'#(]+|["').:]+$/g, ''))
    .filter((part) => part !== '')
  const isNumber = (part: string) => looksLikeNumber(part, options)
  const numbers = [...new Set(parts)]
  const isList = /[\n\t,;]/.test(text) && parts.filter(isNumber).length * 2 > parts.length
  if (parts.length > 0 && (isList || parts.every(isNumber))) {
    const leftOut = Math.max(0, numbers.length - NUMBERS_MAX)
    return { kind: 'numbers', numbers: numbers.slice(0, NUMBERS_MAX), leftOut }
  }
  return { kind: 'words', ...readWords(text, options) }
}

/** The name of the laboratory before the number of its certificate. */
const LAB = /\b(?:GIA|IGI|GCAL|HRD|AGS)[\s#:-]+(?=(?:LG)?\d{6})()/gi

/** A SKU or a certificate: digits that are not a price, or letters and digits without a meaning. */
function looksLikeNumber(part: string, options: Options): boolean {
  if (/^\d{7,}$/.test(part) || /^[A-Z]{1,4}-?\d{6,}$/i.test(part)) return true
  if (/^[0-9A-Z]{10}$/.test(part)) return true
  const isMixed = /\d/.test(part) && /[a-z]/i.test(part) && /^[\w./-]{5,40}$/.test(part)
  return isMixed && readWords(part, options).unread.length > 0
}
