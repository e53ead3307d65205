import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import { DAY_MS, millisecondsOf } from '../lib/timestamps.ts'
import type { Realm } from '../merchants/token.ts'
import { remindBatch } from '../orders/memos/remind-memos.ts'
import type { Order } from '../orders/order.ts'
import { placeOrder } from '../orders/placing/place-order.ts'
import { findSubstitutesInDatabase } from '../orders/placing/substitutes.ts'
import {
  approveReturn,
  receiveReturn,
  rejectReturn,
  requestReturn,
} from '../orders/returns/change-return.ts'
import { cancelOrder } from '../orders/steps/cancel-order.ts'
import { confirmLines, declineLines } from '../orders/steps/confirm-lines.ts'
import { fulfillOrder } from '../orders/steps/fulfill-order.ts'
import { convertMemo, extendMemo, returnMemo } from '../orders/steps/memo.ts'
import { payOrder, recordPayment } from '../orders/steps/pay-order.ts'
import { setCharges } from '../orders/steps/set-charges.ts'
import { asMerchant, asOperator, asSupplier, asSystem } from './actors.ts'
import type { Happening } from './calendar.ts'
import { amongEarlyStones } from './stones/early-stones.ts'

interface DemoOrdersOptions {
  realm: Realm
  publicUrl: string
  /** The orders belong to these merchants in turn. */
  merchants: readonly { uuid: string }[]
}

type StoryStep = (tx: Tx, order: Order) => Promise<unknown>

const byOperator =
  (step: StoryStep): StoryStep =>
  async (tx, order) =>
    step(await asOperator(tx), order)
const bySupplier =
  (step: StoryStep): StoryStep =>
  async (tx, order) =>
    step(await asSupplier(tx, Number(order.lines[0].supplier_id)), order)
const byMerchant =
  (step: StoryStep): StoryStep =>
  async (tx, order) =>
    step(await asMerchant(tx, order.merchant_uuid), order)

/** An order of the demo market: its products, its age, and what happened to it. */
interface Story {
  order_type: 'invoice' | 'memo'
  stones: number
  melee?: number
  jewelry?: number
  /** Only stones of suppliers that confirm their orders; of other suppliers unless given. */
  confirms?: boolean
  daysAgo: number
  reference?: string
  /** Only stones that may be returned for long enough. */
  returnable?: boolean
  /** What happened how many days after it was placed. */
  after: (readonly [days: number, step: StoryStep])[]
}

const parcel = (number: string) => ({
  tracking_company: 'Facet Express',
  tracking_number: number,
  tracking_url: `https://track.example/${number}`,
})
const first = ({ lines: [line] }: Order) => [{ uuid: line.uuid, quantity: 1 }]
const ship = byOperator((tx, order) => fulfillOrder(tx, order.uuid, parcel(`FX-${order.order_id}`)))
const shipFirst = byOperator((tx, order) =>
  fulfillOrder(tx, order.uuid, { ...parcel(`FX-${order.order_id}`), line_items: first(order) }),
)
const pay = byOperator((tx, order) => payOrder(tx, order.uuid))
const payPart = byOperator((tx, order) =>
  recordPayment(tx, order.uuid, { cents: 50_000n, method: 'wire', reference: 'TRX-4711' }),
)
const SHIPPING = { kind: 'shipping', label: 'Insured shipping', cents: 4_500n } as const
const chargeShipping = byOperator((tx, order) => setCharges(tx, order.uuid, [SHIPPING]))
const chargeLess = byOperator((tx, order) =>
  setCharges(tx, order.uuid, [
    SHIPPING,
    { kind: 'discount', label: 'Loyal buyer', cents: 10_000n },
  ]),
)
/** The supplier of the first line, which ships itself. */
const supplierOf = ({ lines: [line] }: Order) =>
  ({ role: 'supplier', supplier_id: Number(line.supplier_id), ships: true }) as const
