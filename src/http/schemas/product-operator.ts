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

const MODES = ['update', 'replace'] as const
const name = text('What the operator calls it', 'Bridal', { minLength: 1, maxLength: 120 })
const published = flag('Whether it is out; a public one is then seen by every merchant', true)
const isPublic = flag('Whether it is for every merchant', true)

export const CatalogueSchema = object('Catalogue', {
  uuid: uuid('The catalogue'),
  name,
  published,
  public: isPublic,
  product_count: integer('Products in it', 480),
  merchant_uuids: list(
    uuid('A merchant'),
    'The merchants that it is shared with; they see it in any case',
  ),
  created_on: timestamp('When it was made'),
  updated_on: timestamp('When it was last changed'),
})

export const CatalogueBody = inlineObject(
  { name, published: Type.Optional(published), public: Type.Optional(isPublic) },
  { title: 'NewCatalogue' },
)

export const CataloguePatch = inlineObject(
  {
    name: Type.Optional(name),
    published: Type.Optional(published),
    public: Type.Optional(isPublic),
  },
  { title: 'CatalogueChange', minProperties: 1 },
)

const PRODUCTS_MAX = 5_000
const products = (description: string) =>
  Type.Optional(list(uuid('A product'), description, { maxItems: PRODUCTS_MAX }))

export const CatalogueProductsBody = inlineObject(
  { add: products('Products to put in'), remove: products('Products to take out') },
  { title: 'CatalogueProducts', minProperties: 1 },
)

export const JewelryImportQuery = inlineObject({
  supplier: text('Whose pieces they are; made by its first import', 'Amberfold Atelier', {
    minLength: 1,
    maxLength: 120,
  }),
  mode: oneOf(MODES, 'replace also takes out what the file no longer has', { default: 'update' }),
  dry_run: flag('Show what would happen, and change nothing', false, { default: false }),
  currency: Type.Optional(
    text("Of prices that name none; the supplier's unless given", 'USD', { pattern: '^[A-Z]{3}$' }),
  ),
  max_removed: number('Percent of the stock that a replacing file may take out', 40, {
    minimum: 0,
    maximum: 100,
    default: 40,
  }),
  file_name: text('The name of the file, for the history', 'rings.csv', {
    maxLength: 300,
    default: '',
  }),
  catalogue: Type.Optional(
    text('Name or uuid of the catalogue for new products', 'Bridal', { maxLength: 120 }),
  ),
})

const reportFields = {
  uuid: uuid('The import'),
  supplier: text('Whose pieces they are', 'Amberfold Atelier'),
  mode: oneOf(MODES, 'How it was done'),
  rows: integer('Rows of the file', 120),
  added: integer('Variants that are new', 100),
  changed: integer('Variants that changed', 10),
  unchanged: integer('Variants that are as they were', 8),
  removed: integer('Variants that the file no longer has', 0),
  rejected: integer('Rows that are not for sale', 2),
  rejections: list(
    object('JewelryRejection', {
      row: integer('The line of the file as an editor numbers it; in JSON the position from 1', 7),
      column: text('The column at fault', 'Jewelry Total Price'),
      value: text('What stands there', 'ask'),
      reason: text('Why the row is not for sale', 'is no price above zero'),
    }),
    'The first 10,000 of them',
  ),
  mapping: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'What each column was taken for',
    examples: [{ 'Jewelry MSRP': 'retail_price' }],
  }),
  unmapped: list(text('A column', 'Shelf'), 'Columns that nothing was made of'),
  catalogue: text('Where new products went', 'General'),
}

export const JewelryReportSchema = object('JewelryReport', {
  ...reportFields,
  dry_run: flag('Whether nothing was changed', false),
})

export const JewelryImportSchema = object('JewelryImport', {
  ...reportFields,
  file_name: text('The name of the file', 'rings.csv'),
  created_on: timestamp('When it was done'),
  undone_on: nullable(timestamp('When it was taken back')),
})
