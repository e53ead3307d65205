import { type TSchema, Type } from 'typebox'
import { GEM_TYPES, SHAPES } from '../../reference/attributes.ts'
import {
  flag,
  inlineObject,
  integer,
  nullable,
  number,
  object,
  oneOf,
  text,
  tradeOnly,
} from './fields.ts'

export const ParcelQuery = inlineObject({
  shape: oneOf(SHAPES, 'Shape of the stones', { default: 'round' }),
  type: oneOf(GEM_TYPES, 'Origin of the stones', { default: 'mined' }),
  updated_since: Type.Optional(
    text(
      'Extension: only leaves whose parcels changed at or after this time, stock included',
      '2026-01-31T00:00:00Z',
      { maxLength: 40 },
    ),
  ),
})

const anything = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
  })
const days = (description: string) => integer(description, 7)
const link = (description: string) => nullable(text(description, 'https://media.example/view'))

export const ParcelSchema = object('MeleeParcel', {
  id: integer('Internal number', 815),
  sku: text('SKU, for orders', 'M-815'),
  product_type: text('Always melee', 'melee'),
  type: oneOf(GEM_TYPES, 'Origin of the stones'),
  stone_type: nullable(text('Always null, because parcels are diamonds', '')),
  quality: text('Key of the leaf', 'D-F/VVS1-VS2'),
  quantity: number('Stones available', 1200),
  weight: number('Carats of one stone', 0.0025),
  wholesale_price: tradeOnly(number('US dollars per carat', 650)),
  wholesale_price_per_ct: tradeOnly(number('The same as wholesale_price', 650)),
  tolerance_positive: nullable(number('Upper size tolerance in millimetres', 0.02)),
  tolerance_negative: nullable(number('Lower size tolerance in millimetres', 0.02)),
  days_to_return: days('Days to return it'),
  memo_days_to_return: nullable(
    days('Days to return it when on memo; null when it cannot go on memo'),
  ),
  internal_days_to_return: tradeOnly(
    days('Days in which the operator may return it to the supplier'),
  ),
  delivery_days_min: days('Fastest delivery in business days'),
  delivery_days_max: days('Slowest delivery in business days'),
  shape_icon_url: link('Drawing of the shape, SVG'),
  shape_image_url: link('Picture of the shape, PNG'),
  ux_url: link('360 degree viewer'),
  cached_ux_url: link('360 degree viewer, from a cache'),
  v360_json_base_url: link('Base address of the frames'),
  v360_info: anything('frame_count, s3_path, md5_hash, image_ext'),
  is_sustainable: nullable(flag('Whether it is marked as sustainable', true)),
  sustainability_details: anything('Evidence for the claim'),
})

/** A parcel outside of the tree says where it is in it. */
export const ParcelListingSchema = object('MeleeParcelListing', {
  ...ParcelSchema.properties,
  shape: oneOf(SHAPES, 'Shape of the stones', { examples: ['round'] }),
  cut_code: text('Style of the cut', 'brilliant_cut'),
  size: text('Millimetres, as the key of the tree', '1.25'),
})

/** The keys of each level are data, so a level is a record and not an object. */
const level = <T extends TSchema>(description: string, of: T) =>
  Type.Record(Type.String(), of, { description })

export const ParcelFiltersSchema = object('ParcelFilters', {
  filters: level(
    'By shape',
    level('By cut code', level('By type', level('By size', level('By quality', ParcelSchema)))),
  ),
})
