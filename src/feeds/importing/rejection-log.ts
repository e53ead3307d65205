import type { Rejection } from '../drafting/gem-draft.ts'
import { copyText } from '../reading/raw-row.ts'

export interface LoggedRejection extends Rejection {
  vendor_sku: string | null
  /** Readable, but so suspicious that a person must check it. */
  quarantined: boolean
}

/** Counts all rejections and keeps the first ones: a million of them would tell nothing more. */
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
      const stock = vendorSku === '' ? null : copyText(vendorSku.slice(0, 100))
      kept.push({ ...rejection, value: copyText(rejection.value), vendor_sku: stock, quarantined })
    },
    count: () => count,
    kept: () => kept.sort((a, b) => a.row - b.row),
  }
}
