import type { Rejection } from '../drafting/gem-draft.ts'
import { own } from '../reading/own-text.ts'

export interface LoggedRejection extends Rejection {
  vendor_sku: string | null
  /** Readable, but so doubtful that a person must look at it. */
  quarantined: boolean
}

/** All rejections are counted, the first ones are kept: a file of a million bad rows is one fact. */
export interface RejectionLog {
  add(rejection: Rejection, vendorSku: string, quarantined?: boolean): void
  count(): number
  kept(): LoggedRejection[]
}

export const REJECTIONS_KEPT_MAX = 10_000

export function createRejectionLog(): RejectionLog {
  const kept: LoggedRejection[] = []
  let count = 0
  return {
    add(rejection, vendorSku, quarantined = false) {
      count++
      if (kept.length >= REJECTIONS_KEPT_MAX) return
      const stock = vendorSku === '' ? null : own(vendorSku.slice(0, 100))
      kept.push({ ...rejection, value: own(rejection.value), vendor_sku: stock, quarantined })
    },
    count: () => count,
    kept: () => kept.sort((a, b) => a.row - b.row),
  }
}
