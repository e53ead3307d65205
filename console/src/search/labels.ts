import { t, tIn } from '../language/language.ts'
import { fieldLabel } from '../lib/field-name.ts'
import { capitalize, countryName } from '../lib/format.ts'
import { valueLabel } from '../stones/labels.ts'
import type { ChoiceName, FlagName, RangeName } from './query.ts'

/** The names of the filters as a jeweler says them. */
export const CHOICE_LABELS: Record<ChoiceName, string> = {
  shape: t('Shape'),
  type: t('Origin'),
  color: t('Color'),
  clarity: t('Clarity'),
  cut_grade: t('Cut'),
  polish_grade: t('Polish'),
  symmetry_grade: t('Symmetry'),
  fluorescence: t('Fluorescence'),
  lab: t('Grading lab'),
  fancy_color_intensity: t('Intensity'),
  cut_code: t('Style of cut'),
  grow_method: t('Growth method'),
  eye_clean: t('Eye clean'),
  girdle_min: t('Girdle, thinnest part'),
  girdle_max: t('Girdle, thickest part'),
  culet_size: t('Culet'),
  country_code: t('Located in'),
  overtone: t('Overtone'),
  shade: t('Shade'),
  milky: t('Milky'),
  lab_name: t('Laboratory as written'),
  treatment: t('Treatment'),
}

export const RANGE_LABELS: Record<RangeName, string> = {
  weight: t('Carat'),
  retail_price: t('Price'),
  wholesale_price: t('Wholesale'),
  price_per_carat: t('Price per carat'),
  off_rap_percentage: t('List price %'),
  ratio: t('Length-to-width ratio'),
  depth_percentage: t('Depth %'),
  table_percentage: t('Table %'),
  length: t('Length in mm'),
  width: t('Width in mm'),
  depth: t('Depth in mm'),
  crown_angle: t('Crown angle'),
  pavilion_angle: t('Pavilion angle'),
  delivery_days: t('Delivery in days'),
}

export const FLAG_LABELS: Record<FlagName, string> = {
  has_media: t('With pictures or video'),
  has_image: t('With a picture'),
  has_video: t('With a video'),
  has_v360: t('With a 360° view'),
  has_certificate_file: t('With the certificate as a file'),
  memo: t('Available on memo'),
  returnable: t('Returnable'),
  is_sustainable: t('Marked sustainable'),
  available: t('Not on hold'),
}

const GIRDLES: Readonly<Record<string, string>> = {
  XTK: tIn('girdle', 'Extremely thick'),
  VTK: tIn('girdle', 'Very thick'),
  TK: tIn('girdle', 'Thick'),
  STK: tIn('girdle', 'Slightly thick'),
  MD: tIn('girdle', 'Medium'),
  TN: tIn('girdle', 'Thin'),
  VTN: tIn('girdle', 'Very thin'),
  ETN: tIn('girdle', 'Extremely thin'),
}

const CULETS: Readonly<Record<string, string>> = {
  N: tIn('culet', 'None'),
  VS: tIn('culet', 'Very small'),
  S: tIn('culet', 'Small'),
  M: tIn('culet', 'Medium'),
  SL: tIn('culet', 'Slightly large'),
  L: tIn('culet', 'Large'),
  VL: tIn('culet', 'Very large'),
  EL: tIn('culet', 'Extremely large'),
}

/** Filters whose words mean something of their own: a light milkiness is not a light color. */
const WORDED = new Set(['fluorescence', 'milky', 'shade', 'overtone', 'treatment', 'eye_clean'])

/** A value of a filter in words; the same code means different things in different filters. */
export function choiceLabel(name: string, value: string): string {
  if (name === 'girdle_min' || name === 'girdle_max') return GIRDLES[value] ?? value
  if (name === 'culet_size') return CULETS[value] ?? value
  if (name === 'country_code') return countryName(value)
  if (WORDED.has(name)) return capitalize(tIn(name, value))
  return valueLabel(value)
}

export function choiceTexts(name: string, values: readonly string[]): string {
  return values.map((value) => choiceLabel(name, value)).join(', ')
}

/** The name of a filter, and which bound it is; `girdle_min` is a filter of its own. */
export function nameOf(filter: string): { name: string; end: string | undefined } {
  const known: Record<string, string> = { ...CHOICE_LABELS, ...RANGE_LABELS }
  const [, range, end] = /^(.*)_(min|max)$/.exec(filter) ?? []
  if (range === undefined || Object.hasOwn(CHOICE_LABELS, filter)) {
    return { name: known[filter] ?? fieldLabel(filter), end: undefined }
  }
  return { name: known[range] ?? fieldLabel(range), end }
}
