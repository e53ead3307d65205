import { GEM_TYPES } from './attributes.ts'

/**
 * Shape, title and ratio bounds of each product setting. The pear that is titled Asscher Diamond is
 * what the specification shows, and is kept on purpose.
 */
const SETTINGS = [
  ['round', 'Round Diamond', null, null],
  ['oval', 'Oval Diamond', 1.35, 1.55],
  ['emerald', 'Emerald Diamond', 1.3, 1.55],
  ['radiant', 'Radiant Diamond', 1.3, 1.55],
  ['pear', 'Pear Diamond', 1.45, 1.6],
  ['pear', 'Asscher Diamond', 1.45, 1.6],
  ['princess', 'Princess Diamond', 1, 1.054],
  ['cushion', 'Square Cushion Diamond', 1, 1.054],
  ['cushion', 'Rectangular Cushion Diamond', 1.1, 1.2],
  ['marquise', 'Marquise Diamond', 1.9, 2],
] as const

/** The two default collections. */
export const DEFAULT_COLLECTIONS = [
  collection('bespoke_single', 'Bespoke Single', 'SINGLE'),
  collection('bespoke_pair', 'Bespoke Pair', 'PAIR'),
]

function collection(id: string, title: string, mode: 'SINGLE' | 'PAIR') {
  const product_settings = SETTINGS.map(([shape, settingTitle, ratio_min, ratio_max]) => ({
    collection_id: id,
    mode,
    ratio_enabled: true,
    ratio_max,
    ratio_min,
    shape,
    title: settingTitle,
    types: GEM_TYPES,
    weight_max: 10,
    weight_min: 0,
  }))
  return { id, title, product_settings }
}
