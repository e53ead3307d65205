import { roundedAmount } from '../../lib/money.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import { balanceOf, chargesOf, creditsOf, dollarsFrom } from '../../orders/ledger/ledger-entry.ts'
import { dueOn } from '../../orders/ledger/terms.ts'
import type { LedgerEntry, OrderWith } from '../../orders/order.ts'

/** What the merchant sees of the money of its order. */
export function renderMoney(order: OrderWith<unknown>) {
  return {
    charges: chargesOf(order.entries).map(({ entry }) => ({
      // A charge always has a kind; the database checks it.
      kind: entry.charge_kind as NonNullable<LedgerEntry['charge_kind']>,
      label: entry.label,
      amount: Math.abs(roundedAmount(entry.amount)),
    })),
    balance: dollarsFrom(balanceOf(order.entries)),
    due_on: dueOn(order),
  }
}

export function renderMoneyForOperator(order: OrderWith<unknown>) {
  const { entries, payment_terms_days, invoiced_on } = order
  return {
    payment_terms_days,
    invoiced_on: isoOrNull(invoiced_on),
    payments: entries
      .filter(({ kind }) => kind === 'payment')
      .map(({ uuid, amount, method, reference, dated_on, made_by, created_on }) => ({
        uuid,
        amount: -roundedAmount(amount),
        method,
        reference,
        paid_on: dated_on,
        made_by,
        created_on: isoWithOffset(created_on),
      })),
    credits: creditsOf(entries).map(({ amount, label, reason, made_by, created_on }) => ({
      amount: -roundedAmount(amount),
      label,
      reason,
      made_by,
      created_on: isoWithOffset(created_on),
    })),
    ...renderMoney(order),
  }
}
