/** Which cells of a sheet are dates or prices, and how they are written as text. */
import { DAY_MS } from '../../../lib/timestamps.ts'
import { currencyOfFormat } from './format-currency.ts'

export interface CellFormats {
  addNumberFormat(id: number, pattern: string): void
  /** Cell formats come in order; cells refer to them by their position. */
  addCellFormat(numberFormat: number): void
  isDate(cellFormat: number): boolean
  /** What the format shows before a number: `EUR `, or nothing. */
  currency(cellFormat: number): string
}

/** More are damage: Excel allows some four thousand. */
export const FORMATS_MAX = 100_000

export function createCellFormats(): CellFormats {
  const dates = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58])
  const formats: number[] = []
  const currencies = new Map<number, string>()
  return {
    addNumberFormat(id, pattern) {
      // Texts and conditions in a pattern are not parts of a date: [Red]0.00 "days".
      const letters = pattern.replaceAll(/"[^"]*"|\[[^\]]{0,100}\]|\\./g, '')
      if (/[dy]/i.test(letters) && !/general/i.test(letters)) dates.add(id)
      else dates.delete(id)
      const currency = currencyOfFormat(pattern)
      if (currency !== undefined && currencies.size < FORMATS_MAX) currencies.set(id, currency)
    },
    addCellFormat(numberFormat) {
      if (formats.length < FORMATS_MAX) formats.push(numberFormat)
    },
    isDate: (cellFormat) => dates.has(formats[cellFormat]),
    currency: (cellFormat) => currencies.get(formats[cellFormat]) ?? '',
  }
}

/** Day 0 of a workbook, in days since 1970; Excel for Mac counted from 1904. */
const DAY_ZERO = { 1900: -25_569, 1904: -24_107 }

/** Writes a day number as a date, `2026-05-31`. */
export function dateText(day: number, is1904: boolean): string {
  const ms = (Math.floor(day) + DAY_ZERO[is1904 ? 1904 : 1900]) * DAY_MS
  const isPossible = Number.isFinite(ms) && Math.abs(ms) < 8e15
  return isPossible ? new Date(ms).toISOString().slice(0, 10) : String(day)
}

/** Doubles write 5.13 as 5.1299999999999999; no column needs more than twelve digits of them. */
export function numberText(value: number): string {
  if (Number.isInteger(value)) return String(value)
  return Number.isFinite(value) ? String(Number(value.toPrecision(12))) : ''
}
