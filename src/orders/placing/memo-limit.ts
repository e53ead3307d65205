import type { Tx } from '../../database/open.ts'
import { lockName } from '../../database/transaction.ts'
import { scaledFrom } from '../../lib/money.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { limitOf, limitRefusal } from '../../reference/merchant-limits.ts'
import { centsOrNull } from '../ledger/account.ts'
import { overLimit as overAgreed } from '../ledger/credit-limit.ts'
import { dollarsFrom, roundedCents } from '../ledger/ledger-entry.ts'
import { readMemoUse } from '../order-store.ts'
import type { Allocation } from '../product.ts'

/**
 * Serialises the memos of one merchant, so that two at once cannot exceed its limits. It is taken
 * before any other lock of the order; invoices do not take it.
 */
export async function lockMemos(tx: Tx, merchantUuid: string): Promise<void> {
  await lockName(tx, `memos ${merchantUuid}`)
}

/**
 * Refuses a memo that would leave the merchant with more stones, or stones of more value, on memo
 * than it may have: by the limit that was agreed on, or by those that the operator set. What it
 * returns, cancels or buys no longer counts.
 */
export async function refuseOverMemoLimit(
  tx: Tx,
  merchant: Merchant,
  allocations: readonly Allocation[],
): Promise<void> {
  const used = await readMemoUse(tx, merchant.uuid)
  const stones = allocations.reduce((total, allocation) => total + stonesOf(allocation), 0)
  const stonesMax = limitOf(merchant, 'max_memo_stones')
  if (used.stones + stones > stonesMax) {
    throw overLimit('max_memo_stones', stonesMax, used.stones, stones)
  }
  const value = allocations.reduce((total, allocation) => total + worthOf(allocation), 0n)
  const valueUsed = scaledFrom(used.value, 4)
  const agreed = centsOrNull(merchant.memo_limit)
  if (agreed !== null && valueUsed + value > agreed * 100n) {
    const [usedCents, requested] = [roundedCents(valueUsed), roundedCents(value)]
    const figures = { name: 'memo_limit', limit: agreed, used: usedCents, requested } as const
    throw overAgreed('memo_limit_exceeded', figures, 'on memo', 'Return or buy some of it first')
  }
  const valueMax = limitOf(merchant, 'max_memo_value')
  if (valueUsed + value > BigInt(valueMax) * 10_000n) {
    const [before, requested] = [valueUsed, value].map((each) => dollarsFrom(roundedCents(each)))
    throw overLimit('max_memo_value', valueMax, before, requested)
  }
}

/** Melee is counted by the line, as `memo_use` does: its stones are worth a few dollars each. */
function stonesOf({ product, quantity }: Allocation): number {
  return product.kind === 'gem' ? 1 : quantity
}

/** In 1/10,000 dollars, as unit prices are. */
function worthOf({ product, quantity }: Allocation): bigint {
  return BigInt(product.unit_price) * BigInt(quantity)
}

function overLimit(
  name: 'max_memo_stones' | 'max_memo_value',
  limit: number,
  used: number,
  requested: number,
) {
  const advice = 'Return or buy some of them first'
  return limitRefusal('memo_limit_exceeded', { name, limit, used, requested, advice })
}
