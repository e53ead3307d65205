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
}

export const RANGE_LABELS: Record<RangeName, string> = {
  weight: 'Carat',
  retail_price: 'Price',
  ratio: 'Length-to-width ratio',
  depth_percentage: 'Depth %',
  table_percentage: 'Table %',
  delivery_days: 'Delivery in days',
}

export const FLAG_LABELS: Record<FlagName, string> = {
  has_media: 'With pictures',
  memo: 'Available on memo',
  returnable: 'Returnable',
  is_sustainable: 'Marked sustainable',
}
