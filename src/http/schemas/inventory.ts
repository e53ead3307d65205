import { Type } from 'typebox'
import { HOLD_MINUTES_MAX } from '../../gems/holds.ts'
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
import { GemSchema } from './gem.ts'
import { ProblemSchema } from './problem.ts'

export const HoldBody = inlineObject(
  {
    sku: text('SKU of the stone', 'PV-7Q2M4K', { minLength: 1, maxLength: 100 }),
    minutes: number('How long to hold it; fractions are allowed', 60, {
      exclusiveMinimum: 0,
      maximum: HOLD_MINUTES_MAX,
      default: 60,
    }),
  },
  { title: 'NewHold' },
)

export const HoldSchema = object('Hold', {
  uuid: uuid('UUID of the hold'),
  sku: text('SKU of the stone', 'PV-7Q2M4K'),
  merchant_uuid: uuid('Merchant that holds the stone'),
  created_on: timestamp('When the hold was placed'),
  expires_on: timestamp('When the hold expires'),
})

export const ChangesQuery = inlineObject({
  after: integer('The sequence of a snapshot, or `next` of the last response', 4711, {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  limit: integer('Maximum number of changes', 1000, {
    minimum: 1,
    maximum: 1000,
    default: 1000,
  }),
  wait: integer('Seconds to wait for a change if there is none yet', 0, {
    minimum: 0,
    maximum: 30,
    default: 0,
  }),
})

const KINDS = [
  'new',
  'price',
  'media',
  'details',
  'hold',
  'release',
  'sold',
  'memo',
  'gone',
  'back',
  'prices',
] as const

export const ChangesSchema = object('Changes', {
  changes: list(
    object('Change', {
      sequence: integer('Number of the change', 4712),
      kind: oneOf(
        KINDS,
        'What happened. `prices` means that all of your prices changed: take a new snapshot',
      ),
      sku: nullable(text('SKU of the stone; null when the kind is `prices`', 'D-4711')),
      gem: Type.Unsafe<unknown>({
        ...GemSchema,
        type: ['object', 'null'],
        description: 'The stone as it is now at your prices; null when you no longer see it',
      }),
      changed_on: timestamp('When it happened'),
    }),
    'Oldest first',
  ),
  next: integer('What to send as `after` in the next request', 4712),
  more: flag('Whether there are more changes after `next` already', false),
})

/** The lines of a snapshot differ in shape, so the document describes them in words. */
export const SnapshotSchema = {
  description:
    'Lines of JSON: first `{"kind": "snapshot", "sequence": N, "currency_code": "USD"}`, then ' +
    'one visible diamond per line with the fields of a search result, last ' +
    '`{"kind": "end", "count": M}`. Without the last line the snapshot is incomplete.',
  content: {
    'application/x-ndjson': {
      schema: {
        type: 'string',
        description: 'One JSON object per line',
        examples: ['{"kind":"snapshot","sequence":4711,"currency_code":"USD"}'],
      },
    },
  },
}

export const ChangesExpired = {
  description:
    'The change log no longer goes back that far (`changes_expired`): take a new snapshot',
  content: { 'application/problem+json': { schema: ProblemSchema } },
}
