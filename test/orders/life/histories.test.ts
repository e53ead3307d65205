import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../src/database/transaction.ts'
import { getSupplier } from '../../../src/gems/supplier-store.ts'
import { buildApp } from '../../../src/http/app.ts'
import type { App } from '../../../src/http/route.ts'
import { Refusal } from '../../../src/lib/refusal.ts'
import { confirmLines, declineLines } from '../../../src/orders/steps/confirm-lines.ts'
import { fulfillOrder } from '../../../src/orders/steps/fulfill-order.ts'
import type { TestMerchant, TestResponse } from '../../support/market.ts'
import {
  addParcel,
  addStone,
  expectRightCounts,
  type OrderMarket,
  openOrderMarket,
} from '../order-support.ts'
import { OracleOrder, type OracleProduct, type Outcome, type Target } from './order-oracle.ts'

/**
 * Random histories of everything that merchants, suppliers and the operator can do to orders, on
 * two nodes, and the same by hand (`order-oracle.ts`). After every step stock, order, events and
 * balance are those of the oracle, and in the end accounts and memo ledgers, too.
 */
let market: OrderMarket
let second: App
let merchants: TestMerchant[]
let suppliers: number[]

beforeAll(async () => {
  market = await openOrderMarket()
  second = await buildApp(market.deps)
  await second.ready()
  for (const [index, name] of ['Silent Stones', 'Answering Stones'].entries()) {
    await operator('POST', '/api/operator/suppliers', { name, confirms: index === 1 })
  }
  const { db } = market.database
  suppliers = [
    (await getSupplier(db, 'Silent Stones')).id,
    (await getSupplier(db, 'Answering Stones')).id,
  ]
})
afterAll(async () => {
  await second.close()
  await market.close()
})

type Json = Record<string, unknown>
type Answer = Pick<TestResponse, 'status' | 'body'>

