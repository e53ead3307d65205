import { t } from '../../language/language.ts'
import { isCustomerView } from '../../lib/customer-view.ts'
import { linearScale, priceScale, type Scale } from '../../parts/range-slider.tsx'
import type { ChoiceName, FlagName, RangeName } from '../query.ts'

/** Filters that belong together, folded until they are needed. */
export interface Group {
  name: string
  choices: readonly ChoiceName[]
  ranges: readonly RangeName[]
  flags: readonly FlagName[]
}

/** What a customer who looks at the screen does not see. */
const TRADE_RANGES: readonly RangeName[] = isCustomerView
  ? []
  : ['wholesale_price', 'price_per_carat', 'off_rap_percentage']

export const GROUPS: readonly Group[] = [
  {
    name: t('Finish and fluorescence'),
    choices: ['polish_grade', 'symmetry_grade', 'fluorescence'],
    ranges: [],
    flags: [],
  },
  {
    name: t('Proportions'),
    choices: ['cut_code', 'girdle_min', 'girdle_max', 'culet_size'],
    ranges: [
      'ratio',
      'table_percentage',
      'depth_percentage',
      'crown_angle',
      'pavilion_angle',
      'length',
      'width',
      'depth',
    ],
    flags: [],
  },
  {
    name: t('Price and delivery'),
    choices: ['country_code'],
    ranges: [...TRADE_RANGES, 'delivery_days'],
    flags: ['memo', 'returnable', 'available'],
  },
  {
    name: t('Appearance and treatment'),
    choices: ['color', 'eye_clean', 'milky', 'shade', 'overtone', 'grow_method', 'treatment'],
    ranges: [],
    flags: ['is_sustainable'],
  },
  {
    name: t('Media and certificate'),
    choices: ['lab_name'],
    ranges: [],
    flags: ['has_media', 'has_image', 'has_video', 'has_v360', 'has_certificate_file'],
  },
]

export const WEIGHTS = linearScale(0.15, 5, 2)
export const PRICES = priceScale(100, 100_000)

export const SCALES: Record<RangeName, Scale> = {
  weight: WEIGHTS,
  retail_price: PRICES,
  wholesale_price: PRICES,
  price_per_carat: priceScale(100, 100_000),
  off_rap_percentage: linearScale(-80, 20, 0),
  ratio: linearScale(1, 2.75, 2),
  depth_percentage: linearScale(45, 85, 1),
  table_percentage: linearScale(45, 80, 1),
  length: linearScale(2, 20, 1),
  width: linearScale(2, 20, 1),
  depth: linearScale(1, 12, 1),
  crown_angle: linearScale(25, 45, 1),
  pavilion_angle: linearScale(35, 50, 1),
  delivery_days: linearScale(0, 30, 0),
}
