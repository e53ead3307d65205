import { Type } from 'typebox'
import { CLARITIES, COLORS } from '../../reference/attributes.ts'
import { GRADE_NAMES } from '../../reference/defaults.ts'
import { flag, inlineObject, integer, line, nullable, object, oneOf, text, uuid } from './fields.ts'
import { countryField } from './merchant.ts'

/** A merchant's addresses and templates: as they are shown, added and changed. */
const required = { minLength: 1 }
const change = { additionalProperties: false, minProperties: 1 } as const

export const AddressSchema = object('MerchantAddress', {
  uuid: uuid('UUID of the address'),
  name: text('Name of the place', 'Main store'),
  merchant_uuid: uuid('Merchant that the address belongs to'),
  phone: text('Phone; empty when unknown', '+1 212 555 0100'),
  address_1: text('Street and number', '12 Facet Street'),
  address_2: text('Second line; may be empty', 'Floor 3'),
  city: text('City', 'New York'),
  postal_code: text('Postal code', '10036'),
  country_code: text('Country code of two letters', 'US'),
  region: text('State or region; may be empty', 'NY'),
  address_type: text('What the address is used for', 'shipping'),
  is_default: flag('Whether orders are shipped here unless they name another address', true),
})

export const AddressBody = inlineObject(
  {
    name: line('Name of the place', 'Main store', required),
    address_1: line('Street and number', '12 Facet Street', required),
    address_2: Type.Optional(line('Second line', '')),
    city: line('City', 'New York', required),
    postal_code: line('Postal code', '10036'),
    region: Type.Optional(line('State or region', 'NY')),
    country_code: countryField,
    phone: Type.Optional(line('Phone', '+1 212 555 0100')),
    is_default: Type.Optional(
      flag('Whether orders are shipped here unless they name another address', true),
    ),
  },
  { title: 'NewAddress' },
)
export const AddressChange = Type.Partial(AddressBody, { ...change, title: 'AddressChange' })

export const TemplateSchema = object('MerchantTemplate', {
  uuid: text('A UUID, or the name of a predefined template', 'DEFAULT_IDEAL'),
  merchant_uuid: nullable(uuid('Owner of the template; null for the predefined templates')),
  group: text('Group; a curated search uses all templates of one group', 'DEFAULT'),
  position: integer('Rank within the group', 1),
  label: text('Label that the merchant gave it', 'IDEAL'),
  color: text('The worst color that it accepts', 'F'),
  clarity: text('The worst clarity that it accepts', 'VS1'),
  grade_name: oneOf(GRADE_NAMES, 'The make that it looks for'),
  order: nullable(text('A word for your own use, such as a key to sort by', 'A1')),
})

/** Predefined templates have names. */
const TEMPLATE_ID_LENGTH_MAX = 64

export function templateId(description: string) {
  const example = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
  return text(description, example, { maxLength: TEMPLATE_ID_LENGTH_MAX })
}

export const TemplateBody = inlineObject(
  {
    group: line('Group; a curated search uses all templates of one group', 'BRIDAL', required),
    label: line('Label of your choice', 'SIGNATURE', required),
    color: oneOf(COLORS, 'The worst color that it accepts'),
    clarity: oneOf(CLARITIES, 'The worst clarity that it accepts'),
    grade_name: oneOf(GRADE_NAMES, 'The make that it looks for'),
    position: Type.Optional(integer('Rank within the group', 1, { minimum: 1, maximum: 10_000 })),
    order: Type.Optional(nullable(line('A word for your own use, such as a key to sort by', 'A1'))),
  },
  { title: 'NewTemplate' },
)
export const TemplateChange = Type.Partial(TemplateBody, { ...change, title: 'TemplateChange' })
