import { Type } from 'typebox'
import { MARKET_EVENT_TYPES } from '../../../events/operator-events.ts'
import { PRICE_OPTIONS } from '../../../feeds/mapping/mapping.ts'
import { RUN_OUTCOMES, RUN_SORTS, RUN_STARTERS } from '../../../feeds/sources/run-history.ts'
import { EVERY_ABSENT, SOURCE_STATES } from '../../../feeds/sources/source.ts'
import {
  flag,
  inlineObject,
  integer,
  line,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'
import { limitField, listLimit, offsetField, sortFields } from '../page.ts'

/** Feed sources, their runs, and the events of the whole market. */
const url = text(
  'Where the file is: https, http, sftp, ftp or ftps. Of a folder, or of a pattern such as *.csv ' +
    'after the last "/", the newest file is taken (not over http). Without user and password',
  'sftp://feeds.surat-gems.example/out/*.csv',
  { minLength: 1, maxLength: 2000 },
)
const every = text('How often the file is fetched: 1m to 31d', '2h', {
  pattern: '^\\d{1,7}[smhd]$',
})
const mode = oneOf(['update', 'replace'], 'replace also removes stones that are not in the file', {
  default: 'update',
})
const user = line('Who signs in', 'pavilion')
const password = text('Stored encrypted, and never shown again', 'a-long-password', {
  minLength: 1,
  maxLength: 1000,
})
const key = text(
  'Private key for sftp, without a passphrase; stored encrypted, and never shown again',
  '-----BEGIN OPENSSH PRIVATE KEY-----\n…',
  { minLength: 1, maxLength: 20_000 },
)
const hostKey = text(
  'Fingerprint of the host key (sftp) or of the certificate (ftps, https). sftp always needs it: ' +
    'a run without one fails, and says which fingerprint it saw',
  'SHA256:uNiVztksCsDhcc0u9e8BrrQXVUpKZIDTMczCvj3tD2s',
  { maxLength: 60 },
)
const Mapping = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description: "The operator's own column mapping, as for an import",
  examples: [{ 'Cts.': 'weight' }],
})

const sheet = line('Only this sheet of a workbook; all that have stones unless given', 'Stock', {
  minLength: 1,
})

const changeable = {
  every: Type.Optional(every),
  user: Type.Optional(nullable(user)),
  password: Type.Optional(nullable(password)),
  key: Type.Optional(nullable(key)),
  host_key: Type.Optional(nullable(hostKey)),
  sheet: Type.Optional(nullable(sheet)),
  mapping: Type.Optional(Mapping),
}

export const SourceBody = inlineObject(
  {
    supplier: text('Supplier of the stones; created when it does not exist', 'Surat Gems', {
      minLength: 1,
      maxLength: 120,
    }),
    url,
    ...changeable,
    every: Type.Optional({ ...every, default: EVERY_ABSENT }),
    mode: Type.Optional(mode),
  },
  { title: 'NewSource' },
)

export const SourcePatch = inlineObject(
  {
    url: Type.Optional(url),
    ...changeable,
    mode: Type.Optional(
      oneOf(['update', 'replace'], 'replace also removes stones that are not in the file'),
    ),
  },
  { title: 'SourceChange', minProperties: 1 },
)

const source = {
  uuid: uuid('UUID of the source'),
  supplier: text('Name of the supplier', 'Surat Gems'),
  url: text(
    'Where the file is; parameters that look like secrets are hidden',
    'sftp://feeds.surat-gems.example/out/*.csv',
  ),
  every: text('How often the file is fetched', '2h'),
  mode: oneOf(['update', 'replace'], 'Mode of the imports'),
  user: nullable(text('Who signs in', 'pavilion')),
  has_password: flag('Whether a password is stored', true),
  has_key: flag('Whether a private key is stored', false),
  host_key: nullable(text('Fingerprint that the server must have', 'SHA256:uNiVztks…')),
  sheet: nullable(text('Only this sheet of a workbook', 'Stock')),
  mapping: Mapping,
  state: oneOf(SOURCE_STATES, 'failing: the last run failed'),
  failures: integer('Failed runs since the last success', 0),
  failing_since: nullable(timestamp('When the first of them failed')),
  due_on: nullable(timestamp('When it is fetched next; null while paused')),
  paused_on: nullable(timestamp('When it was paused')),
  created_on: timestamp('When it was added'),
  updated_on: timestamp('When the operator last changed it'),
}

