import { Type } from 'typebox'
import { text } from '../../schemas/fields.ts'

/** A client that talks through standard input cannot set a header. */
export const idempotencyKey = Type.Optional(
  text('The same key again repeats the first answer', 'hold-4711', {
    minLength: 1,
    maxLength: 255,
    pattern: '^[!-~]+$',
  }),
)
