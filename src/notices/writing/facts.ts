/** What notices say beside their event: orders, the suppliers of their lines, sources. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import type { NoticeStone } from '../../database/tables/mail.ts'

export interface NoticeEvent {
  uuid: string
  sequence: number
  merchant_uuid: string | null
  order_uuid: string | null
  event_type: string
  event_data: Record<string, unknown>
  created_on: string
}

export interface LineFacts {
  uuid: string
  sku: string
  description: string
  quantity: number
  /** Of one, wholesale in USD. Not for suppliers. */
  price: string
  vendor_sku: string | null
  supplier_uuid: string | null
  supplier: string | null
  confirmed_by: string | null
  /** Null for jewelry. */
  stone: NoticeStone | null
}

export interface OrderFacts {
  uuid: string
  order_id: string
  order_type: 'invoice' | 'memo'
  memo_id: string | null
  memo_due_date: string | null
  ordered_on: string
  total: string
  merchant: string
  lines: LineFacts[]
}

interface SourceFacts {
  uuid: string
  supplier_uuid: string
}

export interface Facts {
  orders: ReadonlyMap<string, OrderFacts>
  /** Names of merchants, by uuid. */
  merchants: ReadonlyMap<string, string>
  sources: ReadonlyMap<string, SourceFacts>
  /** What stones are, by SKU. */
  stones: ReadonlyMap<string, NoticeStone>
}

/** Reads all that the notices of some events need, in one statement for each kind of thing. */
export async function readFacts(db: Db | Tx, events: readonly NoticeEvent[]): Promise<Facts> {
  return {
    orders: await readOrders(db, unique(events.map(({ order_uuid }) => order_uuid))),
    merchants: await readMerchants(db, unique(events.map((event) => event.merchant_uuid))),
    sources: await readSources(db, unique(events.map((event) => textOf(event, 'source_uuid')))),
    stones: await readStones(db, unique(events.flatMap(skusOf))),
  }
}

function unique(values: readonly (string | null | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== null && value !== undefined))]
}

/** Descriptions are read for so many stones of an event; more are not shown. */
const STONES_MAX = 20

/** The stones that an event names by SKU: those of holds, quotes and searches, and watched ones. */
function skusOf(event: NoticeEvent): string[] {
  if (event.order_uuid !== null) return []
  const { sku, skus, line_items, stones } = event.event_data
  const listed = Array.isArray(skus) ? skus : []
  const lines = [line_items, stones].flatMap((rows) =>
    Array.isArray(rows) ? rows.map((row: { sku: unknown }) => row.sku) : [],
  )
  const named = [sku, ...listed, ...lines].filter((each) => typeof each === 'string')
  return named.slice(0, STONES_MAX)
}

/** A text field of an event. */
export function textOf({ event_data }: NoticeEvent, name: string): string | undefined {
  const value = Object.hasOwn(event_data, name) ? event_data[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

async function readOrders(db: Db | Tx, uuids: string[]): Promise<Facts['orders']> {
  if (uuids.length === 0) return new Map()
  const orders = await sql<Omit<OrderFacts, 'lines'>>`
    select uuid, order_id, order_type, memo_id, memo_due_date, ordered_on, total,
      merchant_legal_dba as merchant
    from orders where uuid = any(${uuids}::uuid[])`.execute(db)
  const lines = await sql<LineFacts & { order_uuid: string }>`
    select line.uuid, order_uuid, line.sku, line.description, line.quantity, line.price,
      confirmed_by, line.product ->> 'vendor_sku' as vendor_sku, supplier.uuid as supplier_uuid,
      supplier.name as supplier,
      case when line.product_type = 'gem' then json_build_object(
        'weight', line.product -> 'weight', 'shape', line.product -> 'shape',
        'type', line.product -> 'type', 'species', line.product -> 'stone_type',
        'color', coalesce(nullif(line.product -> 'quality', 'null'), line.product -> 'color'),
        'clarity', case when line.product ->> 'quality' is null then line.product -> 'clarity' end,
        'lab', line.product -> 'lab', 'cert_num', line.product -> 'cert_num') end as stone
    from order_line as line left join supplier on supplier.id = line.supplier_id
    where order_uuid = any(${uuids}::uuid[]) and line.product_type <> 'cert'
    order by order_uuid, position`.execute(db)
  return new Map(
    orders.rows.map((order) => [
      order.uuid,
      { ...order, lines: lines.rows.filter(({ order_uuid }) => order_uuid === order.uuid) },
    ]),
  )
}

async function readMerchants(db: Db | Tx, uuids: string[]): Promise<Facts['merchants']> {
  if (uuids.length === 0) return new Map()
  const { rows } = await sql<{ uuid: string; legal_dba: string }>`
    select uuid, legal_dba from merchant where uuid = any(${uuids}::uuid[])`.execute(db)
  return new Map(rows.map(({ uuid, legal_dba }) => [uuid, legal_dba]))
}

async function readSources(db: Db | Tx, uuids: string[]): Promise<Facts['sources']> {
  if (uuids.length === 0) return new Map()
  const { rows } = await sql<SourceFacts>`
    select source.uuid, supplier.uuid as supplier_uuid
    from feed_source as source join supplier on supplier.id = source.supplier_id
    where source.uuid = any(${uuids}::uuid[])`.execute(db)
  return new Map(rows.map((source) => [source.uuid, source]))
}

async function readStones(db: Db | Tx, skus: string[]): Promise<Facts['stones']> {
  if (skus.length === 0) return new Map()
  const { rows } = await sql<NoticeStone & { sku: string }>`
    select sku, case when weight > 0 then weight::float8 end as weight, shape, type, species, color,
      clarity, null as lab, null as cert_num
    from gem where sku = any(${skus}::text[])`.execute(db)
  return new Map(rows.map(({ sku, ...stone }) => [sku, stone]))
}
