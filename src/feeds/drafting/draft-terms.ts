import type { Supplier } from '../../gems/supplier.ts'
import type { FieldName } from '../mapping/fields.ts'
import { readCount } from '../values/numbers.ts'
import { isBlankWord } from '../values/spelling.ts'
import { readDetailsOrWords, readFlag } from '../values/words.ts'
import type { Notes } from './notes.ts'
import type { CellReader } from './row-reader.ts'

const DAYS_MAX = 3_650

/** Terms of delivery, return, memo and holds: the feed's, otherwise the supplier's settings. */
export function createTermsReader(cell: CellReader, supplier: Supplier, notes: Notes) {
  const days = (field: FieldName) => {
    const text = cell(field)
    const count = text === '' ? undefined : readCount(text)
    return count === undefined || count > DAYS_MAX ? undefined : count
  }
  const sustainabilityDetails = () => {
    const text = cell('sustainability_details')
    if (text === '' || isBlankWord(text)) return null
    const details = readDetailsOrWords(text)
    if (details === undefined) notes.unreadable('sustainability_details', text)
    return details ?? null
  }
  return () => {
    const soonest = days('delivery_days_min')
    const max = days('delivery_days_max') ?? soonest ?? supplier.delivery_days_max
    return {
      can_hold: readFlag(cell('can_hold')) ?? supplier.can_hold,
      memo: readFlag(cell('memo')) ?? supplier.memo,
      returnable: readFlag(cell('returnable')) ?? supplier.returnable,
      is_sustainable: readFlag(cell('is_sustainable')) ?? null,
      sustainability_details: sustainabilityDetails(),
      memo_days_to_return: days('memo_days_to_return') ?? supplier.memo_days_to_return,
      days_to_return: days('days_to_return') ?? supplier.days_to_return,
      internal_days_to_return: days('internal_days_to_return') ?? supplier.internal_days_to_return,
      delivery_days_min: Math.min(soonest ?? supplier.delivery_days_min, max),
      delivery_days_max: max,
    }
  }
}
