import { describe, expect, it } from 'vitest'
import { PavilionError } from '../../client/src/errors.ts'
import { refuseUnreadNumbers } from '../../console/src/api/unread-numbers.ts'
import { readNumber } from '../../console/src/lib/read-number.ts'
import { changeIn, draftOf } from '../../console/src/operator/suppliers/settings-draft.ts'

/** What was typed instead of a number is refused at its field: as JSON it would be null. */
function errorsOf(body: unknown) {
  try {
    refuseUnreadNumbers(body)
  } catch (error) {
    return error instanceof PavilionError ? error.errors : error
  }
  return []
}

describe('a typed number', () => {
  it('that was not read as one is refused, with the name that the server gives the field', () => {
    const typed = readNumber('500k', '.')
    const message = 'must be a number'
    expect(errorsOf({ credit_limit: typed })).toEqual([{ field: 'credit_limit', message }])
    expect(errorsOf([{ amount: 1 }, { amount: typed }])).toEqual([{ field: '[1].amount', message }])
    const body = { limits: { max_keys: typed }, line_items: [{ price: Number.POSITIVE_INFINITY }] }
    expect(errorsOf(body)).toEqual([
      { field: 'limits.max_keys', message },
      { field: 'line_items[0].price', message },
    ])
  })

  it('may be left empty where null is meant, and any number is sent', () => {
    expect(errorsOf({ credit_limit: null, payment_terms_days: 0, note: 'NaN' })).toEqual([])
    expect(errorsOf(undefined)).toEqual([])
  })

  it('of the settings of a supplier is not taken for "no limit"', () => {
    const supplier = { fresh_days: 8, markup: 5 } as Parameters<typeof draftOf>[0]
    const change = (fresh_days: string) => changeIn(supplier, { ...draftOf(supplier), fresh_days })
    expect(errorsOf(change('8 days'))).toMatchObject([{ field: 'fresh_days' }])
    expect(change('')).toEqual({ fresh_days: null })
  })
})
