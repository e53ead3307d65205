import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { AGE_BUCKETS, type AgeBucket, ageBucketOf } from '../ledger/terms.ts'

/** A line of goods that are out on memo. */
export interface MemoEntry {
  order_uuid: string
  order_id: string
  memo_id: string
  merchant_uuid: string
  merchant_legal_dba: string
  line_item_uuid: string
  sku: string
  name: string
  description: string
  product_type: 'gem' | 'jewelry' | 'watch'
  product_id: string | null
  /** Units that were neither returned nor cancelled. */
  quantity: number
  /** Of these units in US dollars, with all decimals. */
  value: string
  ordered_on: string
  due_date: string | null
  /** Days that have begun until the due date; negative for whole days after it. */
  days_left: number | null
  bucket: AgeBucket
}

/** What lines can be sorted by. */
const SORTS = {
  due_date: sql`due_date`,
  ordered_on: sql`ordered_on`,
  memo_id: sql`memo_id`,
  merchant_legal_dba: sql`merchant_legal_dba`,
  name: sql`name`,
  quantity: sql`quantity`,
  value: sql`line.value`,
} as const

type MemoSort = keyof typeof SORTS
export const MEMO_SORTS = Object.keys(SORTS) as MemoSort[]

interface MemoQuery {
  /** Undefined for the operator, who sees the memos of all merchants. */
  merchant_uuid?: string | undefined
  overdue?: boolean | undefined
  sort_col?: MemoSort | undefined
  sort_order?: 'asc' | 'desc' | undefined
  limit: number
  offset: number
}

interface MemoLedger {
  entries: MemoEntry[]
  total: number
  /** The value of all entries, on other pages, too. */
  totals: Record<AgeBucket, string>
}

/**
 * Lists what is out on memo line by line, the first due first unless asked otherwise. A memo is
 * late as soon as its due date has passed: with less than a whole day it counts as one day late.
 */
export async function listMemos(db: Db, query: MemoQuery): Promise<MemoLedger> {
  const open = openLines(query)
  const sums = await sql<{ bucket: AgeBucket; count: number; value: string }>`
    select bucket, count(*) as count, sum(value)::text as value from (${open}) as line
    group by bucket`.execute(db)
  const total = sums.rows.reduce((sum, { count }) => sum + count, 0)
  const values = new Map(sums.rows.map(({ bucket, value }) => [bucket, value]))
  const totals = AGE_BUCKETS.map((bucket) => [bucket, values.get(bucket) ?? '0'])
  const { rows } = await sql<MemoEntry>`
    select order_uuid, order_id, memo_id, merchant_uuid, merchant_legal_dba, line_item_uuid, sku,
      name, description, product_type, product_id, quantity, value::text as value, ordered_on,
      due_date, days_left, bucket
    from (${open}) as line
    order by ${orderOf(query)}, order_uuid, position
    limit ${query.limit} offset ${query.offset}`.execute(db)
  return { entries: rows, total, totals: Object.fromEntries(totals) as MemoLedger['totals'] }
}

/** What is due on no date comes last, either way. */
function orderOf({ sort_col = 'due_date', sort_order = 'asc' }: MemoQuery) {
  return sql`${SORTS[sort_col]} ${sort_order === 'desc' ? sql`desc` : sql`asc`} nulls last`
}

/** The market's time, read once and not for each line. */
const CLOCK = sql`(select market_now() as now offset 0) as clock`

function openLines({ merchant_uuid, overdue }: MemoQuery): RawBuilder<unknown> {
  const conditions = [sql`orders.order_type = 'memo' and orders.order_status is null`]
  if (merchant_uuid !== undefined) conditions.push(sql`merchant_uuid = ${merchant_uuid}`)
  // Those that are not overdue include memos without a due date.
  if (overdue) conditions.push(sql`memo_due_date < clock.now`)
  if (overdue === false) conditions.push(sql`memo_due_date < clock.now is not true`)
  return sql`
    select orders.uuid as order_uuid, order_id, memo_id, merchant_uuid, merchant_legal_dba,
      ordered_on, memo_due_date as due_date, line.uuid as line_item_uuid, line.sku, line.name,
      line.description, line.product_type, line.product_id, line.position, kept.quantity,
      line.price * kept.quantity as value, due.days_left,
      ${ageBucketOf(sql`due.days_late`)} as bucket
    from ${CLOCK}, orders join order_line as line on line.order_uuid = orders.uuid
    cross join lateral (
      select line.quantity - line.cancelled_quantity - line.returned_quantity as quantity
    ) as kept
    cross join lateral (
      select days_left,
        case when memo_due_date < clock.now then greatest(1, -days_left) end as days_late
      from (
        select ceil(extract(epoch from memo_due_date - clock.now) / 86400)::int as days_left
      ) as begun
    ) as due
    where ${sql.join(conditions, sql` and `)} and line.product_type <> 'cert' and kept.quantity > 0`
}
