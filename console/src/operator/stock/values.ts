import { t } from '../../language/language.ts'
import { date, decimal, humanize, money, percent } from '../../lib/format.ts'
import { choiceLabel } from '../../search/labels.ts'

const PRICES = /^(wholesale_price(_us)?|cost|off_rap_price|list_price)$/
const DATES = /_on$/
const ANGLES = /_angle$/
const PERCENTAGES = /(_percentage|^pavilion_depth)$/
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
  'grow_method',
])
/** The same words as in the filters of the search. */
const FILTER_WORDS = new Set([
  'fluorescence',
  'eye_clean',
  'culet_size',
  'girdle_min',
  'girdle_max',
  'fancy_color_intensity',
  'milky',
  'shade',
])

/** A value of a field as text. */
export function shownValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  if (PRICES.test(field)) return money(Number(value), 'USD')
  if (typeof value === 'number') return numberText(field, value)
  if (typeof value !== 'string') return JSON.stringify(value)
  if (DATES.test(field)) return date(value)
  if (FILTER_WORDS.has(field)) return choiceLabel(field, value)
  return WORDS.has(field) ? humanize(value) : value
}

function numberText(field: string, value: number): string {
  if (ANGLES.test(field)) return `${decimal(value, 1)}°`
  return PERCENTAGES.test(field) ? percent(value) : decimal(value, 4)
}
