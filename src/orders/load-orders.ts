import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { OrderTable } from '../database/tables/orders.ts'
import type { JsonObjectText } from '../lib/json-text.ts'
import { loadDocuments } from './documents/document-store.ts'
import { loadEntries } from './ledger/ledger-store.ts'
import {
  type Fulfillment,
  LINE_SUMMARY,
  ORDER_SUMMARY,
  type Order,
  type OrderLine,
  type OrderRow,
  type OrderSummary,
  type OrderWith,
  type PageLine,
} from './order.ts'

// biome-ignore format: a list of columns
export const ORDER_COLUMNS = [
  'uuid', 'merchant_uuid', 'order_id', 'order_reference', 'order_type', 'order_channel',
  'order_status', 'payment_status', 'fulfillment_status', 'shipping_status', 'notes', 'debug',
  'memo_id', 'memo_due_date', 'memo_reminder', 'ordered_on', 'updated_on', 'total', 'open_quantity',
  'payment_terms_days', 'invoiced_on', 'merchant', 'merchant_legal_dba', 'billing_address',
  'shipping_address', 'margins',
] as const satisfies (keyof OrderTable)[]

/** Loads orders with everything that belongs to them, in the order of the uuids. */
export function loadOrders(db: Db | Tx, uuids: readonly string[]): Promise<Order[]> {
  return loadWith(db, uuids, loadLines)
}

/** Loads orders for a page, to which what their lines say of products is only passed on. */
export function loadOrderPage(db: Db, uuids: readonly string[]): Promise<OrderWith<PageLine>[]> {
  return loadWith(db, uuids, loadPageLines)
}

type LoadLines<Line> = (db: Db | Tx, uuids: readonly string[]) => Promise<Line[]>

async function loadWith<Line extends { order_uuid: string }>(
  db: Db | Tx,
  uuids: readonly string[],
  load: LoadLines<Line>,
): Promise<OrderWith<Line>[]> {
  if (uuids.length === 0) return []
  const [rows, lines, entries, documents] = await loadParts(db, uuids, load)
  const changed = rows.filter(wasChanged).map(({ uuid }) => uuid)
  const history = await loadHistory(db, changed)
  return rows.map((row) => ({
    entries: entries.get(row.uuid) ?? [],
    documents: documents.get(row.uuid) ?? [],
    lines: lines.get(row.uuid) ?? [],
    fulfillments: history.fulfillments.get(row.uuid) ?? [],
    cancellations: history.cancellations.get(row.uuid) ?? [],
    events: history.events.get(row.uuid) ?? [],
    ...row,
  }))
}

const FEW = 10

/** The parts of a page are read at once, on several connections; a transaction has only one. */
async function loadParts<Line extends { order_uuid: string }>(
  db: Db | Tx,
  uuids: readonly string[],
  load: LoadLines<Line>,
) {
  const linesOf = async () => groupedBy(await load(db, uuids), (line) => line.order_uuid)
  if (!db.isTransaction && uuids.length > FEW) {
    return Promise.all([
      loadRows(db, uuids),
      linesOf(),
      entriesOf(db, uuids),
      documentsOf(db, uuids),
    ])
  }
  return [
    await loadRows(db, uuids),
    await linesOf(),
    await entriesOf(db, uuids),
    await documentsOf(db, uuids),
  ] as const
}

async function entriesOf(db: Db | Tx, uuids: readonly string[]) {
  return groupedBy(await loadEntries(db, uuids), (entry) => entry.order_uuid)
}

async function documentsOf(db: Db | Tx, uuids: readonly string[]) {
  return groupedBy(await loadDocuments(db, uuids), (each) => each.order_uuid)
}

/** Loads as much of the orders as the v3 lists show, in the order of the uuids. */
export async function loadSummaries(db: Db, uuids: readonly string[]): Promise<OrderSummary[]> {
  if (uuids.length === 0) return []
  const isOne = sql<string>`any(${[...uuids]}::uuid[])`
  const rows = await db
    .selectFrom('orders')
    .select(ORDER_SUMMARY)
    .where('uuid', '=', isOne)
    .execute()
  const lines = await db
    .selectFrom('order_line')
    .select(LINE_SUMMARY)
    .where('order_uuid', '=', isOne)
    .orderBy('order_uuid')
    .orderBy('position')
    .execute()
  const linesOf = groupedBy(lines, (line) => line.order_uuid)
  return inOrderOf(uuids, rows).map((row) => ({ lines: linesOf.get(row.uuid) ?? [], ...row }))
}

/** Every change of an order sets its updated_on. */
function wasChanged(row: OrderRow): boolean {
  return row.updated_on !== row.ordered_on
}

