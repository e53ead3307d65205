import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { AddressCopy, OrderLineTable, OrderType } from '../database/tables/orders.ts'
import { Refusal } from '../lib/refusal.ts'
import { timeOf } from './search-orders.ts'

/**
 * Orders as a supplier sees them: its own lines, and nothing that tells who buys, at which price,
 * or what else was ordered. Only such columns are read, so that no rendering can show the others.
 */
export interface SupplierOrder {
  uuid: string
  order_type: OrderType
  ordered_on: string
  /** Only for a supplier that ships to merchants itself. */
  shipping_address: AddressCopy | null
  lines: SupplierLine[]
  /** Shipments of its lines; only for a supplier that ships. */
  fulfillments: SupplierFulfillment[]
}

// biome-ignore format: a list of columns
const LINE_COLUMNS = [
  'uuid', 'order_uuid', 'sku', 'description', 'product_type', 'quantity', 'fulfilled_quantity',
  'open_quantity', 'cancelled_quantity', 'returned_quantity', 'confirmed_on', 'confirmed_by',
  'declined_on', 'supplier_cost', 'created_on', 'updated_on',
] as const satisfies (keyof OrderLineTable)[]

export type SupplierLine = Pick<Selectable<OrderLineTable>, (typeof LINE_COLUMNS)[number]> & {
  /** Of the copy of the product, which has the buyer's prices as well. */
  vendor_sku: string | null
}

interface SupplierFulfillment {
  uuid: string
  order_uuid: string
  tracking_company: string
  tracking_number: string
  tracking_url: string
  created_on: string
  lines: { uuid: string; quantity: number }[]
}

/** Whose orders are read. */
interface OrderReader {
  id: number
  ships: boolean
}

/** What orders can be sorted by: their time, and how many lines the supplier has in them. */
const SORTS = { ordered_on: sql`created_on`, line_items: sql`count(*)` } as const

type SupplierOrderSort = keyof typeof SORTS
export const SUPPLIER_ORDER_SORTS = Object.keys(SORTS) as SupplierOrderSort[]

interface SupplierOrderQuery {
  /** Only orders with lines that wait for the supplier's answer. */
  unconfirmed?: boolean | undefined
  /** Only orders with units that have not shipped. */
  has_unfulfilled?: boolean | undefined
  /** The SKU or the supplier's stock number of a line. */
  q?: string | undefined
  /** Microseconds since 1970; the bounds belong to the range. */
  ordered_from?: number | undefined
  ordered_to?: number | undefined
  updated_since?: number | undefined
  sort_col?: SupplierOrderSort | undefined
  sort_order?: 'asc' | 'desc' | undefined
  limit: number
  offset: number
}

/** A page of the supplier's orders, newest first unless asked otherwise, with an exact count. */
export async function listSupplierOrders(
  db: Db,
  supplier: OrderReader,
  query: SupplierOrderQuery,
): Promise<{ orders: SupplierOrder[]; total: number }> {
  const { sort_col = 'ordered_on', sort_order = 'desc', limit, offset } = query
  const direction = sort_order === 'desc' ? sql`desc` : sql`asc`
  // The lines of an order are created together; certificates, which are not, are left out.
  const found = sql`select order_uuid, created_on from order_line
    where ${conditionOf(supplier, query)} group by created_on, order_uuid`
  const page = await sql<{ order_uuid: string }>`
    ${found} order by ${SORTS[sort_col]} ${direction}, created_on desc, order_uuid
    limit ${limit} offset ${offset}`.execute(db)
  const uuids = page.rows.map(({ order_uuid }) => order_uuid)
  const orders = await loadSupplierOrders(db, supplier, uuids)
  if (offset === 0 && uuids.length < limit) return { orders, total: uuids.length }
  const counted = await sql<{ total: number }>`
    select count(*) as total from (${found}) as found`.execute(db)
  return { orders, total: counted.rows[0].total }
}

/** An order without a line of the supplier does not exist for it. */
export async function getSupplierOrder(
  db: Db | Tx,
  supplier: OrderReader,
  uuid: string,
): Promise<SupplierOrder> {
  const [order] = await loadSupplierOrders(db, supplier, [uuid])
  if (order && order.lines.length > 0) return order
  throw new Refusal('not_found', `There is no order ${uuid}.`)
}

function conditionOf({ id }: OrderReader, query: SupplierOrderQuery): RawBuilder<unknown> {
  const conditions = [sql`supplier_id = ${id}`, sql`product_type <> 'cert'`]
  if (query.unconfirmed) conditions.push(sql`confirmed_by is null and open_quantity > 0`)
  if (query.has_unfulfilled) conditions.push(sql`open_quantity > 0`)
  const { q, ordered_from, ordered_to, updated_since } = query
  if (q !== undefined) {
    const text = q.trim()
    conditions.push(sql`sku in (select ${text.toUpperCase()}
      union all select sku from gem where supplier_id = ${id} and vendor_sku = ${text}
      union all select sku from variant where supplier_id = ${id} and vendor_sku = ${text})`)
  }
  if (ordered_from !== undefined) conditions.push(sql`created_on >= ${timeOf(ordered_from)}`)
  if (ordered_to !== undefined) conditions.push(sql`created_on <= ${timeOf(ordered_to)}`)
  if (updated_since !== undefined) conditions.push(sql`updated_on >= ${timeOf(updated_since)}`)
  return sql.join(conditions, sql` and `)
}

async function loadSupplierOrders(
  db: Db | Tx,
  { id, ships }: OrderReader,
  uuids: readonly string[],
): Promise<SupplierOrder[]> {
  if (uuids.length === 0) return []
  const isOne = sql`any(${[...uuids]}::uuid[])`
  const lines = await sql<SupplierLine>`
    select ${sql.join(LINE_COLUMNS.map((column) => sql.ref(column)))},
      product ->> 'vendor_sku' as vendor_sku
    from order_line
    where order_uuid = ${isOne} and supplier_id = ${id} and product_type <> 'cert'
    order by order_uuid, position`.execute(db)
  const orders = await sql<Omit<SupplierOrder, 'lines' | 'fulfillments'>>`
    select uuid, order_type, ordered_on,
      ${ships ? sql`shipping_address` : sql`null::jsonb`} as shipping_address
    from orders where uuid = ${isOne}
    order by array_position(${[...uuids]}::uuid[], uuid)`.execute(db)
  const fulfillments = ships ? await loadShipments(db, id, isOne) : []
  return orders.rows.map((order) => ({
    ...order,
    lines: lines.rows.filter(({ order_uuid }) => order_uuid === order.uuid),
    fulfillments: fulfillments.filter(({ order_uuid }) => order_uuid === order.uuid),
  }))
}

/** The shipments that have lines of the supplier, with those lines only. */
async function loadShipments(
  db: Db | Tx,
  supplierId: number,
  isOne: RawBuilder<unknown>,
): Promise<SupplierFulfillment[]> {
  const { rows } = await sql<SupplierFulfillment>`
    select f.uuid, f.order_uuid, f.tracking_company, f.tracking_number, f.tracking_url,
      f.created_on,
      json_agg(json_build_object('uuid', l.uuid, 'quantity', s.quantity) order by l.position)
        as lines
    from fulfillment f join fulfillment_line s on s.fulfillment_uuid = f.uuid
    join order_line l on l.uuid = s.line_uuid
    where f.order_uuid = ${isOne} and l.supplier_id = ${supplierId} and l.product_type <> 'cert'
    group by f.uuid order by f.created_on, f.uuid`.execute(db)
  return rows
}
