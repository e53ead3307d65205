/** How notices say numbers, money and times. */
import { roundedAmount } from '../../lib/money.ts'
import { isoWithOffset, isPrinted } from '../../lib/timestamps.ts'

// Made once: `toLocaleString` would make one for every figure.
const WHOLE = new Intl.NumberFormat('en-US')
const TWO_DECIMALS = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

/** `1 item`, `2 items`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${WHOLE.format(number)} ${number === 1 ? one : many}`
}

/** `$1,234.50` from the digits of an amount in USD. */
export function dollars(digits: string): string {
  return money(roundedAmount(digits), 'USD')
}

export function money(amount: number, currency: string): string {
  const figure = TWO_DECIMALS.format(amount)
  return currency === 'USD' ? `$${figure}` : `${figure} ${currency}`
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `31 January 2026`, of a timestamp as PostgreSQL or an event has it, in UTC. */
export function day(timestamp: string): string {
  const iso = isPrinted(timestamp) ? isoWithOffset(timestamp) : timestamp
  const [year, month, date] = iso.slice(0, 10).split('-').map(Number)
  return `${date} ${MONTHS[month - 1]} ${year}`
}

/** `31 January 2026, 09:15 UTC`. */
export function time(timestamp: string): string {
  const iso = isPrinted(timestamp) ? isoWithOffset(timestamp) : timestamp
  return `${day(iso)}, ${iso.slice(11, 16)} UTC`
}
