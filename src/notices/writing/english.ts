/** How notices are written in English: what is stored, sent by e-mail and shown to programs. */
import type { NoticeProduct, NoticeStone } from '../../database/tables/mail.ts'
import type { Value } from '../texts/phrase.ts'

export function inEnglish(value: Value): string {
  if (typeof value === 'string') return value
  switch (value.kind) {
    case 'phrase':
      return value.english.replaceAll(/\{(\w+)\}/g, (all, name: string) =>
        Object.hasOwn(value.values, name) ? inEnglish(value.values[name]) : all,
      )
    case 'count':
      return count(value.number, value.noun)
    case 'money':
      return money(value.amount, value.currency)
    case 'day':
      return day(value.timestamp)
    case 'time':
      return time(value.timestamp)
    case 'product':
      return productText(value.product)
    case 'typed':
    case 'program':
      return value.text
  }
}

/** An order describes its products itself. */
function productText({ description, stone }: NoticeProduct): string {
  return description || (stone ? stoneText(stone) : '')
}

/** `1.52 ct round F VS1 lab grown` */
function stoneText({ weight, shape, color, species, clarity, type }: NoticeStone): string {
  const words = [
    weight === null ? null : `${weight} ct`,
    shape?.replaceAll('_', ' '),
    color,
    species,
    clarity,
    type === 'lab grown' ? type : null,
  ]
  return words.filter(Boolean).join(' ')
}

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

function money(amount: number, currency: string): string {
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

/** `31 January 2026`, in UTC. */
function day(timestamp: string): string {
  const [year, month, date] = timestamp.slice(0, 10).split('-').map(Number)
  return `${date} ${MONTHS[month - 1]} ${year}`
}

/** `31 January 2026, 09:15 UTC`. */
function time(timestamp: string): string {
  return `${day(timestamp)}, ${timestamp.slice(11, 16)} UTC`
}