async function call(node: number, method: string, path: string, token: string, body?: unknown) {
  const response = await (node === 0 ? market.app : second).inject({
    method: method as 'POST',
    url: path,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  return { status: response.statusCode, body: response.json() } as Answer
}

const operator = (method: string, path: string, body?: unknown, node = 0) =>
  call(node, method, path, market.adminKey, body)

function outcomeOf({ status, body }: Answer): Outcome {
  if (status < 300) return 'done'
  if (status === 404) return 'not_found'
  if (status === 422) return 'invalid'
  if (body.code === 'too_late_to_cancel') return 'too_late'
  if (body.code === 'not_returnable') return 'no_return'
  expect([status, body.code]).toEqual([409, 'wrong_state'])
  return 'wrong_state'
}

/** Those that lead further come more often. */
// biome-ignore format: a list of words
const VERBS = [
  'confirm', 'decline', 'fulfill', 'fulfill', 'fulfill', 'fulfill', 'cancel', 'cancel by merchant',
  'cancel by stranger', 'return', 'convert', 'extend', 'pay', 'pay part', 'charge', 'request',
  'request', 'request', 'request by stranger', 'approve', 'approve', 'approve', 'reject', 'receive',
  'receive', 'receive', 'supplier confirm', 'supplier decline', 'supplier fulfill',
] as const

interface Step {
  verb: (typeof VERBS)[number]
  order: number
  /** Undefined: the whole order. */
  line: number | undefined
  count: number
  amount: number
  supplier: number
  node: number
}

interface Placement {
  type: 'invoice' | 'memo'
  merchant: number
  wants: number[]
  node: number
}

const placement: fc.Arbitrary<Placement> = fc.record({
  type: fc.constantFrom('invoice' as const, 'memo' as const),
  merchant: fc.nat({ max: 1 }),
  wants: fc.array(fc.constantFrom(0, 0, 1, 1, 2), { minLength: 6, maxLength: 6 }),
  node: fc.nat({ max: 1 }),
})
const step: fc.Arbitrary<Step> = fc.record({
  verb: fc.constantFrom(...VERBS),
  order: fc.nat({ max: 3 }),
  line: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
  count: fc.integer({ min: 1, max: 2 }),
  amount: fc.integer({ min: 1, max: 400_000 }),
  supplier: fc.nat({ max: 1 }),
  node: fc.nat({ max: 1 }),
})
const history = fc.array(
  fc.oneof({ weight: 1, arbitrary: placement }, { weight: 6, arbitrary: step }),
  { minLength: 15, maxLength: 40 },
)

describe('orders', () => {
  it('go through every history as the oracle does, on two nodes and to the last cent', async () => {
    await fc.assert(
      fc.asyncProperty(placement, history, async (begin, more) => {
        const run = new History()
        await run.begin()
        for (const each of [begin, ...more]) {
          const order = 'wants' in each ? await run.place(each) : await run.take(each)
          if (order) await run.compare(order)
        }
        await run.compareAll()
        await expectRightCounts(market.database.db)
      }),
      { numRuns: Number(process.env.ORDER_HISTORIES ?? 10) },
    )
  })
})

const tracking = { tracking_company: 'FX', tracking_number: '1' }
const deps = { findSubstitutes: async () => [], publicUrl: 'http://pavilion.test' }

class History {
  products: OracleProduct[] = []
  orders: OracleOrder[] = []

  async begin(): Promise<void> {
    const { db } = market.database
    merchants = [await market.merchant(), await market.merchant()]
    for (const supplier of [0, 1]) {
      const own = { supplier_id: suppliers[supplier], days_to_return: 14, cert_num: null }
      const product = { supplier, state: 'available' as const }
      for (const returnable of [true, false]) {
        const memo = returnable
        const sku = await addStone(db, { ...own, returnable, memo })
        const terms = { memo, returnable, single: true }
        this.products.push({ ...product, ...terms, sku, price: 17_000_000n, quantity: 1 })
      }
      // 0.0025 ct at 650 US dollars are 1.625.
      const sku = await addParcel(db, 5, { ...own, returnable: true, memo: true })
      const terms = { memo: true, returnable: true, single: false }
      this.products.push({ ...product, ...terms, sku, price: 16_250n, quantity: 5 })
    }
  }

  async place({ type, merchant, wants, node }: Placement): Promise<OracleOrder | undefined> {
    const wanted = this.products.flatMap((product, at) =>
      wants[at] > 0 ? [{ product, quantity: wants[at] }] : [],
    )
    if (wanted.length === 0) return undefined
    const isRefused = wanted.some(
      ({ product, quantity }) =>
        product.state !== 'available' ||
        product.quantity < quantity ||
        (type === 'memo' && !product.memo),
    )
    const { status, body } = await call(
      node,
      'POST',
      '/api/v3/orders/place',
      merchants[merchant].key,
      {
        order_type: type,
        external_order_id: `H-${this.orders.length}`,
        line_items: wanted.map(({ product, quantity }) => ({ sku: product.sku, quantity })),
      },
    )
    expect(status).toBe(isRefused ? 409 : 200)
    if (isRefused) return undefined
    const order = new OracleOrder(body.uuid, merchant, type)
    for (const [at, { product, quantity }] of wanted.entries()) {
      product.quantity -= quantity
      if (product.single) product.state = type === 'memo' ? 'memo' : 'sold'
      order.lines.push({
        uuid: body.line_items[at].uuid,
        product,
        answer: product.supplier === 1 ? 'none' : 'accepted',
        units: Array.from({ length: quantity }, () => ({ at: 'waiting', everShipped: false })),
      })
    }
    this.orders.push(order)
    return order
  }

  async take(each: Step): Promise<OracleOrder | undefined> {
    const order = this.orders[each.order % Math.max(1, this.orders.length)]
    if (!order) return undefined
    if (['approve', 'reject', 'receive'].includes(each.verb)) {
      await this.decide(each, order)
      return order
    }
    const real = await this.act(each, order)
    expect([each.verb, outcomeOf(real)]).toEqual([each.verb, this.foresee(each, order, real)])
    return order
  }

  async decide({ verb, line = 0, node }: Step, order: OracleOrder): Promise<void> {
    const given = order.returns[line % Math.max(1, order.returns.length)]
    if (!given) return
    const path = `/api/operator/returns/${given.uuid}/${verb}`
    const real = outcomeOf(await operator('POST', path, undefined, node))
    const expected = order.decideReturn(given, verb as 'approve' | 'reject' | 'receive')
    expect([verb, real]).toEqual([verb, expected])
  }

  /** What the oracle says to a step. */
  foresee({ verb, line, count, amount, supplier }: Step, order: OracleOrder, { body }: Answer) {
    const target: Target = { ...(line !== undefined && { line }), count }
    const role = supplier === 0 ? 'supplier 0' : 'supplier 1'
    const cents = BigInt(amount)
    if (verb === 'confirm') return order.answer('operator', target, true)
    if (verb === 'decline') return order.answer('operator', target, false)
    if (verb === 'fulfill') return order.fulfill('operator', target)
    if (verb === 'supplier confirm') return order.answer(role, target, true)
    if (verb === 'supplier decline') return order.answer(role, target, false)
    if (verb === 'supplier fulfill') return order.fulfill(role, target)
    if (verb === 'cancel') return order.cancel('operator', target)
    if (verb === 'cancel by merchant') return order.cancel('merchant', target)
    if (verb === 'cancel by stranger') return order.cancel('stranger', target)
    if (verb === 'return') return order.returnMemo(target)
    if (verb === 'convert') return order.convert()
    if (verb === 'extend') return order.extend()
    if (verb === 'pay') return order.pay()
    if (verb === 'pay part') return order.pay(cents)
    if (verb === 'charge') return order.charge(cents)
    const by = verb === 'request' ? 'merchant' : 'stranger'
    return order.requestReturn(by, () => body.uuid, target)
  }

  async act(each: Step, order: OracleOrder): Promise<Answer> {
    const { verb, line, count, amount, node } = each
    const named = order.lines[(line ?? 0) % order.lines.length].uuid
    const units = [{ uuid: named, quantity: count }]
    const some: Json = line === undefined ? {} : { line_items: units }
    const lines: Json = line === undefined ? {} : { line_item_uuids: [named] }
    const path = `/api/operator/orders/${order.uuid}`
    const own = `/api/v3/orders/${order.uuid}`
    const { key } = merchants[verb.endsWith('stranger') ? 1 - order.merchant : order.merchant]
    if (verb.startsWith('supplier')) return this.bySupplier(each, order, some, lines)
    if (verb.startsWith('cancel by')) return call(node, 'POST', `${own}/cancel`, key, some)
    if (verb.startsWith('request')) {
      const body = { line_items: units, reason: 'too small' }
      return call(node, 'POST', `${own}/returns`, key, body)
    }
    const dollars = amount / 100
    if (verb === 'pay part') return operator('POST', `${path}/payments`, { amount: dollars }, node)
    if (verb === 'charge') {
      const charges = [{ kind: 'shipping', label: 'Courier', amount: dollars }]
      return operator('PUT', `${path}/charges`, charges, node)
    }
    const bodies: Record<string, Json> = {
      confirm: lines,
      decline: { ...lines, reason: 'sold' },
      fulfill: { ...some, ...tracking },
      extend: { days: count },
      pay: {},
      convert: {},
    }
    return operator('POST', `${path}/${verb}`, bodies[verb] ?? some, node)
  }

  /** Suppliers have no routes of their own yet: the use cases are called. */
  async bySupplier({ verb, supplier }: Step, { uuid }: OracleOrder, some: Json, lines: Json) {
    const actor = { role: 'supplier', supplier_id: suppliers[supplier], ships: true } as const
    try {
      await inTransaction(market.database.db, (tx) => {
        if (verb === 'supplier confirm') return confirmLines(tx, uuid, lines, actor)
        if (verb === 'supplier fulfill') {
          return fulfillOrder(tx, uuid, { ...some, ...tracking }, actor)
        }
        return declineLines(tx, uuid, { ...lines, reason: 'sold' }, actor, deps)
      })
      return { status: 200, body: {} }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { code } = error
      const status = code === 'not_found' ? 404 : code === 'invalid_request' ? 422 : 409
      return { status, body: { code } }
    }
  }

  /** Compares an order and the stock, after every step. */
  async compare(order: OracleOrder): Promise<void> {
    const { db } = market.database
    const skus = this.products.map(({ sku }) => sku)
    const stock = await sql<{ sku: string; state: string; quantity: number }>`
      select sku, state, quantity from gem where sku = any(${skus}::text[])`.execute(db)
    expect(bySku(stock.rows)).toEqual(
      bySku(this.products.map(({ sku, state, quantity }) => ({ sku, state, quantity }))),
    )
    const path = `/api/operator/orders/${order.uuid}`
    const { body } = await operator('GET', path, undefined, this.orders.indexOf(order) % 2)
    expect({
      type: body.order_type,
      status: body.order_status,
      paid: body.payment_status === 'paid',
      fulfillment: body.fulfillment_status,
      confirmation: body.confirmation,
      balance: body.balance,
      events: (body.events ?? []).map(({ event_type }: { event_type: string }) => event_type),
    }).toEqual({
      type: order.type,
      status: order.status,
      paid: order.isPaid,
      fulfillment: order.fulfillment,
      confirmation: order.confirmation,
      balance: Number(order.balance) / 100,
      events: order.events,
    })
  }

  /** Compares everything, also orders that no step was about. */
  async compareAll(): Promise<void> {
    for (const order of this.orders) await this.compare(order)
    for (const merchant of [0, 1]) await this.compareAccount(merchant)
  }

  async compareAccount(merchant: number): Promise<void> {
    const own = this.orders.filter((order) => order.merchant === merchant)
    const { key } = merchants[merchant]
    const { body: account } = await call(merchant, 'GET', '/api/v3/account', key)
    const owed = own.reduce((sum, { balance }) => (balance > 0n ? sum + balance : sum), 0n)
    expect(account.unpaid).toBe(Number(owed) / 100)
    const { body: memos } = await call(merchant, 'GET', '/api/v3/memos', key)
    const kept = own
      .filter(({ type }) => type === 'memo')
      .flatMap(({ lines }) => lines)
      .map(({ product, units }) => ({
        price: product.price,
        count: BigInt(units.filter(({ at }) => at === 'waiting' || at === 'shipped').length),
      }))
      .filter(({ count }) => count > 0n)
    const value = kept.reduce((sum, { price, count }) => sum + price * count, 0n)
    const cents = (value + 50n) / 100n
    expect([memos.total, memos.totals.current, account.on_memo]).toEqual([
      kept.length,
      Number(cents) / 100,
      Number(cents) / 100,
    ])
  }
}

function bySku<T extends { sku: string }>(rows: T[]): T[] {
  return rows.toSorted((a, b) => (a.sku < b.sku ? -1 : 1))
}