export const SourceSchema = object('Source', source)

const count = (description: string) => nullable(integer(description, 0))

export const SourceRunSchema = object('SourceRun', {
  uuid: uuid('UUID of the run'),
  started_by: oneOf(RUN_STARTERS, 'Who started it'),
  outcome: nullable(
    oneOf(
      RUN_OUTCOMES,
      'unchanged: the file is the one that was imported last; null while it runs',
    ),
  ),
  file_name: nullable(text('The file that was found', 'stock-2026-01-31.csv')),
  bytes: nullable(integer('Bytes that were fetched', 148_213)),
  import_uuid: nullable(uuid('The import that it made')),
  rows: count('Rows of the import'),
  added: count('Stones that are new'),
  changed: count('Stones that changed'),
  unchanged: count('Stones that are as before'),
  removed: count('Stones that were removed'),
  rejected: count('Rows that were rejected'),
  code: nullable(text('Why it failed, for programs', 'too_many_removed')),
  failure: nullable(text('Why it failed', 'The file would remove 60 % of the stones.')),
  started_on: timestamp('When it started'),
  finished_on: nullable(timestamp('When it finished')),
})

export const SourceDetailSchema = object('SourceDetail', {
  ...source,
  runs: list(SourceRunSchema, 'Its runs, newest first unless sorted otherwise'),
  total: integer('Number of runs that are kept and match', 1),
  offset: integer('Number of runs skipped', 0),
  limit: integer('Maximum number of runs', 20),
})

export const SourceListQuery = inlineObject({
  limit: listLimit,
  offset: offsetField,
  supplier: Type.Optional(text('Only sources of this supplier', 'Surat Gems', { maxLength: 120 })),
})

export const SourceRunsQuery = inlineObject({
  outcome: Type.Optional(
    oneOf(RUN_OUTCOMES, 'Only runs that ended so', { examples: ['unchanged'] }),
  ),
  started_by: Type.Optional(oneOf(RUN_STARTERS, 'Only runs that were started so')),
  ...sortFields(RUN_SORTS, { col: 'started_on', order: 'desc' }),
  limit: limitField(20, 500),
  offset: offsetField,
})

const share = (description: string, absent: number) =>
  Type.Optional(number(description, absent, { minimum: 0, maximum: 100 }))
const settles = (description: string) => flag(description, false, { default: false })

/** What settles a refused import, for this run only unless it says otherwise. */
export const SourceRunQuery = inlineObject({
  force: settles('Import the file even if it is the one that was imported last'),
  currency: Type.Optional(
    text("Currency of the prices; the supplier's unless given", 'USD', { pattern: '^[A-Z]{3}$' }),
  ),
  max_removed: share(
    'Largest share of the stock, in percent, that it may remove; 40 unless given',
    40,
  ),
  max_jumps: share(
    'Largest share of the known stones, in percent, whose price may change by 20 % or more; ' +
      '5 unless given',
    5,
  ),
  price: Type.Optional(
    oneOf(PRICE_OPTIONS, 'What the price column holds; remembered for the supplier'),
  ),
  accept_prices: settles('Accept prices that are far from those of similar stones'),
  relearn: settles("Accept a file that reads differently from the supplier's last one"),
})

export const MarketEventQuery = inlineObject({
  after: Type.Optional(
    integer('Only events after this number, oldest first; without it the newest come first', 0, {
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  ),
  event_type: Type.Optional(oneOf(MARKET_EVENT_TYPES, 'Only events of this type')),
  limit: listLimit,
  offset: offsetField,
})

export const MarketEventsSchema = object('MarketEvents', {
  events: list(
    object('MarketEvent', {
      uuid: uuid('UUID of the event'),
      sequence: integer('Number of the event among all events of the market', 42),
      merchant_uuid: nullable(uuid("Whose event it is; null for the operator's own")),
      event_type: text('Type of the event', 'source.fail'),
      event_data: Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'Depends on the type of event',
          examples: [{ source_uuid: '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90' }],
        },
      ),
      created_on: timestamp('When the event happened'),
      updated_on: timestamp('The same as created_on'),
    }),
    'Newest first, or oldest first with `after`',
  ),
  next: integer('What to send as `after` to get only what follows', 42),
  more: flag('Whether there are more events on the next page', false),
  total: integer('Total number of events, of the type that is asked for', 1),
  offset: integer('Number of events skipped', 0),
  limit: integer('Maximum number of events', 100),
})
