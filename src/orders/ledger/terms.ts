import type { OrderRow } from '../order.ts'
import { dayOf } from './ledger-entry.ts'

type Invoiced = Pick<OrderRow, 'order_type' | 'invoiced_on' | 'payment_terms_days'>

/** Whether the order has an invoice, which says what it costs: its charges are final then. */
export function hasInvoice({ invoiced_on }: Invoiced): boolean {
  return invoiced_on !== null
}

/** The columns of an order that gets its invoice now; nothing changes when it has one. */
export function invoiceColumns(order: Invoiced, now: string): { invoiced_on?: string } {
  return order.order_type === 'invoice' && !hasInvoice(order) ? { invoiced_on: now } : {}
}

const DAY_MS = 86_400_000

/** The day on which the order must be paid, `2026-01-31`; null until it has an invoice. */
export function dueOn({ invoiced_on, payment_terms_days }: Invoiced): string | null {
  if (invoiced_on === null) return null
  const due = Date.parse(`${dayOf(invoiced_on)}T00:00Z`) + payment_terms_days * DAY_MS
  return new Date(due).toISOString().slice(0, 10)
}
