import { Type } from 'typebox'
import { JUMPS_SHARE_MAX, REMOVED_SHARE_MAX } from '../../feeds/importing/checks/import-checks.ts'
import { IMPORT_SORTS, IMPORT_STATUSES } from '../../feeds/importing/import-store.ts'
import type { ImportDiff } from '../../feeds/importing/plan-import.ts'
import { QUARANTINE_SORTS } from '../../feeds/importing/quarantine.ts'
import { FIELDS } from '../../feeds/mapping/fields.ts'
import { PRICE_OPTIONS } from '../../feeds/mapping/mapping.ts'
import type { MappingFile } from '../../feeds/mapping/mapping-file.ts'
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
import { fileNameField, ListQuery, PageQuery, SupplierPageQuery, sortFields } from './page.ts'

export const MODES = ['update', 'replace'] as const
export const currency = (description: string) => text(description, 'USD', { pattern: '^[A-Z]{3}$' })

/** How much of a supplier's stock a file may change. */
export function changeLimits(noun: 'stones' | 'variants') {
  const share = (subject: string, usual: number) =>
    number(`Largest share of the ${subject}`, usual, { minimum: 0, maximum: 100, default: usual })
  const removed = 'stock, in percent, that a replacing file may remove'
  const jumps = `known ${noun}, in percent, whose price may change by 20 % or more`
  return {
    max_removed: share(removed, REMOVED_SHARE_MAX * 100),
    max_jumps: share(jumps, JUMPS_SHARE_MAX * 100),
  }
}

/** A record of strings. */
const strings = (description: string, example: Record<string, string>) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
    examples: [example],
  })
/** A row of the differences that a dry run shows; it is described in words. */
const rowOf = <Kind extends keyof ImportDiff>(description: string) =>
  Type.Unsafe<ImportDiff[Kind][number]>({ description })

/** What an operator says about the columns of a file; `readMappingFile` checks it further. */
export const MappingFileSchema = Type.Unsafe<MappingFile>({
  title: 'ImportMapping',
  type: 'object',
  description:
    'What the columns of a file are. A key is the name of a column, or its position from 1, and ' +
    'its value a field, "ignore", null for no field, or an object with more. The key "//" is a ' +
    'comment. {"type": {"value": "lab grown"}} gives a field one value for all rows.',
  properties: { '//': { description: 'A comment: a text, or a list of texts' } },
  additionalProperties: {
    type: ['string', 'null', 'object'],
    properties: {
      field: { type: ['string', 'null'], description: 'The field, or null for none' },
      ignore: { type: 'boolean', description: 'Whether nothing in the column counts' },
      value: {
        type: ['string', 'number', 'boolean'],
        description: 'The value of all rows; the key is then a field',
      },
      values: {
        type: 'object',
        additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
        description: 'Translations of cells; null where one is still to be filled in',
      },
      note: { type: 'string', description: 'A comment' },
      ask: { type: 'string', description: 'What is asked about the column' },
      counts: {
        type: 'object',
        additionalProperties: { type: 'integer' },
        description: 'How often values occur that were not understood',
      },
    },
    additionalProperties: false,
  },
  examples: [
    {
      Gewicht: 'weight',
      Form: { field: 'shape', values: { Kreis: 'round' } },
      Lager: 'ignore',
      type: { value: 'lab grown' },
    },
  ],
})

