import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import type { Realm } from '../merchants/token.ts'
import type { Order } from '../orders/order.ts'
import { placeOrder } from '../orders/placing/place-order.ts'
import {
  approveReturn,
  receiveReturn,
  rejectReturn,
  requestReturn,
} from '../orders/returns/change-return.ts'
import { cancelOrder } from '../orders/steps/cancel-order.ts'
import { fulfillOrder } from '../orders/steps/fulfill-order.ts'
import { convertMemo, returnMemo } from '../orders/steps/memo.ts'
import { payOrder } from '../orders/steps/pay-order.ts'

interface DemoOrdersOptions {
  realm: Realm
  publicUrl: string
  /** The orders belong to these merchants in turn. */
  merchants: readonly { uuid: string }[]
  /** The time that the market is generated for, in milliseconds since 1970. */
  asOfMs: number
}

/** An order of the demo market: its products, its age, and what happened to it. */
interface Story {
  order_type: 'invoice' | 'memo'
  stones: number
  melee?: number
  jewelry?: number
  daysAgo: number
  reference?: string
  /** Only stones that may be returned for long enough. */
  returnable?: boolean
  after: ((tx: Tx, order: Order) => Promise<unknown>)[]
}

const parcel = (number: string) => ({
  tracking_company: 'Facet Express',
  tracking_number: number,
  tracking_url: `https://track.example/${number}`,
})
const ship = (tx: Tx, order: Order) => fulfillOrder(tx, order.uuid, parcel(`FX-${order.order_id}`))
const shipFirst = (tx: Tx, order: Order) =>
  fulfillOrder(tx, order.uuid, {
    ...parcel(`FX-${order.order_id}`),
    line_items: [{ uuid: order.lines[0].uuid, quantity: 1 }],
  })
const pay = (tx: Tx, order: Order) => payOrder(tx, order.uuid)
const cancel = (tx: Tx, order: Order) =>
  cancelOrder(tx, order.uuid, { reason: 'the customer chose another stone' })
const returnAll = (tx: Tx, order: Order) => returnMemo(tx, order.uuid, {})
const returnFirst = (tx: Tx, order: Order) =>
  returnMemo(tx, order.uuid, { line_items: [{ uuid: order.lines[0].uuid, quantity: 1 }] })
const convert = (tx: Tx, order: Order) => convertMemo(tx, order.uuid)

/** The merchant asks to return the first line, and the operator does what it does about it. */
const askReturn =
  (reason: string, ...steps: ((tx: Tx, uuid: string) => Promise<unknown>)[]) =>
  async (tx: Tx, order: Order) => {
    const line_items = [{ uuid: order.lines[0].uuid, quantity: 1 }]
    const request = { line_items, reason }
    const { uuid } = await requestReturn(tx, order.uuid, order.merchant_uuid, request)
    for (const step of steps) await step(tx, uuid)
  }
const reject = (tx: Tx, uuid: string) =>
  rejectReturn(tx, uuid, { reason: 'the seal of the certificate is broken' })

// biome-ignore format: a table reads best with one order per line
const STORIES: Story[] = [
  { order_type: 'invoice', stones: 1, daysAgo: 45, after: [pay, ship] },
  { order_type: 'invoice', stones: 2, daysAgo: 40, reference: 'Anniversary ring',
    after: [ship, pay] },
  { order_type: 'memo', stones: 2, daysAgo: 38, reference: 'Window display', after: [ship] },
  { order_type: 'memo', stones: 2, daysAgo: 30, after: [ship, returnAll] },
  { order_type: 'invoice', stones: 1, daysAgo: 24, after: [cancel] },
  { order_type: 'memo', stones: 3, daysAgo: 20, after: [ship, returnFirst, convert, pay] },
  { order_type: 'invoice', stones: 2, melee: 40, daysAgo: 12, reference: 'Halo setting',
    after: [shipFirst] },
  { order_type: 'invoice', stones: 0, jewelry: 2, daysAgo: 9, after: [pay] },
  { order_type: 'invoice', stones: 1, daysAgo: 6, after: [ship] },
  { order_type: 'memo', stones: 1, daysAgo: 3, after: [ship] },
  { order_type: 'memo', stones: 2, daysAgo: 1, after: [] },
  { order_type: 'invoice', stones: 1, melee: 12, daysAgo: 0, after: [] },
  { order_type: 'invoice', stones: 1, daysAgo: 2, returnable: true,
    after: [ship, askReturn('the customer prefers a warmer colour')] },
  { order_type: 'invoice', stones: 2, daysAgo: 4, returnable: true,
    after: [ship, pay, askReturn('one of the two is enough', approveReturn)] },
  { order_type: 'invoice', stones: 1, daysAgo: 5, returnable: true,
    after: [ship, askReturn('the engagement is off', reject)] },
  { order_type: 'invoice', stones: 2, daysAgo: 6, returnable: true,
    after: [ship, askReturn('too small beside the other', approveReturn, receiveReturn)] },
]

