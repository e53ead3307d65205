import { Type } from 'typebox'
import { FIELDS } from '../../feeds/mapping/fields.ts'
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
import { limitField, offsetField } from './page.ts'

const MODES = ['update', 'replace'] as const
const STATUSES = ['reading', 'applying', 'done', 'failed', 'undoing', 'undone'] as const
const currency = (description: string) => text(description, 'USD', { pattern: '^[A-Z]{3}$' })

/** A record of texts, or of texts and nulls. */
const texts = (description: string, example: Record<string, string>) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
    examples: [example],
  })
const anything = (description: string) => Type.Unsafe<unknown>({ description })

export const ImportQuery = inlineObject({
  supplier: text('Whose stones they are; made by its first import', 'Surat Gems', {
    minLength: 1,
    maxLength: 120,
  }),
  mode: oneOf(MODES, 'replace also takes out what the file no longer has', { default: 'update' }),
  dry_run: flag('Show what would happen, and change nothing', false, { default: false }),
  currency: Type.Optional(currency("Of the file's prices; the supplier's unless given")),
  max_removed: number('Percent of the stock that a replacing file may take out', 40, {
    minimum: 0,
    maximum: 100,
    default: 40,
  }),
  file_name: text('The name of the file, for the history', 'stock.csv', {
    maxLength: 300,
    default: '',
  }),
  mapping: Type.Optional(
    text(
      `JSON of {column: field or null}, remembered for the supplier. Fields: ${FIELDS.join(', ')}`,
      '{"Cts.": "weight"}',
      { maxLength: 20_000 },
    ),
  ),
})

export const ImportListQuery = inlineObject({
  supplier: Type.Optional(text('Of one supplier only', 'Surat Gems')),
  limit: limitField(100, 1000),
  offset: offsetField,
})

const RejectionSchema = object('ImportRejection', {
  row: integer('The line of the file as an editor numbers it; in JSON the position from 1', 7),
  column: text('The column at fault', 'Weight'),
  value: text('What stands there', '-'),
  reason: text('Why the row is not for sale', 'has no weight above zero'),
})

const ColumnSchema = object('ImportColumn', {
  column: text('The name in the file', 'Cts.'),
  field: nullable(text('What it was taken for', 'weight')),
  confidence: number('How sure that is, 0 to 1', 1),
  reason: text('Why', 'named like weight, and 100 % of its values look like one'),
})

const NotesSchema = object('ImportNotes', {
  si3: integer("Stones graded SI3, sold as the supplier's setting says", 3),
  unreadable: list(
    object('UnreadableValue', {
      field: text('The field', 'culet_size'),
      value: text('What was not understood', 'chipped'),
      row: nullable(integer('The first row that has it, when known', 9)),
      count: integer('In how many rows', 2),
    }),
    'Values that were left out of stones which are sold all the same',
  ),
  other_labs: list(
    object('OtherLab', {
      lab_original: text('The laboratory as the file names it', 'HRD'),
      count: integer('How many stones', 4),
    }),
    'Laboratories outside the list, whose stones have a null lab',
  ),
})

const figures = {
  rows: integer('Rows of the file', 120),
  added: integer('Stones that are new', 10),
  changed: integer('Stones that changed', 5),
  unchanged: integer('Stones that are as they were', 104),
  removed: integer('Stones that the file no longer has', 0),
  rejected: integer('Rows that are not for sale', 1),
  not_offered: integer('Of the changed: stones that are not on offer any more', 0),
}

const DiffSchema = object('ImportDiff', {
  added: list(anything('A new stone'), 'The first thousand'),
  changed: list(anything('A stone, and its fields from and to'), 'The first thousand'),
  removed: list(anything('A stone that would go'), 'The first thousand'),
  price_jumps: list(anything('A price, from and to'), 'Prices that move by 20 % or more'),
})

export const ImportReportSchema = object('ImportReport', {
  uuid: uuid('The import'),
  supplier: text('The supplier', 'Surat Gems'),
  mode: oneOf(MODES, 'The mode'),
  ...figures,
  rejections: list(RejectionSchema, 'The first ten thousand'),
  mapping: texts('The columns that were used, by name', { 'Cts.': 'weight' }),
  unmapped: list(text('A column', 'Remarks'), 'The columns that were not used'),
  columns: list(ColumnSchema, 'What each column was taken for'),
  quarantined: integer('Of the rejected: rows whose price is off more than tenfold', 0),
  currency_code: currency("Of the file's prices"),
  notes: NotesSchema,
  dry_run: flag('Whether nothing was changed', false),
  diff: Type.Optional(DiffSchema),
})

const record = {
  uuid: uuid('The import'),
  supplier: text('The supplier', 'Surat Gems'),
  mode: oneOf(MODES, 'The mode'),
  status: oneOf(STATUSES, 'How far it came', { examples: ['done'] }),
  file_name: text('The name of the file', 'stock.csv'),
  currency_code: currency("Of the file's prices"),
  ...figures,
  failure: nullable(text('Why it failed', 'The file has no header row.')),
  started_on: timestamp('When it began'),
  finished_on: nullable(timestamp('When it ended')),
}

export const ImportRecordSchema = object('ImportRecord', record)

export const ImportDetailSchema = object('ImportDetail', {
  ...record,
  columns: list(ColumnSchema, 'What each column was taken for'),
  notes: Type.Unsafe<unknown>({
    type: 'object',
    // Empty until the import is done; without this the answer would always be.
    additionalProperties: true,
    description: 'Counts, values left out, laboratories outside the list',
  }),
  rejections: list(RejectionSchema, 'The first ten thousand'),
})

export const ConflictSchema = object('CertificateConflict', {
  lab: nullable(text('The laboratory', 'GIA')),
  cert_num: text('The certificate', '2141438171'),
  contradicts: list(text('A field', 'weight'), 'What the stones say differently'),
  suppliers: integer('How many suppliers have it', 2),
  stones: list(
    object('ConflictingStone', {
      sku: text('The stone', 'K7Q2M9X4TB'),
      supplier: text('Whose it is', 'Surat Gems'),
      vendor_sku: text("The supplier's number", 'A-1'),
      weight: number('Carats', 1.01),
      color: nullable(text('Colour', 'G')),
      shape: text('Shape', 'round'),
      state: text('Where it stands', 'available'),
    }),
    'The stones that share the certificate',
  ),
})

export const QuarantineSchema = object('Quarantine', {
  rows: list(
    object('QuarantinedRow', {
      import_uuid: uuid('The import'),
      supplier: text('Whose it is', 'Surat Gems'),
      row: integer('The row of the file', 7),
      column: text('The column', 'Price'),
      value: text('The price in dollars', '12.00'),
      reason: text('Why it is doubtful', 'is about 400 times below like stones'),
      vendor_sku: nullable(text("The supplier's number", 'A-1')),
    }),
    'Doubtful rows of the last import of each supplier',
  ),
})
