import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '../../lib/timestamps.ts'
import type { OrderRow } from '../order.ts'
import { dayOf } from './ledger-entry.ts'

/** A year; nobody lends stones for longer. */
export const TERMS_DAYS_MAX = 365

type Invoiced = Pick<OrderRow, 'order_type' | 'invoiced_on' | 'payment_terms_days'>

/** Whether the order has an invoice, which says what it costs: its charges are final then. */
export function hasInvoice({ invoiced_on }: Invoiced): boolean {
  return invoiced_on !== null
}

/** The columns of an order that gets its invoice now; nothing changes when it has one. */
export function invoiceColumns(order: Invoiced, now: string): { invoiced_on?: string } {
  return order.order_type === 'invoice' && !hasInvoice(order) ? { invoiced_on: now } : {}
}

/** The day on which the order must be paid, `2026-01-31`; null until it has an invoice. */
export function dueOn({ invoiced_on, payment_terms_days }: Invoiced): string | null {
  if (invoiced_on === null) return null
  const due = Date.parse(`${dayOf(invoiced_on)}T00:00Z`) + payment_terms_days * DAY_MS
  return new Date(due).toISOString().slice(0, 10)
}

/**
 * How late something is: not at all, or by how many days. Accountants look at what is owed, and at
 * what is out on memo, in the same steps.
 */
export const AGE_BUCKETS = ['current', '1-30', '31-60', '61-90', 'over 90'] as const
export type AgeBucket = (typeof AGE_BUCKETS)[number]

/** The bucket in SQL. `daysLate` is null or at most 0 for what is not late, and at least 1 else. */
export function ageBucketOf(daysLate: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case
    when coalesce(${daysLate}, 0) <= 0 then 'current'
    when ${daysLate} <= 30 then '1-30'
    when ${daysLate} <= 60 then '31-60'
    when ${daysLate} <= 90 then '61-90'
    else 'over 90' end`
}