/** Places a few orders in every state, through the same functions as all other orders. */
export async function createDemoOrders(tx: Tx, options: DemoOrdersOptions): Promise<number> {
  const { merchants } = options
  if (merchants.length === 0) return 0
  let placed = 0
  // Entries are moved into the past, as the rest of an order: a trigger refuses that otherwise.
  await sql`alter table ledger_entry disable trigger ledger_is_append_only`.execute(tx)
  for (const [index, story] of STORIES.entries()) {
    const merchant = merchants[index % merchants.length]
    const line_items = await chooseProducts(tx, story)
    if (line_items.length === 0) continue
    placed++
    const { order } = await placeOrder(
      tx,
      {
        merchant_uuid: merchant.uuid,
        order_type: story.order_type,
        line_items,
        order_id: `DEMO-${String(1001 + index)}`,
        order_reference: story.reference,
        allow_unavailable: false,
        dry_run: false,
        order_channel: 'api',
        debug: options.realm === 'test',
      },
      { findSubstitutes: async () => [], publicUrl: options.publicUrl },
    )
    for (const step of story.after) await step(tx, order)
    await makeOlder(tx, order.uuid, story.daysAgo)
  }
  await sql`alter table ledger_entry enable trigger ledger_is_append_only`.execute(tx)
  // The same seed must give the same `updated_on`, so it is set to the time of the market.
  await sql`
    update gem set updated_on = ${new Date(options.asOfMs).toISOString()}::timestamptz
    where sku in (select sku from order_line)`.execute(tx)
  return placed
}

async function chooseProducts(tx: Tx, story: Story): Promise<{ sku: string; quantity: number }[]> {
  const { rows } = await sql<{ sku: string; quantity: number }>`
    (select sku, 1 as quantity from gem
      where product_type = 'diamond' and state = 'available' and quantity = 1
        and hold_uuid is null and cert_num is not null and weight between 0.7 and 2.2
        and (memo or ${story.order_type} = 'invoice')
        and (not ${story.returnable ?? false} or (returnable and days_to_return > ${story.daysAgo}))
      order by id limit ${story.stones})
    union all
    (select sku, ${story.melee ?? 0}::int from gem
      where product_type = 'melee' and quantity >= 500 order by id limit ${story.melee ? 1 : 0})
    union all
    (select variant.sku, 1 from variant
      join catalogue_product using (product_id)
      join catalogue on catalogue.uuid = catalogue_uuid and published and public
      where quantity > 1 and listed group by variant.sku order by variant.sku
      limit ${story.jewelry ?? 0})`.execute(tx)
  return rows
}

/** Moves an order, its events and its entries in the ledger into the past. */
async function makeOlder(tx: Tx, uuid: string, days: number): Promise<void> {
  const age = sql`make_interval(days => ${days})`
  await sql`
    update orders set ordered_on = ordered_on - ${age}, updated_on = updated_on - ${age},
      memo_due_date = memo_due_date - ${age}, invoiced_on = invoiced_on - ${age}
    where uuid = ${uuid}`.execute(tx)
  for (const table of ['order_line', 'fulfillment', 'order_return'] as const) {
    await sql`
      update ${sql.table(table)} set created_on = created_on - ${age},
        updated_on = updated_on - ${age} where order_uuid = ${uuid}`.execute(tx)
  }
  await sql`
    update ledger_entry set created_on = created_on - ${age},
      dated_on = ((created_on - ${age}) at time zone 'UTC')::date
    where order_uuid = ${uuid}`.execute(tx)
  for (const table of ['cancellation', 'event'] as const) {
    await sql`
      update ${sql.table(table)} set created_on = created_on - ${age}
      where order_uuid = ${uuid}`.execute(tx)
  }
}
