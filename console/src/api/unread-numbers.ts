import { type FieldError, PavilionError } from '../../../client/src/errors.ts'
import { t } from '../language/language.ts'

/**
 * Refuses a body with a field that was not read as a number, as the server refuses fields. JSON has
 * no NaN and would send null instead, which removes a limit.
 */
export function refuseUnreadNumbers(body: unknown): void {
  const errors = unreadNumbers(body, '')
  if (errors.length === 0) return
  throw new PavilionError(422, 'invalid_request', t('Please correct the marked fields.'), {
    errors,
  })
}

/** Fields are named as the server names them: `line_items[1].price`. */
function unreadNumbers(value: unknown, field: string): FieldError[] {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? [] : [{ field, message: 'must be a number' }]
  }
  if (Array.isArray(value)) {
    return value.flatMap((each, at) => unreadNumbers(each, `${field}[${at}]`))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    unreadNumbers(each, field === '' ? name : `${field}.${name}`),
  )
}
