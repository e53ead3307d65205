import { locale } from '../language/language.ts'
import { readNumber } from './read-number.ts'

const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5)
const DECIMAL = parts.find(({ type }) => type === 'decimal')?.value ?? '.'

/** The number that somebody typed, in the reader's locale; NaN when it is none. */
export function numberIn(text: string): number {
  return readNumber(text, DECIMAL)
}

const fieldFormat = new Intl.NumberFormat(locale, {
  useGrouping: false,
  maximumFractionDigits: 8,
})

/** A number as the text of a field, in the reader's locale; empty when there is none. */
export function numberText(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : fieldFormat.format(value)
}