const confirm = bySupplier((tx, order) => confirmLines(tx, order.uuid, {}, supplierOf(order)))
const shipBySupplier = bySupplier((tx, order) =>
  fulfillOrder(tx, order.uuid, parcel(`FX-${order.order_id}`), supplierOf(order)),
)
const confirmFirst = bySupplier((tx, order) =>
  confirmLines(tx, order.uuid, { line_item_uuids: [order.lines[0].uuid] }, supplierOf(order)),
)
const decline = bySupplier((tx, order) =>
  declineLines(tx, order.uuid, { reason: 'sold to another customer' }, supplierOf(order), {
    findSubstitutes: findSubstitutesInDatabase,
    publicUrl: '',
  }),
)
const cancel = byOperator((tx, order) =>
  cancelOrder(tx, order.uuid, { reason: 'the customer chose another stone' }),
)
const cancelByMerchant = byMerchant((tx, { uuid, merchant_uuid }) =>
  cancelOrder(tx, uuid, { reason: 'ordered twice' }, { role: 'merchant', merchant_uuid }),
)
const returnAll = byOperator((tx, order) => returnMemo(tx, order.uuid, {}))
const returnFirst = byOperator((tx, order) =>
  returnMemo(tx, order.uuid, { line_items: first(order) }),
)
const convert = byOperator((tx, order) => convertMemo(tx, order.uuid))
const extend = byOperator((tx, order) => extendMemo(tx, order.uuid, 14))

/** The merchant asks to return the first line. */
const askReturn = (reason: string) =>
  byMerchant((tx, order) =>
    requestReturn(tx, order.uuid, order.merchant_uuid, { line_items: first(order), reason }),
  )
/** The operator does something about the return of an order. */
const answer = (step: (tx: Tx, uuid: string) => Promise<unknown>) =>
  byOperator(async (tx, order) => {
    const { uuid } = await tx
      .selectFrom('order_return')
      .select('uuid')
      .where('order_uuid', '=', order.uuid)
      .executeTakeFirstOrThrow()
    await step(tx, uuid)
  })
const reject = (tx: Tx, uuid: string) =>
  rejectReturn(tx, uuid, { reason: 'the seal of the certificate is broken' })

// biome-ignore format: a table reads best with one order per line
const STORIES: Story[] = [
  { order_type: 'invoice', stones: 1, daysAgo: 45, after: [[0.2, pay], [1.1, ship]] },
  { order_type: 'invoice', stones: 2, daysAgo: 40, reference: 'Anniversary ring',
    after: [[1.3, ship], [12.5, pay]] },
  { order_type: 'memo', stones: 2, daysAgo: 38, reference: 'Window display', after: [[1.2, ship]] },
  { order_type: 'memo', stones: 2, daysAgo: 30, after: [[0.9, ship], [8.4, returnAll]] },
  { order_type: 'invoice', stones: 1, daysAgo: 24, after: [[0.3, cancel]] },
  { order_type: 'memo', stones: 3, daysAgo: 20,
    after: [[1, ship], [6.2, returnFirst], [6.3, convert], [15.1, pay]] },
  { order_type: 'invoice', stones: 2, melee: 40, daysAgo: 12, reference: 'Halo setting',
    after: [[2.1, shipFirst]] },
  { order_type: 'invoice', stones: 0, jewelry: 2, daysAgo: 9, after: [[0.1, pay]] },
  { order_type: 'invoice', stones: 1, daysAgo: 6, after: [[1.4, ship]] },
  { order_type: 'memo', stones: 1, daysAgo: 3, after: [[0.8, ship]] },
  { order_type: 'memo', stones: 2, daysAgo: 1, after: [] },
  { order_type: 'invoice', stones: 1, melee: 12, daysAgo: 0.1, after: [] },
  { order_type: 'memo', stones: 1, daysAgo: 85, after: [[1.1, ship]] },
  { order_type: 'memo', stones: 1, daysAgo: 19, after: [[1.2, ship], [9.5, extend]] },
  { order_type: 'invoice', stones: 1, daysAgo: 18, after: [[0.1, cancelByMerchant]] },
  { order_type: 'invoice', stones: 1, confirms: true, daysAgo: 16,
    after: [[0.4, confirm], [1.5, shipBySupplier]] },
  { order_type: 'invoice', stones: 1, confirms: true, daysAgo: 11, after: [[0.6, decline]] },
  { order_type: 'invoice', stones: 2, confirms: true, daysAgo: 2, after: [[0.3, confirmFirst]] },
  { order_type: 'invoice', stones: 1, confirms: true, daysAgo: 0.4, after: [] },
  { order_type: 'invoice', stones: 1, daysAgo: 2, returnable: true,
    after: [[0.9, ship], [1.7, askReturn('the customer prefers a warmer colour')]] },
  { order_type: 'invoice', stones: 2, daysAgo: 4, returnable: true,
    after: [[0.8, ship], [1, pay], [2.6, askReturn('one of the two is enough')],
      [3.2, answer(approveReturn)]] },
  { order_type: 'invoice', stones: 1, daysAgo: 5, returnable: true,
    after: [[1.2, ship], [3.4, askReturn('the engagement is off')], [4.1, answer(reject)]] },
  { order_type: 'invoice', stones: 2, daysAgo: 6, returnable: true,
    after: [[0.7, ship], [2.2, askReturn('too small beside the other')],
      [2.9, answer(approveReturn)], [5.3, answer(receiveReturn)]] },
  { order_type: 'invoice', stones: 1, daysAgo: 50, reference: 'Solitaire',
    after: [[0.2, chargeShipping], [1.2, ship]] },
  { order_type: 'invoice', stones: 2, daysAgo: 7,
    after: [[0.1, chargeLess], [0.6, payPart], [1.1, ship]] },
  { order_type: 'invoice', stones: 1, confirms: true, daysAgo: 0.3, after: [] },
  { order_type: 'invoice', stones: 1, confirms: true, daysAgo: 0.2, after: [] },
  { order_type: 'invoice', stones: 1, daysAgo: 3, returnable: true,
    after: [[0.7, ship], [2.4, askReturn('the stone is smaller than it looked')]] },
  ...[0.9, 0.85, 0.8, 0.75, 0.7, 0.65].map((daysAgo): Story => {
    return { order_type: 'invoice', stones: 1, daysAgo, after: [] }
  }),
  ...[0.6, 0.55, 0.5].map((daysAgo): Story => {
    return { order_type: 'invoice', stones: 1, confirms: true, daysAgo, after: [] }
  }),
]

