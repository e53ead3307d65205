import type {
  NoticeContent,
  NoticeDetails,
  NoticeOrder,
  NoticeProduct,
} from '../../database/tables/mail.ts'
import { roundedAmount } from '../../lib/money.ts'
import { isoWithOffset, isPrinted } from '../../lib/timestamps.ts'
import type { NoticeKind, Side } from '../../reference/notice-kinds.ts'
import { oneLine } from '../outbox/mail-store.ts'
import { noticeText } from '../texts/notice-text.ts'
import { inEnglish } from './english.ts'
import type { LineFacts, OrderFacts } from './facts.ts'

/** A notice as it will be stored. Both owners are null for the operator. */
export interface NoticeDraft {
  side: Side
  merchant_uuid: string | null
  supplier_uuid: string | null
  kind: NoticeKind
  subject: string
  content: NoticeContent
  path: string
}

interface Told {
  kind: NoticeKind
  path: string
  details: NoticeDetails
  /** How many there are beside the items. */
  more?: number
}

export function forMerchant(uuid: string, told: Told): NoticeDraft {
  return { ...draft('merchant', told), merchant_uuid: uuid, supplier_uuid: null }
}

export function forOperator(told: Told): NoticeDraft {
  return { ...draft('operator', told), merchant_uuid: null, supplier_uuid: null }
}

export function forSupplier(uuid: string, told: Told): NoticeDraft {
  return { ...draft('supplier', told), merchant_uuid: null, supplier_uuid: uuid }
}

/** As many as are read at a glance; the console shows all. */
const ITEMS_MAX = 10
const SUBJECT_LENGTH_MAX = 150

function draft(side: Side, { kind, path, details, more = 0 }: Told) {
  const text = noticeText(details, side)
  if (!text) throw new Error(`no text for a notice of ${details.event_type}`)
  const items = text.items.slice(0, ITEMS_MAX)
  const content = {
    lead: text.sentences.map(inEnglish).join(' '),
    items: items.map((item) => ({
      title: inEnglish(item.title),
      detail: item.details.map(inEnglish).join(', '),
    })),
    more: text.items.length - items.length + more,
    details: { ...details, items: details.items.slice(0, ITEMS_MAX) },
  }
  // A merchant chooses the numbers of its orders; they must not break the subject.
  const subject = oneLine(inEnglish(text.subject), SUBJECT_LENGTH_MAX)
  return { side, kind, subject, path, content }
}

/** A memo has a number of its own. */
export function namedOrder({ order_type, order_id, memo_id, ordered_on }: OrderFacts): NoticeOrder {
  const isMemo = order_type === 'memo' && memo_id !== null
  return {
    order_type: isMemo ? 'memo' : 'invoice',
    number: isMemo ? memo_id : order_id,
    ordered_on: isoOf(ordered_on),
  }
}

/** As the supplier knows it: without the number, which the merchant may have chosen. */
export function supplierOrder({ order_type, ordered_on }: OrderFacts): NoticeOrder {
  return { order_type, number: null, ordered_on: isoOf(ordered_on) }
}

/** Lines of an order, with the units that the event is about, and the price for who pays it. */
export function productsOf(
  lines: readonly LineFacts[],
  unitsFor: ReadonlyMap<string, number> | undefined,
): NoticeProduct[] {
  return lines.map(({ price, ...line }) => ({
    ...productOf(line, unitsFor),
    price: roundedAmount(price),
  }))
}

/** The lines as their supplier knows them: with its own stock numbers, and without a price. */
export function suppliedProducts(
  lines: readonly LineFacts[],
  unitsFor: ReadonlyMap<string, number> | undefined,
): NoticeProduct[] {
  return lines.map((line) => ({
    ...productOf(line, unitsFor),
    ...(line.vendor_sku !== null && { vendor_sku: line.vendor_sku }),
  }))
}

function productOf(
  { uuid, sku, description, quantity, stone }: Omit<LineFacts, 'price'>,
  unitsFor: ReadonlyMap<string, number> | undefined,
): NoticeProduct {
  return {
    sku,
    quantity: unitsFor?.get(uuid) ?? quantity,
    ...(description !== '' && { description }),
    ...(stone !== null && { stone }),
  }
}

/** Of a timestamp as PostgreSQL or an event has it. */
export function isoOf(timestamp: string): string {
  return isPrinted(timestamp) ? isoWithOffset(timestamp) : timestamp
}
