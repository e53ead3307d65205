import { Type } from 'typebox'
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
} from './fields.ts'
import { GemSchema } from './gem.ts'
import { ProblemSchema } from './problem.ts'

export const ChangesQuery = inlineObject({
  after: integer('The number of a snapshot, or `next` of the last answer', 4711, {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  limit: integer('Most changes to answer with', 1000, {
    minimum: 1,
    maximum: 1000,
    default: 1000,
  }),
  wait: integer('Seconds to wait for a change when there is none yet', 0, {
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
      sequence: integer('Its number', 4712),
      kind: oneOf(KINDS, 'What happened; `prices`: all of your prices, take a new snapshot'),
      sku: nullable(text('The stone; null when the kind is `prices`', 'D-4711')),
      gem: Type.Unsafe<unknown>({
        ...GemSchema,
        type: ['object', 'null'],
        description: 'The stone as it is now at your prices; null: drop it',
      }),
      changed_on: timestamp('When it happened'),
    }),
    'Oldest first',
  ),
  next: integer('What to ask for after', 4712),
  more: flag('Whether there are changes after `next` already', false),
})

/** The lines of a snapshot are documented in words: a stream has no one schema. */
export const SnapshotSchema = {
  description:
    'Lines of JSON: first `{"kind": "snapshot", "sequence": N, "currency_code": "USD"}`, then one ' +
    'visible diamond per line with the fields of a search result, last ' +
    '`{"kind": "end", "count": M}`. Without the last line the snapshot is not whole.',
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
  description: 'The log does not reach back that far (`changes_expired`): take a new snapshot',
  content: { 'application/problem+json': { schema: ProblemSchema } },
}
