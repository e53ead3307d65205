import { type TSchema, Type } from 'typebox'
import type { ExtensionField, StoneField } from '../../gems/gem.ts'
import type { TermsField } from '../../gems/gem-rendering.ts'
import { GEM_TYPES, SHAPES } from '../../reference/attributes.ts'
import { flag, integer, nullable, number, object, oneOf, text, tradeOnly } from './fields.ts'

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
 * gems/gem-rendering.ts): first what is the same for all merchants, then what depends on them.
 */
const gemFields = {
  id: integer('Internal number', 4711),
  sku: text('SKU, for orders', 'D-4711'),
  product_type: text('Kind of product', 'diamond'),
  type: oneOf(GEM_TYPES, 'Origin of the stone'),
  parcel: flag('Whether it is a parcel of melee', false),
  stone_type: words('Species of a gemstone', 'sapphire'),
  quality: words('Range of colors and clarities of a parcel', 'D-F/VVS1-VS2'),
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
  girdle_min: words('Thinnest part of the girdle', 'TN'),
  girdle_max: words('Thickest part of the girdle', 'MD'),
  color: words('Color grade, or hue of a fancy color', 'F'),
  color_max: words('Best color of a parcel', 'D'),
  clarity: words('Clarity', 'VS1'),
  clarity_max: words('Best clarity of a parcel', 'VVS1'),
  fancy_color_intensity: words('Intensity of a fancy color', 'INT'),
  overtone: words('Overtone of a fancy color', 'brownish'),
  is_fancy: flag('Whether it is a fancy color', false),
  cut_grade: words('Cut grade', 'EX'),
  cut_grade_description: words('Cut grade in words', 'Excellent'),
  polish_grade: words('Polish', 'EX'),
  symmetry_grade: words('Symmetry', 'EX'),
  fluorescence: words('Fluorescence', 'None'),
  eye_clean: words('yes, borderline or no', 'yes'),
  grow_method: words('Growth method of a lab grown stone', 'CVD'),
  lab: words('Laboratory that issued the certificate', 'GIA'),
  cert_num: words('Certificate number', '2141438171'),
  cert_url: words('Address of the certificate', 'https://certificates.example/2141438171'),
  country_code: words('Country where it is located, three letters', 'BEL'),
  quantity: integer('Quantity in stock', 1),
  enabled: flag('Whether it is on sale', true),
  can_hold: flag('Whether it can be held', true),
  memo: flag('Whether it can be taken on memo', false),
  returnable: flag('Whether it can be returned', true),
  is_manual: flag('Whether something of it was set by hand', false),
  is_sustainable: flag('Whether it is marked as sustainable', true),
  sustainability_details: anything('Evidence for the claim'),
  memo_days_to_return: days('Days to return it when on memo', 14),
  days_to_return: days('Days to return it', 14),
  delivery_days_min: days('Fastest delivery in business days', 3),
  delivery_days_max: days('Slowest delivery in business days', 7),
  created_on: moment('When it was added to the market'),
  updated_on: moment('When it last changed'),
  image_top_url: words('Picture from the top', 'https://media.example/top.jpg'),
  image_bottom_url: words('Picture from below', 'https://media.example/bottom.jpg'),
  video_url: words('Video', 'https://media.example/film.mp4'),
  ux_url: words('360 degree viewer', 'https://media.example/viewer'),
  v360_info: anything('Frames of the 360 degree view'),
  v360_json_base_url: words('Base address of the frames', 'https://media.example/frames'),
  shape_icon_url: text('Drawing of the shape', 'https://pavilion.example/shapes/round.svg'),
  shape_icon_url_png: text('The same as PNG', 'https://pavilion.example/shapes/round.png'),
  shape_image_url: text('Picture of the shape', 'https://pavilion.example/shapes/round.png'),
  media_requested: flag('Whether pictures were requested', false),
  original_imported_ext_url: tradeOnly(
    words("The supplier's own page of the stone", 'https://media.example/stone'),
  ),
  base_currency_code: text('Currency of the base prices', 'USD'),
  currency_code: text('Currency of the other prices', 'EUR'),
  exchange_rate: number('Units of the currency for one US dollar', 0.92),
  base_retail_price: amount('Retail price in US dollars', 1350),
  base_wholesale_price: tradeOnly(amount('Wholesale price in US dollars', 1000)),
  retail_price: amount('Retail price', 1242),
  wholesale_price: tradeOnly(amount('Wholesale price', 920)),
  off_rap_percentage: tradeOnly(
    nullable(number('Percent above the list price, negative below', -45.5)),
  ),
  on_hold: flag('Whether a merchant holds it now', false),
  merchant_template_group: words('Group of the template that chose it', 'DEFAULT'),
  merchant_template_label: words('Label of the template that chose it', 'IDEAL'),
  merchant_template_position: nullable(integer('Position of the template that chose it', 1)),
  merchant_template_uuid: words('The template that chose it', 'DEFAULT_IDEAL'),
} satisfies Record<StoneField | TermsField, TSchema>

export const GemSchema = object('Gem', gemFields)

/** What v3 shows beyond the specification. */
const extensionFields = {
  lab_name: words('Laboratory as the supplier writes it', 'GIA'),
  treatment: words('Treatment of a treated stone; null when it is untreated', 'laser drilled'),
  shade: words('Shade, in the words of the supplier', 'Brown'),
  milky: words('Milkiness, in the words of the supplier', 'None'),
  black_inclusion: words('Black inclusions, in the words of the supplier', 'None'),
  pair_sku: words('SKU of the other stone of a pair that the supplier declares', 'K7Q2M9X4TB'),
  pair_separable: nullable(flag('Whether the stones of the pair are also sold one by one', true)),
} satisfies Record<ExtensionField, TSchema>

export const GemV3Schema = object('Gem', { ...gemFields, ...extensionFields })
