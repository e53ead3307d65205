import type { Tx } from '../../database/open.ts'
import { lockName } from '../../database/transaction.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import type { LedgerEntry } from '../order.ts'
import { centsOrNull, readAccount } from './account.ts'
import { balanceOf, dollarsFrom, dollarText } from './ledger-entry.ts'

/**
 * Serialises the invoices of one merchant that has a credit limit, so that two at once cannot
 * exceed it. It is taken before any lock of an order or of stock.
 */
export async function lockCredit(tx: Tx, merchantUuid: string): Promise<void> {
  await lockName(tx, `credit ${merchantUuid}`)
}

/** Refuses an invoice with which the merchant would owe more than its limit. */
export async function refuseOverCreditLimit(
  tx: Tx,
  merchant: Merchant,
  entries: readonly LedgerEntry[],
): Promise<void> {
  const limit = centsOrNull(merchant.credit_limit)
  if (limit === null) return
  const { unpaid } = await readAccount(tx, merchant)
  const requested = balanceOf(entries)
  if (unpaid + requested <= limit) return
  const figures = { name: 'credit_limit', limit, used: unpaid, requested } as const
  throw overLimit('credit_limit_exceeded', figures, 'unpaid', 'Pay something first')
}

interface LimitFigures {
  name: 'credit_limit' | 'memo_limit'
  limit: bigint
  used: bigint
  requested: bigint
}

/** The refusal of an order that would exceed what the operator agreed on with the merchant. */
export function overLimit(
  code: 'credit_limit_exceeded' | 'memo_limit_exceeded',
  { name, limit, used, requested }: LimitFigures,
  state: string,
  advice: string,
): Refusal {
  const detail =
    `The merchant's ${name.replace('_', ' ')} is ${dollarText(limit)}; ${dollarText(used)} are ` +
    `${state}, and this order is ${dollarText(requested)}. ${advice}, or have the operator raise ` +
    'the limit.'
  return new Refusal(code, detail, {
    extra: {
      limit_name: name,
      limit: dollarsFrom(limit),
      used: dollarsFrom(used),
      requested: dollarsFrom(requested),
    },
  })
}
