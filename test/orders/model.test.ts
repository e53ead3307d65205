import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../src/database/open.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { Refusal } from '../../src/lib/refusal.ts'
import type { Order } from '../../src/orders/order.ts'
import { placeOrder } from '../../src/orders/placing/place-order.ts'
import { cancelOrder } from '../../src/orders/steps/cancel-order.ts'
import { fulfillOrder } from '../../src/orders/steps/fulfill-order.ts'
import { convertMemo, returnMemo } from '../../src/orders/steps/memo.ts'
import { payOrder } from '../../src/orders/steps/pay-order.ts'
import { insertMerchant, useDatabase } from '../support/stones.ts'
import { addParcel, addStones, expectRightCounts } from './order-support.ts'

/**
 * Runs random sequences of what merchants, the operator and a feed do to a few products, and a model
 * of it without SQL: after every step the stock and every order must be the same.
 */
const database = useDatabase()
let merchant_uuid: string
beforeAll(async () => {
  merchant_uuid = await insertMerchant(database.current.db)
})

interface ModelGem {
  sku: string
  single: boolean
  memo: boolean
  state: string
  quantity: number
}
interface ModelUnit {
  line: number
  at: 'open' | 'shipped' | 'cancelled' | 'returned'
}
interface ModelOrder {
  uuid: string
  type: 'invoice' | 'memo'
  paid: boolean
  lines: { uuid: string; gem: ModelGem }[]
  /** Every unit, and where it is. */
  units: ModelUnit[]
  /** Whether any unit was ever shipped. */
  everShipped: boolean
}

type Step =
  | { kind: 'place'; type: 'invoice' | 'memo'; wants: number[] }
  | { kind: 'fulfill' | 'cancel' | 'return'; order: number; line: number; count: number }
  | { kind: 'pay' | 'convert'; order: number }
  | { kind: 'feed takes' | 'feed brings'; gem: number }

const small = fc.nat({ max: 5 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      type: fc.constantFrom('invoice' as const, 'memo' as const),
      // How many of each product, mostly zero.
      wants: fc.array(fc.constantFrom(0, 0, 1, 1, 2), { minLength: 5, maxLength: 5 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('fulfill' as const, 'cancel' as const, 'return' as const),
      order: small,
      line: small,
      // 0: no line is named.
      count: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('pay' as const, 'convert' as const),
      order: small,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('feed takes' as const, 'feed brings' as const),
      gem: small,
    }),
  },
)

describe('the service', () => {
  it('does what the model does, for random steps in random order', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), runSteps), {
      numRuns: 30,
      interruptAfterTimeLimit: 15_000,
    })
  })
})

async function runSteps(steps: Step[]): Promise<void> {
  const gems = await createGems()
  const orders: ModelOrder[] = []
  for (const each of steps) {
    await take(each, gems, orders)
    await compare(gems, orders)
  }
  await expectRightCounts(database.current.db)
}

async function createGems(): Promise<ModelGem[]> {
  const { db } = database.current
  const singles = await addStones(db, 4, (index) => ({ memo: index < 3, cert_num: null }))
  const parcel = await addParcel(db, 5, { memo: true })
  return [
    ...singles.map((sku, index) => {
      return { sku, single: true, memo: index < 3, state: 'available', quantity: 1 }
    }),
    { sku: parcel, single: false, memo: true, state: 'available', quantity: 5 },
  ]
}

async function take(each: Step, gems: ModelGem[], orders: ModelOrder[]): Promise<void> {
  if (each.kind === 'place') return place(each, gems, orders)
  if ('gem' in each) {
    return feed(each.kind === 'feed takes', gems[each.gem % gems.length])
  }
  const order = orders[each.order % Math.max(1, orders.length)]
  if (!order) return
  if ('count' in each) return moveUnits(each, order)
  return each.kind === 'pay' ? pay(order) : convert(order)
}

async function place(
  { type, wants }: Extract<Step, { kind: 'place' }>,
  gems: ModelGem[],
  orders: ModelOrder[],
): Promise<void> {
  const wanted = gems.flatMap((gem, at) => (wants[at] > 0 ? [{ gem, quantity: wants[at] }] : []))
  if (wanted.length === 0) return
  const unavailable = wanted.some(
    ({ gem, quantity }) => gem.state !== 'available' || gem.quantity < quantity,
  )
  const expected = unavailable
    ? 'sku_unavailable'
    : type === 'memo' && wanted.some(({ gem }) => !gem.memo)
      ? 'not_memoable'
      : 'done'
  const result = await attempt(async (tx) => {
    const { order } = await placeOrder(
      tx,
      {
        merchant_uuid,
        order_type: type,
        line_items: wanted.map(({ gem, quantity }) => ({ sku: gem.sku, quantity })),
        allow_unavailable: false,
        dry_run: false,
        order_channel: 'api',
        debug: false,
      },
      { findSubstitutes: async () => [], publicUrl: 'http://pavilion.test' },
    )
    return order
  })
  expect(result.code).toBe(expected)
  if (!result.order) return
  for (const { gem, quantity } of wanted) {
    gem.quantity -= quantity
    if (gem.single) gem.state = type === 'memo' ? 'memo' : 'sold'
  }
  orders.push({
    uuid: result.order.uuid,
    type,
    paid: false,
    everShipped: false,
    lines: wanted.map(({ gem }, at) => ({ uuid: result.order!.lines[at].uuid, gem })),
    units: wanted.flatMap(({ quantity }, line) =>
      Array.from({ length: quantity }, () => ({ line, at: 'open' as const })),
    ),
  })
}

