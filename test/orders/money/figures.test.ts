import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moveClock } from '../../../src/database/clock.ts'
import type { Tx } from '../../../src/database/open.ts'
import { inTransaction } from '../../../src/database/transaction.ts'
import { Refusal } from '../../../src/lib/refusal.ts'
import { placeOrder } from '../../../src/orders/placing/place-order.ts'
import {
  approveReturn,
  receiveReturn,
  requestReturn,
} from '../../../src/orders/returns/change-return.ts'
import { cancelOrder } from '../../../src/orders/steps/cancel-order.ts'
import { fulfillOrder } from '../../../src/orders/steps/fulfill-order.ts'
import { convertMemo, returnMemo } from '../../../src/orders/steps/memo.ts'
import { recordPayment } from '../../../src/orders/steps/pay-order.ts'
import { insertMerchant } from '../../support/stones.ts'
import { addParcel, addStone, type OrderMarket, openOrderMarket } from '../order-support.ts'

/**
 * A random history of orders over several weeks, compared with sums in integers: the figures of
 * every day are exact, whatever was cancelled, returned, converted and paid on another day.
 */
let market: OrderMarket
let merchantUuid: string
beforeAll(async () => {
  market = await openOrderMarket()
  merchantUuid = await insertMerchant(market.database.db)
})
afterAll(() => market.close())

/** Of one piece in 1/10,000 dollars; stones of 0.0025 carats, so that cents are not whole. */
const PRODUCTS = [
  { price: 16_250n, cost: 10_025n },
  { price: 33_333n, cost: 25_003n },
  { price: 1_233n, cost: null },
]
const digits = (scaled: bigint) => `${scaled / 100n}.${String(scaled % 100n).padStart(2, '0')}`

interface Line {
  uuid: string
  product: number
  quantity: number
  cancelled: number
  returnedOnMemo: number
}
interface Sale {
  uuid: string
  placedOn: string
  /** Null while it is on memo. */
  soldOn: string | null
  lines: Line[]
}
interface History {
  sales: Sale[]
  returned: { day: string; value: bigint }[]
  payments: { day: string; cents: bigint }[]
}

interface Step {
  kind: string
  days: number
  order: number
  line: number
  count: number
  wants: number[]
}
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('place', 'place', 'memo', 'ship', 'cancel', 'return', 'convert', 'pay'),
  days: fc.constantFrom(0, 0, 0, 1, 1, 3),
  order: fc.nat({ max: 30 }),
  line: fc.nat({ max: 2 }),
  count: fc.integer({ min: 1, max: 12 }),
  wants: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 3, maxLength: 3 }),
})

async function figures(query: string) {
  // The history has moved the clock of the market.
  await market.app.services.clock.measure()
  const path = `/api/operator/figures${query}`
  return market.call('GET', path, { token: market.adminKey })
}

