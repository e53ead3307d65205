import { countryName } from '../lib/format.ts'
import { valueLabel } from '../stones/labels.ts'
import type { ChoiceName, FlagName, RangeName } from './query.ts'

/** The names of the filters as a jeweler says them. */
export const CHOICE_LABELS: Record<ChoiceName, string> = {
  shape: 'Shape',
  type: 'Origin',
  color: 'Color',
  clarity: 'Clarity',
  cut_grade: 'Cut',
  polish_grade: 'Polish',
  symmetry_grade: 'Symmetry',
  fluorescence: 'Fluorescence',
  lab: 'Grading lab',
  fancy_color_intensity: 'Intensity',
  cut_code: 'Style of cut',
  grow_method: 'Growth method',
  eye_clean: 'Eye clean',
  girdle_min: 'Girdle, thinnest part',
  girdle_max: 'Girdle, thickest part',
  culet_size: 'Culet',
  country_code: 'Located in',
  overtone: 'Overtone',
  shade: 'Shade',
  milky: 'Milky',
  lab_name: 'Laboratory as written',
  treatment: 'Treatment',
}

export const RANGE_LABELS: Record<RangeName, string> = {
  weight: 'Carat',
  retail_price: 'Price',
  wholesale_price: 'Wholesale',
  price_per_carat: 'Price per carat',
  off_rap_percentage: 'List price %',
  ratio: 'Length-to-width ratio',
  depth_percentage: 'Depth %',
  table_percentage: 'Table %',
  length: 'Length in mm',
  width: 'Width in mm',
  depth: 'Depth in mm',
  crown_angle: 'Crown angle',
  pavilion_angle: 'Pavilion angle',
  delivery_days: 'Delivery in days',
}

export const FLAG_LABELS: Record<FlagName, string> = {
  has_media: 'With pictures or video',
  has_image: 'With a picture',
  has_video: 'With a video',
  has_v360: 'With a 360° view',
  has_certificate_file: 'With the certificate as a file',
  memo: 'Available on memo',
  returnable: 'Returnable',
  is_sustainable: 'Marked sustainable',
  available: 'Not on hold',
}

const GIRDLES: Readonly<Record<string, string>> = {
  XTK: 'Extremely thick',
  VTK: 'Very thick',
  TK: 'Thick',
  STK: 'Slightly thick',
  MD: 'Medium',
  TN: 'Thin',
  VTN: 'Very thin',
  ETN: 'Extremely thin',
}

const CULETS: Readonly<Record<string, string>> = {
  N: 'None',
  VS: 'Very small',
  S: 'Small',
  M: 'Medium',
  SL: 'Slightly large',
  L: 'Large',
  VL: 'Very large',
  EL: 'Extremely large',
}

/** A value of a filter in words; the same code means different things in different filters. */
export function choiceLabel(name: string, value: string): string {
  if (name === 'girdle_min' || name === 'girdle_max') return GIRDLES[value] ?? value
  if (name === 'culet_size') return CULETS[value] ?? value
  if (name === 'country_code') return countryName(value)
  return valueLabel(value)
}

export function choiceTexts(name: string, values: readonly string[]): string {
  return values.map((value) => choiceLabel(name, value)).join(', ')
}
