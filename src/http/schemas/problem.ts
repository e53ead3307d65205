import { Type } from 'typebox'
import { integer, list, object, text } from './fields.ts'

/** The shape of every error of every endpoint (RFC 9457). */
export const ProblemSchema = Type.Object(
  {
    type: text('A stable name for the kind of problem', 'urn:pavilion:problem:not_found'),
    title: text('What went wrong, in a few words', 'Not found'),
    status: integer('The HTTP status', 404),
    detail: text(
      'What is wrong in this case, and what to do about it',
      'There is no profit margin 0198a6c2.',
    ),
    code: text('Stable code, for programs', 'not_found'),
    request_id: text('Quote it when you ask for support', 'req-4f1c2a'),
    errors: Type.Optional(
      list(
        object('FieldError', {
          field: text('Path of the field in the request', 'filters.color[2]'),
          message: text('What is wrong with the field', 'must be one of D, E, F'),
        }),
        'Every field that is wrong',
      ),
    ),
  },
  {
    title: 'Problem',
    description: 'Some codes have further members, which their endpoint describes.',
  },
)
