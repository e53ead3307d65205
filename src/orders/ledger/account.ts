import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { scaledFrom } from '../../lib/money.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { readMemoUse } from '../order-store.ts'
import { roundedCents } from './ledger-entry.ts'
import { AGE_BUCKETS, type AgeBucket, ageBucketOf } from './terms.ts'

/** What a merchant owes, in cents. All of it is summed from the ledger when it is asked for. */
export interface Account {
  credit_limit: bigint | null
  memo_limit: bigint | null
  /** The balances of all orders that are not paid, from their placement on. */
  unpaid: bigint
  /** The value of what is on memo. */
  on_memo: bigint
  /** What may still be ordered on credit; negative beyond the limit, null without one. */
  available_credit: bigint | null
  /** The part of `unpaid` that is past its due date. */
  overdue: bigint
  ageing: { bucket: AgeBucket; orders: number; cents: bigint }[]
}

type Terms = Pick<Merchant, 'uuid' | 'credit_limit' | 'memo_limit'>

export async function readAccount(db: Db | Tx, merchant: Terms): Promise<Account> {
  const ageing = await readAgeing(db, merchant.uuid)
  const memo = await readMemoUse(db, merchant.uuid)
  const sumOf = (rows: Account['ageing']) => rows.reduce((sum, { cents }) => sum + cents, 0n)
  const unpaid = sumOf(ageing)
  const credit_limit = centsOrNull(merchant.credit_limit)
  return {
    credit_limit,
    memo_limit: centsOrNull(merchant.memo_limit),
    unpaid,
    on_memo: roundedCents(scaledFrom(memo.value, 4)),
    available_credit: credit_limit === null ? null : credit_limit - unpaid,
    overdue: sumOf(ageing.filter(({ bucket }) => bucket !== 'current')),
    ageing,
  }
}

export function centsOrNull(digits: string | null): bigint | null {
  return digits === null ? null : scaledFrom(digits, 2)
}

/**
 * The balances that are to be paid, by how long they are late; all buckets, also empty ones.
 * Without an invoice, nothing is late.
 */
async function readAgeing(db: Db | Tx, merchantUuid: string): Promise<Account['ageing']> {
  const { rows } = await sql<{ bucket: AgeBucket; orders: number; amount: string }>`
    select ${ageBucketOf(sql`late`)} as bucket, count(*) as orders, sum(balance) as amount
    from (
      select (market_now() at time zone 'UTC')::date
          - ((orders.invoiced_on at time zone 'UTC')::date + payment_terms_days) as late,
        (select sum(amount) from ledger_entry where order_uuid = orders.uuid) as balance
      from orders
      where merchant_uuid = ${merchantUuid} and order_type = 'invoice' and payment_status is null
    ) as owed
    where balance > 0 group by 1`.execute(db)
  const byBucket = new Map(rows.map((row) => [row.bucket, row]))
  return AGE_BUCKETS.map((bucket) => {
    const { orders, amount } = byBucket.get(bucket) ?? { orders: 0, amount: '0' }
    return { bucket, orders, cents: scaledFrom(amount, 2) }
  })
}
