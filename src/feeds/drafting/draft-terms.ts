import type { Supplier } from '../../gems/supplier.ts'
import { readDetailsOrWords } from '../values/links-and-details.ts'
import { readDays } from '../values/numbers.ts'
import { isBlankWord, readFlag } from '../values/spelling.ts'
import type { NotedReader } from './notes.ts'

/** Terms of delivery, return, memo and holds: the feed's, otherwise the supplier's settings. */
export function createTermsReader(noted: NotedReader, supplier: Supplier) {
  return () => {
    const soonest = noted('delivery_days_min', readDays)
    const max = noted('delivery_days_max', readDays) ?? soonest ?? supplier.delivery_days_max
    return {
      can_hold: noted('can_hold', readFlag) ?? supplier.can_hold,
      memo: noted('memo', readFlag) ?? supplier.memo,
      returnable: noted('returnable', readFlag) ?? supplier.returnable,
      is_sustainable: noted('is_sustainable', readFlag) ?? null,
      sustainability_details: noted('sustainability_details', readWords) ?? null,
      memo_days_to_return: noted('memo_days_to_return', readDays) ?? supplier.memo_days_to_return,
      days_to_return: noted('days_to_return', readDays) ?? supplier.days_to_return,
      internal_days_to_return:
        noted('internal_days_to_return', readDays) ?? supplier.internal_days_to_return,
      delivery_days_min: Math.min(soonest ?? supplier.delivery_days_min, max),
      delivery_days_max: max,
    }
  }
}

function readWords(text: string): string | undefined {
  return isBlankWord(text) ? undefined : readDetailsOrWords(text)
}
