import { type TSchema, Type } from 'typebox'
import type { StoneField } from '../../gems/gem.ts'
import type { TermsField } from '../../gems/gem-rendering.ts'
import { GEM_TYPES, SHAPES } from '../../reference/attributes.ts'
import { flag, integer, nullable, number, object, oneOf, text } from './fields.ts'

const words = (description: string, example: string) => nullable(text(description, example))
const amount = (description: string, example: number) => number(description, example)
const measure = (description: string, example: number) => nullable(number(description, example))
const days = (description: string, example: number) => nullable(integer(description, example))
const anything = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
  })
const moment = (description: string) => text(description, '2026-01-31 09:15:00.123456')

/**
 * A gem of a search result. The order of the fields is that of the rendered bytes (see
 * gems/gem-rendering.ts): first what all merchants see alike, then the caller's terms.
 */
const gemFields = {
  id: integer('Internal number', 4711),
  sku: text('SKU, for orders', 'D-4711'),
  product_type: text('The kind of product', 'diamond'),
  type: oneOf(GEM_TYPES, 'Where it comes from'),
  parcel: flag('Whether it is a parcel of melee', false),
  stone_type: words('The species of a gemstone', 'sapphire'),
  quality: words('The range of colors and clarities of a parcel', 'D-F/VVS1-VS2'),
  shape: oneOf(SHAPES, 'Shape', { examples: ['round'] }),
  cut_code: text('Style of the cut', 'brilliant_cut'),
  weight: number('Carats', 1.02),
  length: measure('Millimetres', 6.45),
  width: measure('Millimetres', 6.42),
  depth: measure('Millimetres', 3.98),
  ratio: measure('Length divided by width', 1.005),
  ratio_group: words('square or rectangular', 'square'),
  depth_percentage: measure('Depth in percent of the width', 61.8),
  table_percentage: measure('Table in percent of the width', 57),
  crown_angle: measure('Degrees', 34.5),
  pavilion_angle: measure('Degrees', 40.8),
  pavilion_depth: measure('Percent', 43),
  culet_size: words('Culet', 'N'),
  girdle_min: words('Thin end of the girdle', 'TN'),
  girdle_max: words('Thick end of the girdle', 'MD'),
  color: words('Grade, or hue of a fancy stone', 'F'),
  color_max: words('The best color of a parcel', 'D'),
  clarity: words('Clarity', 'VS1'),
  clarity_max: words('The best clarity of a parcel', 'VVS1'),
  fancy_color_intensity: words('Intensity of a fancy color', 'INT'),
  overtone: words('Overtone of a fancy color', 'brownish'),
  is_fancy: flag('Whether the color is a hue', false),
  cut_grade: words('Cut grade', 'EX'),
  cut_grade_description: words('Cut grade in words', 'Excellent'),
  polish_grade: words('Polish', 'EX'),
  symmetry_grade: words('Symmetry', 'EX'),
  fluorescence: words('Fluorescence', 'None'),
  eye_clean: words('yes, borderline or no', 'yes'),
  grow_method: words('How it was grown', 'CVD'),
  lab: words('Laboratory of the certificate', 'GIA'),
  cert_num: words('Number of the certificate', '2141438171'),
  cert_url: words('The certificate', 'https://certificates.example/2141438171'),
  country_code: words('Where it lies, three letters', 'BEL'),
  quantity: integer('How many', 1),
  enabled: flag('Whether it is on sale', true),
  can_hold: flag('Whether it can be put on hold', true),
  memo: flag('Whether it is sent on memo', false),
  returnable: flag('Whether it can be returned', true),
  is_manual: flag('Whether it was entered by hand', false),
  is_sustainable: flag('Whether it is called sustainable', true),
  sustainability_details: anything('What the claim rests on'),
  memo_days_to_return: days('Days to return it when on memo', 14),
  days_to_return: days('Days to return it', 14),
  delivery_days_min: days('Fastest delivery in business days', 3),
  delivery_days_max: days('Slowest delivery in business days', 7),
  created_on: moment('When it came to the market'),
  updated_on: moment('When it last changed'),
  image_top_url: words('Picture from the top', 'https://media.example/top.jpg'),
  image_bottom_url: words('Picture from below', 'https://media.example/bottom.jpg'),
  video_url: words('Film', 'https://media.example/film.mp4'),
  ux_url: words('360 degree viewer', 'https://media.example/viewer'),
  v360_info: anything('The frames of the 360 degree view'),
  v360_json_base_url: words('Where the frames lie', 'https://media.example/frames'),
  shape_icon_url: text('Drawing of the shape', 'https://pavilion.example/shapes/round.svg'),
  shape_icon_url_png: text('The same as PNG', 'https://pavilion.example/shapes/round.png'),
  shape_image_url: text('Picture of the shape', 'https://pavilion.example/shapes/round.png'),
  media_requested: flag('Whether pictures were asked for', false),
  original_imported_ext_url: words('Link of the supplier', 'https://media.example/stone'),
  base_currency_code: text('Currency of the base prices', 'USD'),
  currency_code: text('Currency of the other prices', 'EUR'),
  exchange_rate: number('Units of the currency for one US dollar', 0.92),
  base_retail_price: amount('Retail price in US dollars', 1350),
  base_wholesale_price: amount('Wholesale price in US dollars', 1000),
  retail_price: amount('Retail price', 1242),
  wholesale_price: amount('Wholesale price', 920),
  off_rap_percentage: nullable(number('Percent above the list price, negative below', -45.5)),
  on_hold: flag('Whether somebody holds it now', false),
  merchant_template_group: words('Group of the template that chose it', 'DEFAULT'),
  merchant_template_label: words('Label of the template that chose it', 'IDEAL'),
  merchant_template_position: nullable(integer('Position of the template that chose it', 1)),
  merchant_template_uuid: words('The template that chose it', 'DEFAULT_IDEAL'),
} satisfies Record<StoneField | TermsField, TSchema>

export const GemSchema = object('Gem', gemFields)
