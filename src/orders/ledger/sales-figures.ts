import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/open.ts'

/** Days of UTC, `2026-01-31`; both belong to the range. */
export interface DayRange {
  from: string
  to: string
}

/** Amounts are digits in US dollars with all decimals that prices have. */
export interface SalesDay {
  day: string
  orders: number
  /** Invoiced goods, and converted memos; what was cancelled was not sold. */
  sold: string
  /** The suppliers' prices of them, as far as they are recorded. */
  cost: string
  /** The part of `sold` whose cost is not recorded. */
  sold_without_cost: string
  returned: string
  payments: string
}

/** Whether the orders of test merchants count: only a sandbox has no others. */
interface SalesOptions {
  isSandbox: boolean
}

/** The figures of the days on which anything was ordered, sold, returned or paid. */
export async function readSales(
  db: Db,
  range: DayRange,
  { isSandbox }: SalesOptions,
): Promise<SalesDay[]> {
  const parts = [placedParts, soldParts, returnedParts, paidParts].map((part) =>
    part(range, isSandbox ? sql`true` : IS_REAL),
  )
  const { rows } = await sql<SalesDay>`
    select day::text as day, sum(orders)::int as orders, sum(sold)::text as sold,
      sum(cost)::text as cost, sum(sold_without_cost)::text as sold_without_cost,
      sum(returned)::text as returned, sum(payments)::text as payments
    from (${sql.join(parts, sql` union all `)})
      as part (day, orders, sold, cost, sold_without_cost, returned, payments)
    group by day order by day`.execute(db)
  return rows
}

type SalesPart = (range: DayRange, isReal: RawBuilder<unknown>) => RawBuilder<unknown>

/** Of the row `placed`, which names an order. */
const IS_REAL = sql`not exists (
  select from orders as test where test.uuid = placed.order_uuid and test.debug)`

function within(column: RawBuilder<unknown>, { from, to }: DayRange): RawBuilder<unknown> {
  return sql`${column} >= ${from}::date at time zone 'UTC'
    and ${column} < (${to}::date + 1) at time zone 'UTC'`
}

const placedParts: SalesPart = (range, isReal) => sql`
  select (ordered_on at time zone 'UTC')::date, count(*), 0, 0, 0, 0, 0
  from (select uuid as order_uuid, ordered_on from orders) as placed
  where ${within(sql`ordered_on`, range)} and ${isReal} group by 1`

/**
 * An order is sold on the day of its entry in the ledger: when an invoice is placed, and when a
 * memo is converted. What a merchant sent back from a memo is not part of it; what it returned
 * later was sold nevertheless.
 */
const soldParts: SalesPart = ({ from, to }, isReal) => sql`
  select dated_on, 0, coalesce(sum(price * units), 0), coalesce(sum(unit_cost * units), 0),
    coalesce(sum(price * units) filter (where unit_cost is null), 0), 0, 0
  from (
    select placed.dated_on, line.price, line.unit_cost,
      line.quantity - line.cancelled_quantity - line.returned_quantity as units
    from ledger_entry as placed join order_line as line on line.order_uuid = placed.order_uuid
    where placed.kind = 'order' and placed.dated_on between ${from}::date and ${to}::date
      and line.product_type <> 'cert' and ${isReal}
    union all
    select placed.dated_on, line.price, line.unit_cost, returned.quantity
    from order_return join order_return_line as returned on returned.return_uuid = order_return.uuid
    join order_line as line on line.uuid = returned.line_uuid
    join ledger_entry as placed on placed.order_uuid = order_return.order_uuid
    where order_return.status = 'received' and placed.kind = 'order'
      and placed.dated_on between ${from}::date and ${to}::date and ${isReal}
  ) as sold group by dated_on`

const returnedParts: SalesPart = (range, isReal) => sql`
  select (placed.updated_on at time zone 'UTC')::date, 0, 0, 0, 0,
    sum(line.price * returned.quantity), 0
  from order_return as placed join order_return_line as returned on return_uuid = placed.uuid
  join order_line as line on line.uuid = returned.line_uuid
  where placed.status = 'received' and ${within(sql`placed.updated_on`, range)} and ${isReal}
  group by 1`

const paidParts: SalesPart = ({ from, to }, isReal) => sql`
  select dated_on, 0, 0, 0, 0, 0, - sum(amount) from ledger_entry as placed
  where kind = 'payment' and dated_on between ${from}::date and ${to}::date and ${isReal}
  group by dated_on`

/** What merchants owe and have on memo now, in US dollars. */
type Exposure = Unpaid & OnMemo

interface Unpaid {
  unpaid: string
  unpaid_orders: number
  overdue: string
  overdue_orders: number
}

interface OnMemo {
  on_memo: string
  memos: number
  memo_overdue: string
  overdue_memos: number
}

/** The sum of all accounts: see `account.ts`. */
export async function readExposure(db: Db, options: SalesOptions): Promise<Exposure> {
  const [unpaid, memo] = await Promise.all([readUnpaid(db, options), readOnMemo(db, options)])
  return { ...unpaid, ...memo }
}

/** All columns are in the index `orders_unpaid`, so that the wide rows are not read. */
async function readUnpaid(db: Db, { isSandbox }: SalesOptions): Promise<Unpaid> {
  const { rows } = await sql<Unpaid>`
    select coalesce(sum(balance), 0)::text as unpaid, count(*)::int as unpaid_orders,
      coalesce(sum(balance) filter (where late), 0)::text as overdue,
      count(*) filter (where late)::int as overdue_orders
    from (
      select (invoiced_on at time zone 'UTC')::date + payment_terms_days
          < (market_now() at time zone 'UTC')::date as late,
        (select sum(amount) from ledger_entry where ledger_entry.order_uuid = placed.order_uuid)
          as balance
      from (
        select uuid as order_uuid, invoiced_on, payment_terms_days from orders
        where order_type = 'invoice' and payment_status is null
      ) as placed where ${isSandbox ? sql`true` : IS_REAL}
    ) as owed where balance > 0`.execute(db)
  return rows[0]
}

async function readOnMemo(db: Db, { isSandbox }: SalesOptions): Promise<OnMemo> {
  const { rows } = await sql<OnMemo>`
    select coalesce(sum(value), 0)::text as on_memo, count(distinct uuid)::int as memos,
      coalesce(sum(value) filter (where late), 0)::text as memo_overdue,
      count(distinct uuid) filter (where late)::int as overdue_memos
    from (
      select orders.uuid, memo_due_date < market_now() as late,
        price * (quantity - cancelled_quantity - returned_quantity) as value
      from orders join order_line as line on line.order_uuid = orders.uuid
      where order_type = 'memo' and order_status is null and product_type <> 'cert'
        and (not debug or ${isSandbox})
    ) as line where value > 0`.execute(db)
  return rows[0]
}
