import type { Supplier } from '../../gems/supplier.ts'
import type { FieldName } from '../mapping/fields.ts'
import { readCount } from '../values/numbers.ts'
import { readFlag } from '../values/words.ts'
import type { CellReader } from './row-reader.ts'

const DAYS_MAX = 3_650

/** Delivery, return and memo terms: the feed's, otherwise the supplier's settings. */
export function createTermsReader(cell: CellReader, supplier: Supplier) {
  const days = (field: FieldName) => {
    const text = cell(field)
    const count = text === '' ? undefined : readCount(text)
    return count === undefined || count > DAYS_MAX ? undefined : count
  }
  return () => {
    const soonest = days('delivery_days_min')
    const max = days('delivery_days_max') ?? soonest ?? supplier.delivery_days_max
    return {
      memo: readFlag(cell('memo')) ?? supplier.memo,
      returnable: readFlag(cell('returnable')) ?? supplier.returnable,
      memo_days_to_return: supplier.memo_days_to_return,
      days_to_return: days('days_to_return') ?? supplier.days_to_return,
      internal_days_to_return: supplier.internal_days_to_return,
      delivery_days_min: Math.min(soonest ?? supplier.delivery_days_min, max),
      delivery_days_max: max,
    }
  }
}
