import { Type } from 'typebox'
import {
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from './fields.ts'

const days = (description: string, example: number, minimum = 0) =>
  integer(description, example, { minimum, maximum: 3650 })
const name = text('Its name', 'Surat Gems', { minLength: 1, maxLength: 120 })
const Mapping = Type.Unsafe<Record<string, string | null> | null>({
  type: ['object', 'null'],
  additionalProperties: { type: ['string', 'null'] },
  description: "The operator's own column mapping, {column: field or null}",
  examples: [{ 'Cts.': 'weight' }],
})

const settings = {
  contact: text('How to reach it', 'sales@surat-gems.example', { maxLength: 500 }),
  country_code: nullable(text('Where its stones lie', 'IND', { pattern: '^[A-Z]{3}$' })),
  currency_code: text("Of its feed's prices", 'USD', { pattern: '^[A-Z]{3}$' }),
  markup: number('Wholesale over feed price in percent, default list', 4.5),
  markup_us: number('Wholesale over feed price in percent, US list', 6),
  delivery_days_min: days('Business days, at least', 3),
  delivery_days_max: days('Business days, at most', 7),
  returnable: flag('Whether stones may be returned', true),
  days_to_return: days('How long a merchant may return a stone', 14),
  memo: flag('Whether stones go out on memo', false),
  memo_days_to_return: days('How long a memo lasts', 14),
  internal_days_to_return: days('How long we may return a stone to it', 21),
  si3: oneOf(['SI2', 'I1'], 'What SI3 is sold as'),
  fresh_days: nullable(days('Stock leaves the market so long after the last import', 8, 1)),
  mapping: Mapping,
}

export const SupplierSchema = object('Supplier', {
  uuid: uuid('The supplier'),
  name,
  ...settings,
  synced_on: nullable(timestamp('When its last import finished')),
  created_on: timestamp('Since when it is known'),
  updated_on: timestamp('When its settings last changed'),
})

const Settings = Type.Partial(Type.Object(settings))

export const SupplierBody = object('NewSupplier', { name, ...Settings.properties })
export const SupplierPatch = object('SupplierChange', { ...Settings.properties })
export const SuppliersSchema = object('Suppliers', {
  suppliers: list(SupplierSchema, 'All of them, by name'),
})
