import { roundedAmount } from '../../lib/money.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import type { AgeBucket } from '../../orders/ledger/terms.ts'
import type { listMemos, MemoEntry } from '../../orders/memos/memo-ledger.ts'

/** A page of the memo ledger, with the totals of all pages. */
export function renderMemos<Row>(
  { entries, total, totals }: Awaited<ReturnType<typeof listMemos>>,
  render: (entry: MemoEntry) => Row,
  { limit, offset }: { limit: number; offset: number },
) {
  const sums = Object.entries(totals).map(([bucket, value]) => [bucket, roundedAmount(value)])
  return {
    memos: entries.map(render),
    totals: Object.fromEntries(sums) as Record<AgeBucket, number>,
    total,
    offset,
    limit,
  }
}

export function renderMemo(entry: MemoEntry) {
  const { order_id: external_order_id } = entry
  return { external_order_id, ...sharedFields(entry) }
}

export function renderOperatorMemo(entry: MemoEntry) {
  const { order_id, merchant_uuid, merchant_legal_dba } = entry
  return { order_id, merchant_uuid, merchant_legal_dba, ...sharedFields(entry) }
}

function sharedFields(entry: MemoEntry) {
  const { order_uuid, memo_id, line_item_uuid, sku, name, quantity, days_left, bucket } = entry
  const { description, product_type, product_id } = entry
  return {
    order_uuid,
    memo_id,
    line_item_uuid,
    sku,
    name,
    description,
    product_type,
    product_id,
    quantity,
    value: roundedAmount(entry.value),
    ordered_on: isoWithOffset(entry.ordered_on),
    due_date: isoOrNull(entry.due_date),
    days_left,
    bucket,
  }
}