export const ImportQuery = inlineObject({
  supplier: text('Supplier of the stones; created by its first import', 'Surat Gems', {
    minLength: 1,
    maxLength: 120,
  }),
  mode: oneOf(MODES, 'replace also removes stones that are not in the file', { default: 'update' }),
  dry_run: flag('Report what would happen, and change nothing', false, { default: false }),
  currency: Type.Optional(
    currency("Currency of the prices in the file; the supplier's unless given"),
  ),
  ...changeLimits('stones'),
  price: Type.Optional(
    oneOf(PRICE_OPTIONS, 'What the price column holds; remembered for the supplier'),
  ),
  accept_prices: flag('Accept prices that are far from those of similar stones', false, {
    default: false,
  }),
  relearn: flag("Accept a file that reads differently from the supplier's last one", false, {
    default: false,
  }),
  file_name: text('Name of the file, for the history', 'stock.csv', {
    maxLength: 300,
    default: '',
  }),
  sheet: Type.Optional(
    text('Only this sheet of a workbook; all that have stones unless given', 'Stock', {
      maxLength: 200,
    }),
  ),
  mapping: Type.Optional(
    text(
      'JSON of a mapping (ImportMapping), remembered for the supplier. A longer one is set by ' +
        `changing the supplier. Fields: ${FIELDS.join(', ')}`,
      '{"Cts.": "weight"}',
      { maxLength: 20_000 },
    ),
  ),
})

const { supplier, ...ownImport } = ImportQuery.properties
const { currency: fileCurrency, price, relearn, mapping, sheet } = ownImport

/** The supplier is the caller. */
export const OwnImportQuery = inlineObject(ownImport)

export const ExplainQuery = inlineObject({
  supplier,
  currency: fileCurrency,
  price,
  relearn,
  mapping,
  sheet,
})

const importPage = {
  q: fileNameField,
  status: Type.Optional(oneOf(IMPORT_STATUSES, 'Only imports with it', { examples: ['done'] })),
  ...sortFields(IMPORT_SORTS, { col: 'started_on', order: 'desc' }),
}
export const OwnImportListQuery = inlineObject({ ...importPage, ...ListQuery.properties })
export const ImportListQuery = inlineObject({
  supplier: Type.Optional(text('Only imports of this supplier', 'Surat Gems')),
  ...importPage,
  ...PageQuery.properties,
})

export const QuarantineQuery = inlineObject({
  ...SupplierPageQuery.properties,
  ...sortFields(QUARANTINE_SORTS, { col: 'supplier', order: 'asc' }),
})

const RejectionSchema = object('ImportRejection', {
  row: integer('Line number in the file; for JSON, the position from 1', 7),
  column: text('Column with the error', 'Weight'),
  value: text('Value in the file', '-'),
  reason: text('Why the row was rejected', 'The weight is missing'),
})

const ColumnSchema = object('ImportColumn', {
  column: text('Name in the file', 'Cts.'),
  field: nullable(text('Field that it was mapped to', 'weight')),
  confidence: number('Confidence of the mapping, 0 to 1', 1),
  reason: text(
    'Reason for the mapping',
    'named like weight, and 100 % of its values look like one',
  ),
  filled: Type.Optional(integer('How many of the sampled rows have a value', 118)),
  sampled: Type.Optional(integer('Number of sampled rows', 120)),
  constant: Type.Optional(
    text('Value of all rows, from the mapping; the column is not in the file', 'lab grown'),
  ),
})

const NotesSchema = object('ImportNotes', {
  si3: integer("Stones graded SI3, which are sold as the supplier's setting says", 3),
  estimated_sizes: integer(
    'Parcels whose file names no size; that of round stones is estimated from their weight',
    0,
  ),
  estimated_counts: Type.Optional(
    integer('Parcels whose number of stones is estimated from the weight or size of one', 2),
  ),
  worst_clarities: Type.Optional(integer('Stones sold as the worst of several clarities', 4)),
  unreadable: list(
    object('UnreadableValue', {
      field: text('Field', 'culet_size'),
      value: text('Value that was not understood', 'chipped'),
      row: nullable(integer('First row with the value, if known', 9)),
      count: integer('Number of rows', 2),
    }),
    'Values that were left out; their stones are still sold',
  ),
  other_labs: list(
    object('OtherLab', {
      lab_original: text('Laboratory as the file names it', 'HRD'),
      count: integer('Number of stones', 4),
    }),
    'Unknown laboratories, whose stones have a null lab',
  ),
  file: list(
    text('A sentence', 'The sheet "Terms" has no header row and was left out.'),
    'Sheets, tables or files that were read as one list, and those that were left out',
  ),
})

