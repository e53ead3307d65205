import { Type } from 'typebox'
import {
  flag,
  inlineObject,
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
import { pageOf } from './page.ts'

const days = (description: string, example: number, minimum = 0) =>
  integer(description, example, { minimum, maximum: 3650 })
const name = text('Name of the supplier', 'Surat Gems', { minLength: 1, maxLength: 120 })
const Mapping = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
    examples: [{ 'Cts.': 'weight' }],
  })

const Reading = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description:
    'What was understood of the last file: columns, price (total or per carat), discount, shape ' +
    'codes, decimal sign and currency. The next file is read the same way, or refused',
  examples: [{ columns: { 'Cts.': 'weight' }, price: 'per carat', currency_code: 'USD' }],
})

/** All optional in a request: what is not given keeps its value, or gets the default. */
const settings = {
  contact: text('Contact details', 'sales@surat-gems.example', { maxLength: 500 }),
  country_code: nullable(
    text('Country where the stones are, three letters', 'IND', { pattern: '^[A-Z]{3}$' }),
  ),
  currency_code: text('Currency of the prices in the feed', 'USD', { pattern: '^[A-Z]{3}$' }),
  markup: number('Percent added to the feed price, for the default price list', 4.5),
  markup_us: number('Percent added to the feed price, for the US price list', 6),
  delivery_days_min: days('Fastest delivery in business days', 3),
  delivery_days_max: days('Slowest delivery in business days', 7),
  returnable: flag('Whether stones may be returned', true),
  days_to_return: days('Days in which a merchant may return a stone', 14),
  can_hold: flag('Whether merchants can hold stones, unless the feed says otherwise', true),
  confirms: flag('Whether the supplier confirms or declines each order line', false),
  ships: flag('Whether the supplier ships to the merchants itself', false),
  memo: flag('Whether stones can be taken on memo', false),
  memo_days_to_return: days('Days that a memo lasts', 14),
  internal_days_to_return: days(
    'Days in which the operator may return a stone to the supplier',
    21,
  ),
  si3: oneOf(['SI2', 'I1'], 'The clarity that SI3 stones are sold as'),
  fresh_days: nullable(
    days('Days after the last import until stock leaves the market; null means never', 8, 1),
  ),
  mapping: Mapping('What the columns of its files of stones are, as ImportMapping'),
  jewelry_mapping: Mapping('What the columns of its files of jewelry are, as ImportMapping'),
  stone_type: nullable(
    oneOf(['mined', 'lab grown', 'both'], 'What the supplier sells; null lets the file decide'),
  ),
}

export const SupplierSchema = object('Supplier', {
  uuid: uuid('UUID of the supplier'),
  supplier_id: integer('Number of the supplier, by which the products of orders name it', 3),
  name,
  ...settings,
  reading: Reading,
  synced_on: nullable(timestamp('When the last import finished')),
  created_on: timestamp('When the supplier was created'),
  updated_on: timestamp('When the settings were last changed'),
})

export const ChangedSupplierSchema = object('ChangedSupplier', {
  ...SupplierSchema.properties,
  changed: integer('How many stones have another price because of the change', 1204),
})

const Settings = Type.Partial(Type.Object(settings))

export const SupplierBody = object('NewSupplier', { name, ...Settings.properties })
export const SupplierPatch = object('SupplierChange', { ...Settings.properties })
export const SuppliersSchema = pageOf('Suppliers', 'suppliers', SupplierSchema)

/** What the list of suppliers shows beside their settings. */
export const SupplierFigureSchema = object('SupplierFigure', {
  uuid: uuid('UUID of the supplier'),
  name,
  stones: integer('Stones and parcels for sale', 5300),
  fresh: flag("Whether the last import is within the supplier's freshness limit", true),
  open_lines: integer('Order lines that have not shipped completely', 4),
  unconfirmed_lines: integer('Those of them that wait for the answer of the supplier', 1),
  sources: integer('Feed sources', 1),
  failing_sources: integer('Sources whose last run failed', 0),
  paused_sources: integer('Sources that are paused', 0),
})

export const SupplierFiguresSchema = pageOf('SupplierFigures', 'suppliers', SupplierFigureSchema)

/** A sheet of reference prices, for stones whose supplier names no list price. */
const PriceGridSchema = object('PriceGrid', {
  uuid: uuid('UUID of the sheet'),
  shape: oneOf(['BR', 'PS'], 'BR is for round stones, PS for all other shapes'),
  dated_on: text('Date of the sheet', '2026-03-31'),
  file_name: text('Name of the file that it was loaded from', 'round.csv'),
  rows: integer('Number of prices', 1980),
  loaded_on: timestamp('When it was loaded'),
  applied_on: nullable(
    timestamp('When every stone had its price; null while they are computed, and if it is older'),
  ),
  in_force: flag('Whether it is the newest of its shape, whose prices the stones have', true),
})

export const PriceGridsSchema = pageOf('PriceGrids', 'price_grids', PriceGridSchema)

export const LoadedGridsSchema = object('LoadedPriceGrids', {
  price_grids: list(PriceGridSchema, 'The sheets of the file'),
  changed: integer('How many stones have another list price now', 18_250),
})

export const PriceGridQuery = inlineObject({
  file_name: text('Name of the file, for the list', 'round.csv', { default: '', maxLength: 300 }),
})
