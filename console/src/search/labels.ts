import type { ChoiceName, FlagName, RangeName } from './query.ts'

/** The interface's names as a jeweller says them. */
export const CHOICE_LABELS: Record<ChoiceName, string> = {
  shape: 'Shape',
  type: 'Origin',
  color: 'Colour',
  clarity: 'Clarity',
  cut_grade: 'Cut',
  polish_grade: 'Polish',
  symmetry_grade: 'Symmetry',
  fluorescence: 'Fluorescence',
  lab: 'Laboratory',
  fancy_color_intensity: 'Intensity',
}

export const RANGE_LABELS: Record<RangeName, string> = {
  weight: 'Carat',
  retail_price: 'Price',
  ratio: 'Length to width',
  depth_percentage: 'Depth %',
  table_percentage: 'Table %',
  delivery_days: 'Delivery days',
}

export const FLAG_LABELS: Record<FlagName, string> = {
  has_media: 'With pictures',
  memo: 'On memo',
  returnable: 'Returnable',
  is_sustainable: 'Called sustainable',
}

export const VALUE_LABELS: Record<string, string> = {
  mined: 'Mined',
  'lab grown': 'Lab grown',
  BK: 'Black',
  BL: 'Blue',
  BN: 'Brown',
  CH: 'Champagne',
  CM: 'Chameleon',
  CG: 'Cognac',
  GY: 'Gray',
  GR: 'Green',
  OR: 'Orange',
  PN: 'Pink',
  PL: 'Purple',
  RD: 'Red',
  VL: 'Violet',
  YL: 'Yellow',
  WH: 'White',
  OT: 'Other',
  IDL: 'Ideal',
  FAN: 'Fancy',
  FDK: 'Dark',
  FDP: 'Deep',
  FLT: 'Fancy light',
  FNT: 'Faint',
  INT: 'Intense',
  LIT: 'Light',
  VIV: 'Vivid',
  VLT: 'Very light',
}
