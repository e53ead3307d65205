import { CLARITIES, COLORS } from '../../reference/attributes.ts'
import { GRADE_NAMES } from '../../reference/default-templates.ts'
import { flag, integer, nullable, number, object, oneOf, text, uuid } from './fields.ts'

export const AddressSchema = object('MerchantAddress', {
  uuid: uuid('The address'),
  name: text('Who or what is there', 'Main store'),
  merchant_uuid: uuid('Whose address it is'),
  phone: text('Empty when unknown', '+1 212 555 0100'),
  address_1: text('Street and number', '12 Facet Street'),
  address_2: text('Empty when there is none', 'Floor 3'),
  city: text('City', 'New York'),
  postal_code: text('Postal code', '10036'),
  country_code: text('Two letters', 'US'),
  region: text('State or region; may be empty', 'NY'),
  address_type: text('What it is for', 'shipping'),
  is_default: flag('Orders go here unless they name another', true),
})

export const TemplateSchema = object('MerchantTemplate', {
  uuid: text('A uuid, or the name of a predefined template', 'DEFAULT_IDEAL'),
  merchant_uuid: nullable(uuid('Null for the predefined templates')),
  group: text('Templates of one group answer together', 'DEFAULT'),
  position: integer('Rank within the group', 1),
  label: text('What the merchant calls it', 'IDEAL'),
  color: text('The worst color it accepts', 'F'),
  clarity: text('The worst clarity it accepts', 'VS1'),
  grade_name: oneOf(GRADE_NAMES, 'The make it looks for'),
  order: nullable(integer('Not used by Pavilion', 1)),
})

export const MarginSchema = object('ProfitMargin', {
  uuid: uuid('The margin'),
  merchant_uuid: uuid('Whose margin it is'),
  lab_percent: number('Added to the wholesale price of lab grown stones', 50),
  mined_percent: number('Added to the wholesale price of mined stones', 35),
  weight_min: number('From this weight in carats; 0 on price tiers', 0),
  weight_max: number('To this weight in carats; 0 on price tiers', 0.75),
  price_min: number('From this wholesale price in USD; 0 on weight tiers', 0),
  price_max: number('To this wholesale price in USD; 0 on weight tiers', 0),
  weight_or_price: oneOf(['weight', 'price'], 'What the bounds measure'),
})

export const colorField = oneOf(COLORS, 'A color grade')
export const clarityField = oneOf(CLARITIES, 'A clarity grade')
