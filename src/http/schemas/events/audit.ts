import { Type } from 'typebox'
import { ENTRY_SORTS, OWN_ENTRY_SORTS } from '../../../audit/list-entries.ts'
import { SUBJECT_LENGTH_MAX } from '../../../audit/record-entry.ts'
import { inlineObject, integer, list, nullable, object, text, timestamp, uuid } from '../fields.ts'
import {
  cursorField,
  listLimit,
  nextCursorField,
  offsetWithoutCursor,
  sortFields,
} from '../page.ts'

const MOMENT_LENGTH_MAX = 40
const ACTION_LENGTH_MAX = 100

/** What both lists of entries are filtered by. */
export const AuditQuery = inlineObject({
  actor: Type.Optional(
    text(
      'Only what this user or token did, by UUID; `command_line` or `system` for those',
      '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90',
      { minLength: 1, maxLength: 64 },
    ),
  ),
  subject: Type.Optional(
    text('Only what was done to this, by its id', '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90', {
      minLength: 1,
      maxLength: SUBJECT_LENGTH_MAX,
    }),
  ),
  action: Type.Optional(
    text('Only this action; `order.*` for all actions on orders', 'order.cancel', {
      minLength: 1,
      maxLength: ACTION_LENGTH_MAX,
    }),
  ),
  from: Type.Optional(
    text('Only entries from this moment on, a timestamp or a day', '2026-01-31T00:00:00Z', {
      maxLength: MOMENT_LENGTH_MAX,
    }),
  ),
  to: Type.Optional(
    text('Only entries before this moment, a timestamp or a day', '2026-02-28T00:00:00Z', {
      maxLength: MOMENT_LENGTH_MAX,
    }),
  ),
  limit: listLimit,
  offset: offsetWithoutCursor,
  ...sortFields(OWN_ENTRY_SORTS, { col: 'at', order: 'desc' }),
  cursor: cursorField('next_cursor of the page before; filters and sort must be the same'),
})

export const OperatorAuditQuery = inlineObject({
  ...AuditQuery.properties,
  ...sortFields(ENTRY_SORTS, { col: 'at', order: 'desc' }),
  merchant_uuid: Type.Optional(uuid('Only what this merchant did, and what was done to it')),
})

const fields = (description: string, example: Record<string, unknown>) =>
  nullable(Type.Object({}, { additionalProperties: true, description, examples: [example] }))

const AuditEntrySchema = object('AuditEntry', {
  uuid: uuid('UUID of the entry'),
  at: timestamp('When it happened'),
  actor: object('AuditActor', {
    kind: text('`user`, `token`, `command_line` or `system`; another side for a merchant', 'user'),
    uuid: nullable(uuid('UUID of the user or the token; null for the others')),
    name: text('Name of the actor', 'Buyer'),
  }),
  action: text('What was done', 'order.cancel'),
  subject: object('AuditSubject', {
    kind: text('What it was done to', 'order'),
    id: text('Its id: mostly a UUID, of a stone the SKU', '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'),
  }),
  before: fields('The fields that differ, before; null when it did not exist', {
    order_status: null,
  }),
  after: fields('The same fields, after; null when it does not exist any more', {
    order_status: 'cancelled',
  }),
  request_id: nullable(text('X-Request-Id of the request', 'c0ffee-1')),
  ip: nullable(text('Address that the request came from', '203.0.113.7')),
})

export const AuditEntriesSchema = object('AuditEntries', {
  entries: list(AuditEntrySchema, 'Newest first unless sorted otherwise'),
  total: integer('Number of entries with these filters', 1),
  offset: integer('Number of entries skipped, or on the pages before', 0),
  limit: integer('Maximum number of entries on a page', 100),
  next_cursor: nextCursorField,
})