async function loadRows(db: Db | Tx, uuids: readonly string[]): Promise<OrderRow[]> {
  const rows = await db
    .selectFrom('orders')
    .select(ORDER_COLUMNS)
    .where('uuid', '=', sql<string>`any(${[...uuids]}::uuid[])`)
    .execute()
  return inOrderOf(uuids, rows)
}

function inOrderOf<Row extends { uuid: string }>(uuids: readonly string[], rows: Row[]): Row[] {
  const positions = new Map(uuids.map((uuid, position) => [uuid, position]))
  return rows.sort((a, b) => (positions.get(a.uuid) ?? 0) - (positions.get(b.uuid) ?? 0))
}

/** The lines of each order, by position. */
function loadLines(db: Db | Tx, uuids: readonly string[]): Promise<OrderLine[]> {
  return db
    .selectFrom('order_line')
    .selectAll()
    .where('order_uuid', '=', sql<string>`any(${[...uuids]}::uuid[])`)
    .orderBy('order_uuid')
    .orderBy('position')
    .execute()
}

// biome-ignore format: a list of columns
const PAGE_LINE = [
  'uuid', 'order_uuid', 'position', 'name', 'description', 'sku', 'product_id', 'product_type',
  'supplier_cost', 'unit_cost', 'properties', 'vendor', 'quantity', 'price', 'fulfilled_quantity',
  'cancelled_quantity', 'returned_quantity', 'open_quantity', 'stock_kind', 'stock_id',
  'taken_quantity', 'taken_from', 'supplier_id', 'confirmed_on', 'confirmed_by', 'declined_on',
  'created_on', 'updated_on',
] as const satisfies (keyof PageLine)[]

/**
 * The products stay text: not parsing and writing them again saves a tenth of the processor time
 * of a page of a hundred orders. A certificate shows no cost, and keeps what it has.
 */
function loadPageLines(db: Db | Tx, uuids: readonly string[]): Promise<PageLine[]> {
  return db
    .selectFrom('order_line')
    .select(PAGE_LINE)
    .select([
      sql<JsonObjectText>`case when sku = '' then product else product - 'cost' end::text`.as(
        'product',
      ),
      sql<string | null>`product ->> 'product_type'`.as('stone_type'),
      sql<string | null>`product ->> 'base_wholesale_price'`.as('base_wholesale_price'),
    ])
    .where('order_uuid', '=', sql<string>`any(${[...uuids]}::uuid[])`)
    .orderBy('order_uuid')
    .orderBy('position')
    .execute()
}

async function loadHistory(db: Db | Tx, uuids: readonly string[]) {
  if (uuids.length === 0) {
    return { fulfillments: new Map(), cancellations: new Map(), events: new Map() }
  }
  const isOne = sql<string>`any(${[...uuids]}::uuid[])`
  const fulfillments = await loadFulfillments(db, uuids)
  const cancellations = await db
    .selectFrom('cancellation')
    .innerJoin('order_line', 'order_line.uuid', 'line_uuid')
    .selectAll('cancellation')
    .where('cancellation.order_uuid', '=', isOne)
    // The rows of one call share its timestamp, and uuids of one millisecond are not ordered.
    .orderBy('cancellation.created_on')
    .orderBy('order_line.position')
    .orderBy('cancellation.uuid')
    .execute()
  const events = await db
    .selectFrom('event')
    .select(['order_uuid', 'event_type', 'event_data', 'created_on'])
    .where('order_uuid', '=', isOne)
    .where('event_type', '<>', 'order.create')
    .orderBy('sequence') // The newest may have no number yet.
    .orderBy('queued')
    .execute()
  return {
    fulfillments: groupedBy(fulfillments, (each) => each.order_uuid),
    cancellations: groupedBy(cancellations, (each) => each.order_uuid),
    events: groupedBy(events, (each) => each.order_uuid ?? ''),
  }
}

async function loadFulfillments(db: Db | Tx, uuids: readonly string[]): Promise<Fulfillment[]> {
  const rows = await db
    .selectFrom('fulfillment')
    .innerJoin('fulfillment_line', 'fulfillment_uuid', 'fulfillment.uuid')
    .innerJoin('order_line', 'order_line.uuid', 'line_uuid')
    .selectAll('fulfillment')
    .select(['fulfillment_line.line_uuid', 'fulfillment_line.quantity'])
    .where('fulfillment.order_uuid', '=', sql<string>`any(${[...uuids]}::uuid[])`)
    .orderBy('fulfillment.created_on')
    .orderBy('fulfillment.uuid')
    .orderBy('order_line.position')
    .execute()
  const grouped = new Map<string, Fulfillment>()
  for (const { line_uuid, quantity, ...row } of rows) {
    const known = grouped.get(row.uuid) ?? { ...row, lines: [] }
    known.lines.push({ line_uuid, quantity })
    grouped.set(row.uuid, known)
  }
  return [...grouped.values()]
}

/** Node 20 has no Map.groupBy yet. */
function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
