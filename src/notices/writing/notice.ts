import type { NoticeContent, NoticeItem } from '../../database/tables/mail.ts'
import type { NoticeKind, Side } from '../../reference/notice-kinds.ts'
import type { LineFacts } from './facts.ts'
import { count, dollars } from './words.ts'

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

type Text = Pick<NoticeDraft, 'kind' | 'subject' | 'path'> & {
  lead: readonly (string | undefined | false)[]
  items?: readonly NoticeItem[]
  /** How many there are beside the items. */
  more?: number
}

export function forMerchant(uuid: string, text: Text): NoticeDraft {
  return { ...draft(text), side: 'merchant', merchant_uuid: uuid, supplier_uuid: null }
}

export function forOperator(text: Text): NoticeDraft {
  return { ...draft(text), side: 'operator', merchant_uuid: null, supplier_uuid: null }
}

export function forSupplier(uuid: string, text: Text): NoticeDraft {
  return { ...draft(text), side: 'supplier', merchant_uuid: null, supplier_uuid: uuid }
}

/** As many as are read at a glance; the console shows all. */
const ITEMS_MAX = 10
const SUBJECT_LENGTH_MAX = 150

function draft({ kind, subject, path, lead, items = [], more = 0 }: Text) {
  const shown = items.slice(0, ITEMS_MAX)
  const content = {
    lead: lead.filter((sentence) => sentence !== undefined && sentence !== false).join(' '),
    items: shown,
    more: items.length - shown.length + more,
  }
  return { kind, subject: oneLine(subject), path, content }
}

/** A merchant chooses the numbers of its orders; they must not break the subject. */
function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line.length <= SUBJECT_LENGTH_MAX ? line : `${line.slice(0, SUBJECT_LENGTH_MAX - 1)}…`
}

/** Lines of an order, with the units that the event is about, and the price for who pays it. */
export function itemsOf(
  lines: readonly LineFacts[],
  unitsFor: ReadonlyMap<string, number> | undefined,
): NoticeItem[] {
  return lines.map(({ uuid, sku, description, quantity, price }) => ({
    title: titleOf(sku, unitsFor?.get(uuid) ?? quantity),
    detail: [description, `${dollars(price)} each`].filter((part) => part !== '').join(', '),
  }))
}

/** The same for a supplier: its own stock numbers, and no price. */
export function supplierItemsOf(
  lines: readonly LineFacts[],
  unitsFor: ReadonlyMap<string, number> | undefined,
): NoticeItem[] {
  return lines.map(({ uuid, sku, description, quantity, vendor_sku }) => ({
    title: titleOf(vendor_sku ?? sku, unitsFor?.get(uuid) ?? quantity),
    detail: [description, `SKU ${sku}`].filter((part) => part !== '').join(', '),
  }))
}

function titleOf(name: string, quantity: number): string {
  return quantity === 1 ? name : `${name} (${count(quantity, 'piece')})`
}
