import { roundedAmount } from '../../lib/money.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import type { Account } from '../../orders/ledger/account.ts'
import type { ChargeRule } from '../../orders/ledger/charge-rules.ts'
import { dollarsFrom } from '../../orders/ledger/ledger-entry.ts'
import type { ListedEntry } from '../../orders/ledger/ledger-store.ts'
import { BASE_CURRENCY } from '../../pricing/exchange-rates.ts'

/** What was agreed with a merchant about paying, as the operator reads and sets it. */
export function renderTerms({ payment_terms_days, credit_limit, memo_limit }: Merchant) {
  return {
    payment_terms_days,
    credit_limit: amountOrNull(credit_limit),
    memo_limit: amountOrNull(memo_limit),
  }
}

function amountOrNull(digits: string | null): number | null {
  return digits === null ? null : roundedAmount(digits)
}

/** What a merchant owes, as it sees it itself. */
export function renderAccount(account: Account) {
  const orNull = (cents: bigint | null) => (cents === null ? null : dollarsFrom(cents))
  return {
    currency_code: BASE_CURRENCY,
    credit_limit: orNull(account.credit_limit),
    memo_limit: orNull(account.memo_limit),
    unpaid: dollarsFrom(account.unpaid),
    on_memo: dollarsFrom(account.on_memo),
    available_credit: orNull(account.available_credit),
    overdue: dollarsFrom(account.overdue),
  }
}

export function renderAccountForOperator(merchant: Merchant, account: Account) {
  return {
    merchant_uuid: merchant.uuid,
    legal_dba: merchant.legal_dba,
    payment_terms_days: merchant.payment_terms_days,
    ...renderAccount(account),
    ageing: account.ageing.map(({ bucket, orders, cents }) => {
      return { bucket, orders, amount: dollarsFrom(cents) }
    }),
  }
}

export function renderEntry(entry: ListedEntry) {
  const { uuid, order_uuid, order_id, kind, currency_code, label, method, reference } = entry
  const { dated_on, made_by, reason } = entry
  return {
    uuid,
    order_uuid,
    order_id,
    kind,
    amount: roundedAmount(entry.amount),
    currency_code,
    label,
    method,
    reference,
    dated_on,
    made_by,
    reason,
    created_on: isoWithOffset(entry.created_on),
  }
}

export function renderRule({ amount, percent, created_on, ...rule }: ChargeRule) {
  return {
    ...rule,
    amount: amountOrNull(amount),
    percent: percent === null ? null : Number(percent),
    created_on: isoWithOffset(created_on),
  }
}
