import { Type } from 'typebox'
import { JEWELRY_FIELDS } from '../../jewelry/importing/columns.ts'
import {
  JEWELRY_IMPORT_SORTS,
  JEWELRY_IMPORT_STATUSES,
} from '../../jewelry/importing/import-store.ts'
import {
  flag,
  inlineObject,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from './fields.ts'
import { changeLimits, currency, MODES } from './imports.ts'
import { fileNameField, PageQuery, sortFields } from './page.ts'

/** Catalogues and imports of jewelry, as the operator sees them. */
const name = text('Name of the catalogue', 'Bridal', { minLength: 1, maxLength: 120 })
const published = flag('Whether it is published; every merchant then sees a public catalogue', true)
const isPublic = flag('Whether it is meant for every merchant', true)

export const CatalogueSchema = object('Catalogue', {
  uuid: uuid('UUID of the catalogue'),
  name,
  published,
  public: isPublic,
  product_count: integer('Number of products', 480),
  merchant_uuids: list(
    uuid('A merchant'),
    'Merchants that it is shared with, who see it in any case',
  ),
  created_on: timestamp('When it was created'),
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
  { add: products('Products to add'), remove: products('Products to remove') },
  { title: 'CatalogueProducts', minProperties: 1 },
)

export const JewelryImportQuery = inlineObject({
  supplier: text('Supplier of the pieces; created by its first import', 'Amberfold Atelier', {
    minLength: 1,
    maxLength: 120,
  }),
  mode: oneOf(MODES, 'replace also removes variants that are not in the file', {
    default: 'update',
  }),
  dry_run: flag('Report what would happen, and change nothing', false, { default: false }),
  currency: Type.Optional(currency("Currency of prices without one; the supplier's unless given")),
  ...changeLimits('variants'),
  file_name: text('Name of the file, for the history', 'rings.csv', {
    maxLength: 300,
    default: '',
  }),
  catalogue: Type.Optional(
    text('Name or UUID of the catalogue for new products', 'Bridal', { maxLength: 120 }),
  ),
  mapping: Type.Optional(
    text(
      'JSON of a mapping (ImportMapping), remembered for the supplier. A longer one is set as ' +
        `jewelry_mapping of the supplier. Fields: ${JEWELRY_FIELDS.join(', ')}`,
      '{"Artikel": "vendor_sku"}',
      { maxLength: 20_000 },
    ),
  ),
})

export const JewelryExplainQuery = inlineObject({
  supplier: JewelryImportQuery.properties.supplier,
  mapping: JewelryImportQuery.properties.mapping,
})

const reportFields = {
  uuid: uuid('UUID of the import'),
  supplier: text('Name of the supplier', 'Amberfold Atelier'),
  mode: oneOf(MODES, 'Mode of the import'),
  rows: integer('Rows in the file', 120),
  added: integer('New variants', 100),
  changed: integer('Changed variants', 10),
  unchanged: integer('Unchanged variants', 8),
  removed: integer('Variants that were removed because the file no longer has them', 0),
  rejected: integer('Rejected rows', 2),
  rejections: list(
    object('JewelryRejection', {
      row: integer('Line number in the file; for JSON, the position from 1', 7),
      column: text('Column with the error', 'Jewelry Total Price'),
      value: text('Value in the file', 'ask'),
      reason: text('Why the row was rejected', 'The price is not a number above zero'),
    }),
    'The first 10,000',
  ),
  mapping: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'How each column was mapped',
    examples: [{ 'Jewelry MSRP': 'retail_price' }],
  }),
  unmapped: list(text('A column', 'Shelf'), 'Columns that were not used'),
  catalogue: text('Catalogue of the new products', 'General'),
  notes: list(
    text('A sentence', '3 rows only added a picture.'),
    'What was left out or not understood',
  ),
}

export const JewelryReportSchema = object('JewelryReport', {
  ...reportFields,
  dry_run: flag('Whether this was a dry run, which changes nothing', false),
})

export const JewelryImportListQuery = inlineObject({
  ...PageQuery.properties,
  supplier: Type.Optional(
    text('Only imports of this supplier', 'Brindlewick Jewelry', { maxLength: 200 }),
  ),
  q: fileNameField,
  status: Type.Optional(oneOf(JEWELRY_IMPORT_STATUSES, 'Only imports that ended so')),
  ...sortFields(JEWELRY_IMPORT_SORTS, { col: 'created_on', order: 'desc' }),
})

export const JewelryImportSchema = object('JewelryImport', {
  ...reportFields,
  file_name: text('Name of the file', 'rings.csv'),
  created_on: timestamp('When it ran'),
  undone_on: nullable(timestamp('When it was undone')),
  failure: nullable(text('Why it failed; a failed import changed nothing', 'The file is empty.')),
})