/** A few orders in every state, through the same functions as all other orders. */
export function demoOrders(tx: Tx, options: DemoOrdersOptions): Happening[] {
  return STORIES.map((story, index) => ({
    daysAgo: story.daysAgo,
    async run(plan) {
      const order = await placeStory(tx, story, index, options)
      if (!order) return
      const after = (days: number, run: Happening['run']) =>
        plan({ daysAgo: story.daysAgo - days, run })
      for (const [days, step] of story.after) after(days, async () => void (await step(tx, order)))
      for (const days of reminderDays(order))
        after(days, async () => void (await remindBatch(asSystem(tx))))
    },
  }))
}

/** How many days after its placement a memo is reminded of, with an hour for the reminder. */
function reminderDays({ ordered_on, memo_due_date }: Order): number[] {
  if (memo_due_date === null) return []
  const days = (millisecondsOf(memo_due_date) - millisecondsOf(ordered_on)) / DAY_MS
  return [days - 3 + 1 / 24, days + 1 / 24]
}

async function placeStory(
  tx: Tx,
  story: Story,
  index: number,
  { merchants, realm, publicUrl }: DemoOrdersOptions,
): Promise<Order | undefined> {
  const line_items = await chooseProducts(tx, story)
  if (line_items.length === 0) return undefined
  const { uuid: merchant_uuid } = merchants[index % merchants.length]
  const { order } = await placeOrder(
    await asMerchant(tx, merchant_uuid),
    {
      merchant_uuid,
      order_type: story.order_type,
      line_items,
      order_id: `DEMO-${String(1001 + index)}`,
      order_reference: story.reference,
      allow_unavailable: false,
      dry_run: false,
      order_channel: 'api',
      debug: realm === 'test',
    },
    { findSubstitutes: async () => [], publicUrl },
  )
  return order
}

async function chooseProducts(tx: Tx, story: Story): Promise<{ sku: string; quantity: number }[]> {
  const { rows } = await sql<{ sku: string; quantity: number }>`
    (select sku, 1 as quantity from gem
      where ${await amongEarlyStones(tx)}
        and product_type = 'diamond' and state = 'available' and quantity = 1
        and hold_uuid is null and cert_num is not null and weight between 0.7 and 2.2
        and sku not in (select sku from quote_line)
        and (memo or ${story.order_type} = 'invoice')
        and (not ${story.returnable ?? false}
          or (returnable and days_to_return > ${story.daysAgo}::numeric))
        and supplier_id in (select id from supplier where confirms = ${story.confirms ?? false})
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