async function today(tx: Tx): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select (market_now() at time zone 'UTC')::date::text as day`.execute(tx)
  return rows[0].day
}

describe('the figures of the market', () => {
  it('are the exact sums of a random history, day by day', async () => {
    const { db } = market.database
    const skus: string[] = []
    for (const { price, cost } of PRODUCTS) {
      skus.push(
        await addParcel(db, 1_000_000, {
          memo: true,
          returnable: true,
          days_to_return: 365,
          wholesale_price_us: digits((price * 400n) / 100n),
          cost: digits(((cost ?? price) * 400n) / 100n),
        }),
      )
    }
    const history: History = { sales: [], returned: [], payments: [] }
    const seed = Date.now()
    for (const each of fc.sample(step, { numRuns: 140, seed })) await take(each, skus, history)
    const to = await inTransaction(db, today)
    const from = new Date(Date.parse(to) - 399 * 86_400_000).toISOString().slice(0, 10)
    const { body } = await figures(`?from=${from}&to=${to}`)
    expect(body.days).toHaveLength(400)
    const shown = body.days.map(({ day, orders, sold, cost, margin, returned, payments }: Shown) =>
      [day, orders, sold, cost, margin, returned, payments].join(' '),
    )
    const expected = body.days.map(({ day }: Shown) => expectedOn(day, history))
    expect(shown, `seed ${seed}`).toEqual(expected)
    expect(body.totals).toMatchObject(totalsOf(history))
  })

  it('say what is unpaid, overdue and on memo now, without orders of test merchants', async () => {
    const before = (await figures('')).body
    const { db } = market.database
    const skus = [await addStone(db), await addStone(db), await addStone(db)]
    const invoice = await market.place([skus[0]])
    await market.place([skus[1]], { body: { order_type: 'memo' } })
    const tester = await market.merchant({ test: true })
    await market.place([skus[2]], { by: tester.key })
    await sql`update orders set invoiced_on = market_now() - interval '31 days'
      where uuid = ${invoice.body.uuid}`.execute(db)
    const { exposure, totals } = (await figures('')).body
    expect(exposure.unpaid - before.exposure.unpaid).toBeCloseTo(1700)
    expect(exposure.overdue - before.exposure.overdue).toBeCloseTo(1700)
    expect(exposure.overdue_orders - before.exposure.overdue_orders).toBe(1)
    expect(exposure.on_memo - before.exposure.on_memo).toBeCloseTo(1700)
    expect(exposure.memos - before.exposure.memos).toBe(1)
    expect(totals.orders - before.totals.orders).toBe(2)
    expect(totals.margin - before.totals.margin).toBeCloseTo(200)
    const overview = await market.call('GET', '/api/operator/overview', { token: market.adminKey })
    expect(overview.body.waiting).toMatchObject({
      overdue_invoices: exposure.overdue_orders,
      overdue_memos: exposure.overdue_memos,
      conflicts: 0,
    })
  })

  it('are those of the last 30 days unless other days are asked for, at most 400', async () => {
    const { body } = await figures('')
    expect(body.days).toHaveLength(30)
    expect(body.days.at(-1).day).toBe(body.to)
    const refused = await figures('?from=2026-01-01&to=2027-02-05')
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'from' }] } })
    const reversed = await figures('?from=2026-01-02&to=2026-01-01')
    expect(reversed).toMatchObject({ status: 422, body: { errors: [{ field: 'from' }] } })
    const wrong = await figures('?from=yesterday')
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ field: 'from' }] } })
  })
})

interface Shown {
  day: string
  [name: string]: string | number
}

async function take(each: Step, skus: readonly string[], history: History): Promise<void> {
  const { db } = market.database
  if (each.days > 0) await inTransaction(db, (tx) => moveClock(tx, each.days * 86_400))
  try {
    await inTransaction(db, async (tx) => {
      const day = await today(tx)
      if (each.kind === 'place' || each.kind === 'memo') {
        history.sales.push(await place(tx, each, skus, day))
        return
      }
      const sale = history.sales[each.order % Math.max(1, history.sales.length)]
      if (sale) await change(tx, each, sale, day, history)
    })
  } catch (error) {
    // What the market refuses has not happened.
    if (!(error instanceof Refusal)) throw error
  }
}

async function place(tx: Tx, each: Step, skus: readonly string[], day: string): Promise<Sale> {
  const order_type = each.kind === 'memo' ? 'memo' : 'invoice'
  const { order } = await placeOrder(
    tx,
    {
      merchant_uuid: merchantUuid,
      order_type,
      line_items: skus.map((sku, at) => ({ sku, quantity: each.wants[at] })),
      allow_unavailable: false,
      dry_run: false,
      order_channel: 'api',
      debug: false,
    },
    { findSubstitutes: async () => [], publicUrl: 'http://pavilion.test' },
  )
  // As jewelry has it whose supplier named no cost.
  await sql`update order_line set unit_cost = null
    where order_uuid = ${order.uuid} and sku = ${skus[2]}`.execute(tx)
  const lines = order.lines.map(({ uuid, quantity }, product) => {
    return { uuid, product, quantity, cancelled: 0, returnedOnMemo: 0 }
  })
  return { uuid: order.uuid, placedOn: day, soldOn: order_type === 'memo' ? null : day, lines }
}

async function change(
  tx: Tx,
  { kind, line: position, count }: Step,
  sale: Sale,
  day: string,
  { returned, payments }: History,
): Promise<void> {
  const line = sale.lines[position]
  const units = { line_items: [{ uuid: line.uuid, quantity: count }] }
  if (kind === 'ship') {
    const tracking = { tracking_company: 'FX', tracking_number: '1' }
    await fulfillOrder(tx, sale.uuid, { ...units, ...tracking })
  } else if (kind === 'cancel') {
    await cancelOrder(tx, sale.uuid, units)
    line.cancelled += count
  } else if (kind === 'convert') {
    await convertMemo(tx, sale.uuid)
    sale.soldOn = day
  } else if (kind === 'pay') {
    const paid_on = new Date(Date.parse(day) - 2 * 86_400_000).toISOString().slice(0, 10)
    await recordPayment(tx, sale.uuid, { cents: BigInt(count), paid_on, allow_overpayment: true })
    payments.push({ day: paid_on, cents: BigInt(count) })
  } else if (sale.soldOn === null) {
    await returnMemo(tx, sale.uuid, units)
    line.returnedOnMemo += count
  } else {
    const { uuid } = await requestReturn(tx, sale.uuid, merchantUuid, { ...units, reason: 'late' })
    await approveReturn(tx, uuid)
    await receiveReturn(tx, uuid)
    returned.push({ day, value: BigInt(count) * PRODUCTS[line.product].price })
  }
}

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
const dollars = (scaled: bigint) => Number(scaled) / 10_000

/** What was sold on a day, and what it cost, in 1/10,000 dollars. */
function soldOn(isDay: (day: string) => boolean, { sales }: History) {
  const lines = sales
    .filter((sale) => sale.soldOn !== null && isDay(sale.soldOn))
    .flatMap((sale) => sale.lines)
    .map(({ product, quantity, cancelled, returnedOnMemo }) => {
      const units = BigInt(quantity - cancelled - returnedOnMemo)
      const { price, cost } = PRODUCTS[product]
      return { value: units * price, cost: cost === null ? null : units * cost }
    })
  const known = lines.filter(({ cost }) => cost !== null)
  const sold = sum(lines.map(({ value }) => value))
  const cost = sum(known.map((line) => line.cost ?? 0n))
  return { sold, cost, margin: sum(known.map(({ value }) => value)) - cost }
}

function expectedOn(day: string, history: History): string {
  const { sold, cost, margin } = soldOn((each) => each === day, history)
  const returned = history.returned.filter((each) => each.day === day)
  const payments = history.payments.filter((each) => each.day === day)
  return [
    day,
    history.sales.filter(({ placedOn }) => placedOn === day).length,
    dollars(sold),
    dollars(cost),
    dollars(margin),
    dollars(sum(returned.map(({ value }) => value))),
    dollars(sum(payments.map(({ cents }) => cents * 100n))),
  ].join(' ')
}

function totalsOf(history: History) {
  const { sold, cost, margin } = soldOn(() => true, history)
  return {
    orders: history.sales.length,
    sold: dollars(sold),
    cost: dollars(cost),
    margin: dollars(margin),
    returned: dollars(sum(history.returned.map(({ value }) => value))),
    payments: dollars(sum(history.payments.map(({ cents }) => cents * 100n))),
  }
}