const figures = {
  rows: integer('Rows in the file', 120),
  added: integer('New stones', 10),
  changed: integer('Changed stones', 5),
  unchanged: integer('Unchanged stones', 104),
  removed: integer('Stones that were removed because the file no longer has them', 0),
  rejected: integer('Rejected rows', 1),
  not_offered: integer('Changed stones that are no longer for sale', 0),
}

const DiffSchema = object('ImportDiff', {
  added: list(rowOf<'added'>('A new stone'), 'The first 1,000'),
  changed: list(rowOf<'changed'>('A stone with its old and new values'), 'The first 1,000'),
  removed: list(rowOf<'removed'>('A stone that would be removed'), 'The first 1,000'),
  price_jumps: list(
    rowOf<'price_jumps'>('An old and a new price'),
    'Prices that change by 20 % or more',
  ),
})

export const ImportReportSchema = object('ImportReport', {
  uuid: uuid('UUID of the import'),
  supplier: text('Name of the supplier', 'Surat Gems'),
  mode: oneOf(MODES, 'Mode of the import'),
  ...figures,
  rejections: list(RejectionSchema, 'The first 10,000'),
  mapping: strings('Columns that were used, and their fields', { 'Cts.': 'weight' }),
  unmapped: list(text('A column', 'Remarks'), 'Columns that were not used'),
  columns: list(ColumnSchema, 'How each column was mapped'),
  quarantined: integer('Rejected rows whose price is more than ten times too high or too low', 0),
  currency_code: currency('Currency of the prices in the file'),
  notes: NotesSchema,
  dry_run: flag('Whether this was a dry run, which changes nothing', false),
  diff: Type.Optional(DiffSchema),
})

const record = {
  uuid: uuid('UUID of the import'),
  supplier: text('Name of the supplier', 'Surat Gems'),
  mode: oneOf(MODES, 'Mode of the import'),
  status: oneOf(IMPORT_STATUSES, 'Status of the import', { examples: ['done'] }),
  file_name: text('Name of the file', 'stock.csv'),
  currency_code: currency('Currency of the prices in the file'),
  ...figures,
  failure: nullable(text('Why it failed', 'The file has no header row.')),
  started_on: timestamp('When it started'),
  finished_on: nullable(timestamp('When it finished')),
}

export const ImportRecordSchema = object('ImportRecord', record)

export const ImportDetailSchema = object('ImportDetail', {
  ...record,
  columns: list(ColumnSchema, 'How each column was mapped'),
  notes: Type.Unsafe<unknown>({
    type: 'object',
    // Without this the serializer would drop all members, because the schema names none.
    additionalProperties: true,
    description:
      'SI3 stones, values left out and unknown laboratories; empty until the import is done',
  }),
  rejections: list(RejectionSchema, 'The first 10,000'),
})

const quarantined = {
  uuid: uuid('UUID of the row'),
  import_uuid: uuid('UUID of the import'),
  supplier: text('Name of the supplier', 'Surat Gems'),
  row: integer('Row in the file', 7),
  column: text('Column', 'Price'),
  value: text('Value in the file', '12.00'),
  reason: text('Why it is doubtful', 'The price is about 400 times lower than for similar stones'),
  vendor_sku: nullable(text("The supplier's SKU", 'A-1')),
}

export const QuarantinedRowSchema = object('QuarantinedRow', quarantined)

export const DecidedRowSchema = object('DecidedQuarantineRow', {
  ...quarantined,
  decision: oneOf(['released', 'dismissed'], 'What was decided'),
  sku: nullable(text('SKU of the stone that is on sale now, if it was released', 'K7Q2M9X4TB')),
})
