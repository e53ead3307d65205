import { sql } from 'kysely'
import type { Tx } from '../../database/open.ts'
import { scaledFrom } from '../../lib/money.ts'
import { Refusal } from '../../lib/refusal.ts'
import { dollarsFrom, dollarText, roundedCents } from '../ledger/ledger-entry.ts'

/** A budget with what was ordered under it today, this order included. */
interface BudgetUse {
  orders_per_day: number | null
  amount_per_day: string | null
  amount_per_order: string | null
  orders: number
  amount: string
}

/**
 * Counts an order under the budget of its token and those of the tokens that this one was made
 * with, and refuses it when it exceeds one of them. The count is part of the order's transaction:
 * a refusal undoes it, and orders at the same time, also on other nodes, wait for each other
 * here. It is locked after the products, whose prices it needs.
 */
export async function countInBudgets(tx: Tx, tokenUuid: string, total: string): Promise<void> {
  const uses = await sql<BudgetUse>`
    with recursive chain as (
      select token.* from token where uuid = ${tokenUuid}
      union all
      select maker.* from token as maker join chain on maker.uuid = chain.made_by
    ), budget as (
      select distinct budget_key, budget_orders_per_day, budget_amount_per_day,
        budget_amount_per_order
      from chain where budget_key is not null
    ), counted as (
      insert into budget_use (budget_key, day, orders, amount)
      select budget_key, (market_now() at time zone 'utc')::date, 1, ${total}::numeric
      from budget order by budget_key
      on conflict (budget_key, day) do update
        set orders = budget_use.orders + 1, amount = budget_use.amount + excluded.amount
      returning budget_key, orders, amount
    )
    select budget_orders_per_day as orders_per_day, budget_amount_per_day as amount_per_day,
      budget_amount_per_order as amount_per_order, orders, amount
    from counted join budget using (budget_key)`.execute(tx)
  for (const use of uses.rows) refuseOver(use, scaledFrom(total, 4))
}

function refuseOver(use: BudgetUse, requested: bigint): void {
  const perOrder = scaledOrNull(use.amount_per_order)
  const perDay = scaledOrNull(use.amount_per_day)
  const amount = scaledFrom(use.amount, 4)
  if (perOrder !== null && requested > perOrder) throw exceeded('amount_per_order', use, requested)
  if (use.orders_per_day !== null && use.orders > use.orders_per_day) {
    throw exceeded('orders_per_day', use, requested)
  }
  if (perDay !== null && amount > perDay) throw exceeded('amount_per_day', use, requested)
}

type LimitName = 'orders_per_day' | 'amount_per_day' | 'amount_per_order'

/** Says what the budget is and what is left of it, so that the caller can order less. */
function exceeded(limit_name: LimitName, use: BudgetUse, requested: bigint): Refusal {
  const { orders_per_day } = use
  const perDay = scaledOrNull(use.amount_per_day)
  const perOrder = scaledOrNull(use.amount_per_order)
  const usedOrders = use.orders - 1
  const usedAmount = scaledFrom(use.amount, 4) - requested
  const leftOrders = orders_per_day === null ? null : Math.max(orders_per_day - usedOrders, 0)
  const leftAmount = perDay === null ? null : atLeastZero(perDay - usedAmount)
  const limits = [
    ...(orders_per_day === null ? [] : [`${orders_per_day} orders a day`]),
    ...(perDay === null ? [] : [`${inDollars(perDay)} a day`]),
    ...(perOrder === null ? [] : [`${inDollars(perOrder)} in one order`]),
  ]
  const left = [
    ...(leftOrders === null ? [] : [`${leftOrders} orders`]),
    ...(leftAmount === null ? [] : [inDollars(leftAmount)]),
  ]
  const detail =
    `The budget of the token is ${limits.join(', ')}. This order is ${inDollars(requested)} ` +
    `wholesale${left.length > 0 ? `, and ${left.join(' and ')} are left today (UTC)` : ''}. ` +
    'Order less, wait until tomorrow or use a token with a larger budget.'
  return new Refusal('budget_exceeded', detail, {
    extra: {
      limit_name,
      budget: {
        orders_per_day,
        amount_per_day: dollarsOrNull(perDay),
        amount_per_order: dollarsOrNull(perOrder),
      },
      used: { orders: usedOrders, amount: dollarsOrNull(usedAmount) },
      left: { orders: leftOrders, amount: dollarsOrNull(leftAmount) },
      requested: dollarsOrNull(requested),
    },
  })
}

function scaledOrNull(digits: string | null): bigint | null {
  return digits === null ? null : scaledFrom(digits, 4)
}

function atLeastZero(amount: bigint): bigint {
  return amount < 0n ? 0n : amount
}

function inDollars(scaled: bigint): string {
  return dollarText(roundedCents(scaled))
}

function dollarsOrNull(scaled: bigint | null): number | null {
  return scaled === null ? null : dollarsFrom(roundedCents(scaled))
}
