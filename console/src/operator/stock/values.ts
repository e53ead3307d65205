import { t } from '../../language/language.ts'
import { date, decimal, humanize, money } from '../../lib/format.ts'

const PRICES = /^(wholesale_price(_us)?|cost|off_rap_price|list_price)$/
const DATES = /_on$/
/** Their values are words of the trade; all other texts are shown as they are. */
const WORDS = new Set([
  'product_type',
  'type',
  'species',
  'shape',
  'state',
  'cut_grade',
  'polish_grade',
  'symmetry_grade',
  'fluorescence',
  'eye_clean',
  'culet_size',
  'girdle_min',
  'girdle_max',
  'fancy_color_intensity',
  'grow_method',
  'milky',
  'shade',
])

/** A value of a field as text. */
export function shownValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  if (PRICES.test(field)) return money(Number(value), 'USD')
  if (typeof value === 'number') return decimal(value, 4)
  if (typeof value !== 'string') return JSON.stringify(value)
  if (DATES.test(field)) return date(value)
  return WORDS.has(field) ? humanize(value) : value
}
