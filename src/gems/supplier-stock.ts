import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/open.ts'
import type { GemProductType } from '../database/tables/gems.ts'
import { isoWithOffset } from '../lib/timestamps.ts'
import { DECIMAL_FIELDS, FEED_COLUMNS, type FeedColumn, MADE_BY_THE_OPERATOR } from './gem.ts'
import type { LifeState } from './gem-life.ts'
import { IS_IN_STATE, startsWith } from './operator/list-gems.ts'
import { fed } from './operator/override-fields.ts'

/**
 * A supplier's stock as the supplier sees it: what its feed says of each stone, also where the
 * operator has set something else, with its own prices and never what the market makes of them.
 */
interface SupplierStockQuery {
  supplier_id: number
  /** The beginning of a SKU, of a stock number or of a certificate's number. */
  q?: string | undefined
  state?: LifeState | undefined
  product_type?: GemProductType | undefined
  sort_col?: SupplierStockSort | undefined
  sort_order?: 'asc' | 'desc' | undefined
  limit: number
  offset: number
}

/** What the stock can be sorted by, of `g`. A stone that is added later has a higher id. */
const SORTS = {
  vendor_sku: sql`g.vendor_sku`,
  sku: sql`g.sku`,
  weight: sql.raw(fed('weight')),
  price: sql`g.cost`,
  quantity: sql`g.quantity`,
  created_on: sql`g.id`,
  updated_on: sql`g.updated_on`,
} as const

type SupplierStockSort = keyof typeof SORTS
export const SUPPLIER_STOCK_SORTS = Object.keys(SORTS) as SupplierStockSort[]

/** These have a rule of their own below, or the supplier never wrote them. */
const NOT_AS_WRITTEN = ['cost', 'cost_exact', 'list_price', 'quantity', ...MADE_BY_THE_OPERATOR]
type NotAsWritten =
  | 'cost'
  | 'cost_exact'
  | 'list_price'
  | 'quantity'
  | (typeof MADE_BY_THE_OPERATOR)[number]

/** The columns that are shown under their own names. */
export type WrittenField = Exclude<FeedColumn, NotAsWritten>
export const WRITTEN_FIELDS = FEED_COLUMNS.filter(
  (column): column is WrittenField => !NOT_AS_WRITTEN.includes(column),
)

/** Columns of digits, which JSON has as numbers. */
const DECIMALS: ReadonlySet<string> = new Set([
  ...DECIMAL_FIELDS,
  'tolerance_positive',
  'tolerance_negative',
])

const COLUMNS = sql.raw(WRITTEN_FIELDS.map((column) => `${fed(column)} as ${column}`).join(', '))

type StockRow = Record<WrittenField, unknown> & {
  sku: string
  state: LifeState
  price: string
  list_price: string | null
  quantity: number
  feed_quantity: number
  created_on: string
  updated_on: string
}

/** A page of the stock, by stock number unless asked otherwise, with an exact count. */
export async function listSupplierStock(db: Db, query: SupplierStockQuery) {
  const { ids, total } = await findPage(db, query)
  // The supplier's list price is kept; one from the operator's sheets is not the supplier's.
  const { rows } = await sql<StockRow>`
    select g.sku, life_state(g) as state, ${COLUMNS}, g.cost as price,
      case when g.list_price_from_grid then null else g.list_price end as list_price,
      g.quantity, coalesce(g.feed_quantity, g.quantity) as feed_quantity,
      g.created_on, g.updated_on
    from gem g where g.id = any(${ids}::bigint[])
    order by array_position(${ids}::bigint[], g.id)`.execute(db)
  return { stones: rows.map(renderRow), total }
}

interface FoundPage {
  ids: number[]
  total: number
}

/** The index of stock numbers gives page and count; a text is looked up in its own indexes. */
async function findPage(db: Db, query: SupplierStockQuery): Promise<FoundPage> {
  const { q, limit, offset } = query
  const where = conditionOf(query)
  const found = q === undefined ? sql`gem g where ${where}` : sql`g`
  const first = q === undefined ? sql`` : sql`with g as materialized (${SORTED} where ${where})`
  const { rows } = await sql<FoundPage>`
    ${first}
    select array(select g.id from ${found} order by ${orderOf(query)}
        limit ${limit} offset ${offset}) as ids,
      (select count(*) from ${found}) as total`.execute(db)
  return rows[0]
}

/** What the order of a list can need. */
const SORTED = sql`
  select id, vendor_sku, sku, weight, cost, quantity, updated_on, overrides, feed_values from gem`

function orderOf({ sort_col = 'vendor_sku', sort_order = 'asc' }: SupplierStockQuery) {
  return sql`${SORTS[sort_col]} ${sort_order === 'desc' ? sql`desc` : sql`asc`}, g.vendor_sku`
}

function conditionOf({ supplier_id, q, state, product_type }: SupplierStockQuery) {
  const conditions: RawBuilder<unknown>[] = [sql`supplier_id = ${supplier_id}`]
  if (product_type !== undefined) conditions.push(sql`product_type = ${product_type}`)
  if (state !== undefined) conditions.push(IS_IN_STATE[state])
  if (q !== undefined) conditions.push(startsWith(q.trim()))
  return sql.join(conditions, sql` and `)
}

function renderRow({ price, list_price, created_on, updated_on, ...row }: StockRow) {
  const written = WRITTEN_FIELDS.map((column): [WrittenField, unknown] => {
    const value = row[column]
    return [column, DECIMALS.has(column) && value !== null ? Number(value) : value]
  })
  return {
    sku: row.sku,
    state: row.state,
    price: Number(price),
    list_price: list_price === null ? null : Number(list_price),
    quantity: row.quantity,
    feed_quantity: row.feed_quantity,
    ...(Object.fromEntries(written) as Record<WrittenField, unknown>),
    created_on: isoWithOffset(created_on),
    updated_on: isoWithOffset(updated_on),
  }
}
