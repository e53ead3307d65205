import { foldName } from './header-names.ts'

/** `Sr` and `Serial No` are stock numbers in some files, and count the rows in most price lists. */
const MAY_COUNT = new Set(['sr', 'serialno', 'serialnumber'])
/** A line of totals, or a row that was deleted, does not make them stock numbers. */
const COUNTED_SHARE_MIN = 0.9

/**
 * Returns whether a column that may be the stock number only counts the rows: 1, 2, 3, and again
 * from 1 in the next section. Such a number belongs to another stone as soon as one is sold.
 */
export function numbersTheRows(name: string, texts: readonly string[]): boolean {
  if (!MAY_COUNT.has(foldName(name))) return false
  const numbers = texts.filter((text) => /^\d{1,6}$/.test(text)).map(Number)
  if (numbers[0] !== 1 || numbers.length < texts.length / 2) return false
  const counted = numbers.filter((number, at) => number === 1 || number === numbers[at - 1] + 1)
  return counted.length >= numbers.length * COUNTED_SHARE_MIN
}
