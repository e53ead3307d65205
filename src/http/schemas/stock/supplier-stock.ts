import { type TSchema, Type } from 'typebox'
import {
  EXTENSION_FIELDS,
  type ExtensionField,
  STONE_FIELDS,
  type StoneField,
} from '../../../gems/gem.ts'
import { LIFE_STATES } from '../../../gems/gem-life.ts'
import {
  SUPPLIER_STOCK_SORTS,
  WRITTEN_FIELDS,
  type WrittenField,
} from '../../../gems/supplier-stock.ts'
import {
  flag,
  inlineObject,
  integer,
  nullable,
  number,
  object,
  oneOf,
  text,
  timestamp,
} from '../fields.ts'
import { GemSchema, GemV3Schema } from '../gem.ts'
import { pageOf, sortFields } from '../page.ts'
import { GemListQuerySchema } from './gems.ts'

const { supplier: _, ...ownQuery } = GemListQuerySchema.properties

/** The supplier is the caller. */
export const SupplierStockQuery = inlineObject({
  ...ownQuery,
  ...sortFields(SUPPLIER_STOCK_SORTS, { col: 'vendor_sku', order: 'asc' }),
})

const words = (description: string, example: string) => nullable(text(description, example))
const millimetres = (description: string) => nullable(number(description, 0.02))

/** What a feed says that merchants do not see in this form. */
const ownFields = {
  vendor_sku: text('Your stock number', 'A-1'),
  species: words('Species of a gemstone', 'sapphire'),
  origin: words('Origin of a gemstone', 'Ceylon'),
  is_sustainable: nullable(flag('Whether it is marked as sustainable', true)),
  internal_days_to_return: nullable(integer('Days in which the operator may return it to you', 21)),
  tolerance_positive: millimetres('Upper size tolerance of a parcel in millimetres'),
  tolerance_negative: millimetres('Lower size tolerance of a parcel in millimetres'),
  cached_ux_url: words('360 degree viewer, from a cache', 'https://media.example/view'),
  pair_vendor_sku: words('Your stock number of the other stone of a pair', 'A-2'),
} satisfies Partial<Record<WrittenField, TSchema>>

const own: ReadonlyMap<string, TSchema> = new Map(Object.entries(ownFields))

/** A field has one description for all who see it. */
function schemaOf(name: WrittenField): TSchema {
  const schema = own.get(name)
  if (schema) return schema
  if (isStoneField(name)) return GemSchema.properties[name]
  if (isExtension(name)) return GemV3Schema.properties[name]
  throw new Error(`${name} has no schema`)
}

function isStoneField(name: string): name is StoneField {
  return (STONE_FIELDS as readonly string[]).includes(name)
}

function isExtension(name: string): name is ExtensionField {
  return (EXTENSION_FIELDS as readonly string[]).includes(name)
}

const writtenFields = Object.fromEntries(
  WRITTEN_FIELDS.map((name) => [name, Type.Unsafe<unknown>(schemaOf(name))]),
) as Record<WrittenField, ReturnType<typeof Type.Unsafe<unknown>>>

const SupplierStoneSchema = object('SupplierStone', {
  sku: text('SKU of the market, which orders name', 'K7Q2M9X4TB'),
  state: oneOf(
    LIFE_STATES,
    'held: a hold is running. memo: with a merchant on memo. gone: your feed no longer lists ' +
      'it, or you declined it. disabled: the operator took it off sale',
  ),
  price: number('Your price in US dollars; of a parcel per carat', 4000),
  list_price: nullable(number('List price in US dollars, if your feed names one', 7000)),
  quantity: integer('Quantity that is still for sale', 1),
  feed_quantity: integer('Quantity in your feed', 1),
  ...writtenFields,
  created_on: timestamp('When it was added to the market'),
  updated_on: timestamp('When it last changed'),
})

export const SupplierStockPage = pageOf('SupplierStock', 'stones', SupplierStoneSchema)