async function moveUnits(
  { kind, line, count }: Extract<Step, { count: number }>,
  order: ModelOrder,
): Promise<void> {
  const at = line % order.lines.length
  const movable = (unit: ModelUnit) =>
    unit.at === 'open' || (kind === 'return' && unit.at === 'shipped')
  // Units that have shipped are returned first.
  const units = order.units
    .filter((unit) => movable(unit) && (count === 0 || unit.line === at))
    .sort((a, b) => Number(b.at === 'shipped') - Number(a.at === 'shipped'))
  const isRefused =
    units.length < Math.max(1, count) ||
    (kind === 'return' && order.type !== 'memo') ||
    (kind === 'cancel' && count === 0 && order.everShipped)
  const line_items = count === 0 ? undefined : [{ uuid: order.lines[at].uuid, quantity: count }]
  const result = await attempt((tx) => {
    if (kind === 'cancel') return cancelOrder(tx, order.uuid, { line_items })
    if (kind === 'return') return returnMemo(tx, order.uuid, { line_items })
    const tracking = { tracking_company: 'FX', tracking_number: '1' }
    return fulfillOrder(tx, order.uuid, { line_items, ...tracking })
  })
  expect(result.code).toBe(isRefused ? 'wrong_state' : 'done')
  if (isRefused) return
  for (const unit of count === 0 ? units : units.slice(0, count)) {
    const { gem } = order.lines[unit.line]
    unit.at = kind === 'fulfill' ? 'shipped' : kind === 'cancel' ? 'cancelled' : 'returned'
    if (kind === 'fulfill') order.everShipped = true
    else {
      gem.quantity++
      if (gem.single) gem.state = 'available'
    }
  }
}

const isKept = ({ at }: ModelUnit) => at === 'open' || at === 'shipped'

async function pay(order: ModelOrder): Promise<void> {
  const isAllowed = order.type === 'invoice' && !order.paid && order.units.some(isKept)
  const result = await attempt((tx) => payOrder(tx, order.uuid))
  expect(result.code).toBe(isAllowed ? 'done' : 'wrong_state')
  if (isAllowed) order.paid = true
}

async function convert(order: ModelOrder): Promise<void> {
  const isAllowed = order.type === 'memo' && order.units.some(isKept)
  const result = await attempt((tx) => convertMemo(tx, order.uuid))
  expect(result.code).toBe(isAllowed ? 'done' : 'wrong_state')
  if (!isAllowed) return
  order.type = 'invoice'
  for (const unit of order.units.filter(isKept)) {
    const { gem } = order.lines[unit.line]
    if (gem.single) gem.state = 'sold'
  }
}

/** A feed changes only what is on sale, or what a feed removed. */
async function feed(takes: boolean, gem: ModelGem): Promise<void> {
  if (!gem.single) return
  const [from, to, quantity] = takes ? ['available', 'gone', 0] : ['gone', 'available', 1]
  await sql`update gem set state = ${to}, quantity = ${quantity}, mover = 'feed'
    where sku = ${gem.sku} and state = ${from}`.execute(database.current.db)
  if (gem.state === from) Object.assign(gem, { state: to, quantity })
}

async function attempt(work: (tx: Tx) => Promise<Order>): Promise<{ code: string; order?: Order }> {
  try {
    return { code: 'done', order: await inTransaction(database.current.db, work) }
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code }
    throw error
  }
}

async function compare(gems: ModelGem[], orders: ModelOrder[]): Promise<void> {
  const { db } = database.current
  const skus = gems.map(({ sku }) => sku)
  const stock = await sql<{ sku: string; state: string; quantity: number }>`
    select sku, state, quantity from gem where sku = any(${skus}::text[]) order by sku`.execute(db)
  expect(stock.rows).toEqual(
    gems
      .map(({ sku, state, quantity }) => ({ sku, state, quantity }))
      .sort((a, b) => (a.sku < b.sku ? -1 : 1)),
  )
  const uuids = orders.map(({ uuid }) => uuid)
  const rows = await sql<object>`
    select uuid, order_type, payment_status, order_status, fulfillment_status, open_quantity
    from orders where uuid = any(${uuids}::uuid[]) order by uuid`.execute(db)
  expect(rows.rows).toEqual(orders.map(expectedRow).sort((a, b) => (a.uuid < b.uuid ? -1 : 1)))
}

function expectedRow(order: ModelOrder) {
  const count = (at: ModelUnit['at']) => order.units.filter((unit) => unit.at === at).length
  const open = count('open')
  const isShipped = order.everShipped && open === 0
  const order_status = order.units.some(isKept)
    ? isShipped && order.paid && order.type === 'invoice'
      ? 'closed'
      : null
    : count('returned') > 0
      ? 'returned'
      : 'cancelled'
  return {
    uuid: order.uuid,
    order_type: order.type,
    payment_status: order.paid ? 'paid' : null,
    order_status,
    fulfillment_status: isShipped ? 'fulfilled' : order.everShipped ? 'partial' : null,
    open_quantity: open,
  }
}
