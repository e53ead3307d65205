import { Type } from 'typebox'
import { integer, list, object, text } from './fields.ts'

/** The one shape of every error of every endpoint. */
export const ProblemSchema = Type.Object(
  {
    type: text('A stable name for the kind of problem', 'urn:pavilion:problem:not_found'),
    title: text('What went wrong, in short', 'There is nothing here'),
    status: integer('The HTTP status', 404),
    detail: text('A sentence to act on', 'There is no profit margin 0198a6c2.'),
    code: text('Stable, for programs', 'not_found'),
    request_id: text('Name it when you ask for help', 'req-4f1c2a'),
    errors: Type.Optional(
      list(
        object('FieldError', {
          field: text('Which part of the request', 'filters.color[2]'),
          message: text('What is wrong with it', 'must be one of D, E, F'),
        }),
        'What is wrong with which field',
      ),
    ),
  },
  { title: 'Problem', description: 'Some codes carry further members, named in their endpoint.' },
)
