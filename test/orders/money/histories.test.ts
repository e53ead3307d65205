import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase, type Tx } from '../../../src/database/open.ts'
import { inTransaction } from '../../../src/database/transaction.ts'
import { Refusal } from '../../../src/lib/refusal.ts'
import { getMerchant } from '../../../src/merchants/merchant-store.ts'
import { readAccount } from '../../../src/orders/ledger/account.ts'
import { addChargeRule } from '../../../src/orders/ledger/rule-store.ts'
import type { Order } from '../../../src/orders/order.ts'
import { placeOrder } from '../../../src/orders/placing/place-order.ts'
import { cancelOrder } from '../../../src/orders/steps/cancel-order.ts'
import { fulfillOrder } from '../../../src/orders/steps/fulfill-order.ts'
import { convertMemo, returnMemo } from '../../../src/orders/steps/memo.ts'
import { payOrder, recordPayment } from '../../../src/orders/steps/pay-order.ts'
import { setCharges } from '../../../src/orders/steps/set-charges.ts'
import { insertMerchant, useDatabase } from '../../support/stones.ts'
import { addParcel } from '../order-support.ts'

/**
 * Random histories of orders on two nodes, compared with an oracle in integers: what an order costs
 * is the value of what is kept, its charges and nothing else, less its discount and what was paid.
 * The discount falls with the goods, but fewer goods never cost more. The oracle knows no ledger.
 */
const database = useDatabase()
let second: Database
/** The price of one piece in 1/10,000 dollars: thirds of cents, so that sums are rounded. */
const PRICES = [16_250n, 33_333n, 1_233n]
const CREDIT_LIMIT = 30_000n
const TAX = 8_875n
const SHIPPING = 4_500n
const DISCOUNT = 33_333n
const skus: string[] = []

beforeAll(async () => {
  const { db, url } = database.current
  second = openDatabase({ url })
  for (const price of PRICES) {
    // Stones of 0.0025 carats: a carat costs four hundred times as much.
    const perCarat = `${(price * 400n) / 10_000n}.${String(((price * 400n) / 100n) % 100n)}`
    skus.push(await addParcel(db, 1_000_000, { memo: true, wholesale_price_us: perCarat }))
  }
  await inTransaction(db, async (tx) => {
    await addChargeRule(tx, { kind: 'tax', percent: '8.875' })
    await addChargeRule(tx, { kind: 'shipping', amount: '45.00' })
    await addChargeRule(tx, { kind: 'discount', percent: '33.333' })
  })
})
afterAll(() => second.close())

interface Line {
  uuid: string
  price: bigint
  open: number
  shipped: number
}
interface Account {
  uuid: string
  type: 'invoice' | 'memo'
  lines: Line[]
  everShipped: boolean
  /** Its charges are final: something has shipped, or it was a memo. */
  isInvoiced: boolean
  /** Fixed parts in cents, and percentages of the goods. */
  charges: { cents: bigint; percent: bigint }[]
  /** An amount in cents for goods of a value in cents, or a percentage of the goods. */
  discount: { cents: bigint; goods: bigint; percent: bigint }
  /** What is left of the discount, and what the order costs with it, in cents. */
  discountLeft: bigint
  cost: bigint
  /** What the invoice says. */
  invoiced: bigint
  paid: bigint
  payments: number
}

const half = (value: bigint, divisor: bigint) => (2n * value + divisor) / (2n * divisor)
const kept = ({ lines }: Account) => lines.reduce((sum, line) => sum + line.open + line.shipped, 0)
const goodsOf = ({ lines }: Account) =>
  lines.reduce((sum, { price, open, shipped }) => sum + price * BigInt(open + shipped), 0n)

const least = (a: bigint, b: bigint) => (a < b ? a : b)

const balanceOf = (order: Account) => (order.type === 'memo' ? 0n : order.cost - order.paid)

function withoutDiscount(order: Account): bigint {
  const value = goodsOf(order)
  return order.charges.reduce(
    (sum, { cents, percent }) => {
      return sum + cents + half(value * percent, 10_000_000n)
    },
    half(value, 100n),
  )
}

/** The discount on goods of this value: the part of an amount that is not for them stays. */
function discountFor({ discount: { cents, goods, percent } }: Account, value: bigint): bigint {
  const onGoods = least(cents, goods)
  const share = goods > 0n ? half(onGoods * half(value, 100n), goods) : 0n
  return share + cents - onGoods + half(value * percent, 10_000_000n)
}

/** What the order costs with charges that it has just got. */
function setCost(order: Account): void {
  order.discountLeft = discountFor(order, goodsOf(order))
  order.cost = withoutDiscount(order) - order.discountLeft
}

/** What the order costs after it has lost goods. */
function lowerCost(order: Account): void {
  const isVoid = kept(order) === 0 && !order.everShipped
  const full = isVoid ? 0n : withoutDiscount(order)
  const falling = least(discountFor(order, goodsOf(order)), order.discountLeft)
  order.cost = least(full - least(falling, full), order.cost)
  order.discountLeft = full - order.cost
}

type Step =
  | { kind: 'place'; type: 'invoice' | 'memo'; wants: number[] }
  | { kind: 'fulfill' | 'cancel' | 'return'; order: number; line: number; count: number }
  | { kind: 'pay'; order: number; cents: number; over: boolean }
  | { kind: 'pay all'; order: number }
  | { kind: 'convert'; order: number }
  | { kind: 'charge'; order: number; cents: number[]; discount: number }
type Random = Step & { node: boolean }

const small = fc.nat({ max: 4 })
const node = fc.boolean()
const step: fc.Arbitrary<Random> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      node,
      kind: fc.constant('place' as const),
      type: fc.constantFrom('invoice' as const, 'invoice' as const, 'memo' as const),
      wants: fc.array(fc.nat({ max: 40 }), { minLength: 3, maxLength: 3 }),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      node,
      kind: fc.constantFrom(
        'fulfill' as const,
        'cancel' as const,
        'cancel' as const,
        'return' as const,
      ),
      order: small,
      line: fc.nat({ max: 2 }),
      count: fc.integer({ min: 1, max: 25 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      node,
      kind: fc.constant('pay' as const),
      order: small,
      cents: fc.integer({ min: 1, max: 12_000 }),
      over: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ node, kind: fc.constant('pay all' as const), order: small }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ node, kind: fc.constant('convert' as const), order: small }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      node,
      kind: fc.constant('charge' as const),
      order: small,
      cents: fc.array(fc.integer({ min: 1, max: 9_999 }), { maxLength: 3 }),
      discount: fc.oneof(fc.constant(0), fc.nat({ max: 300 }), fc.nat({ max: 12_000 })),
    }),
  },
)

describe('the ledger', () => {
  it('agrees with an oracle after every step of random histories on two nodes', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), runHistory), {
      numRuns: 30,
      interruptAfterTimeLimit: 25_000,
    })
  })
})

async function runHistory(steps: Random[]): Promise<void> {
  const { db } = database.current
  const merchantUuid = await insertMerchant(db)
  await sql`update merchant set credit_limit = 300 where uuid = ${merchantUuid}`.execute(db)
  const orders: Account[] = []
  for (const each of steps) {
    await take(each, merchantUuid, orders)
    await compare(merchantUuid, orders)
  }
}

const unpaidOf = (orders: readonly Account[]) =>
  orders.reduce((sum, order) => sum + (balanceOf(order) > 0n ? balanceOf(order) : 0n), 0n)

async function take(each: Random, merchantUuid: string, orders: Account[]): Promise<void> {
  const attempt = (work: (tx: Tx) => Promise<Order>) => attemptOn(each.node, work)
  if (each.kind === 'place') return place(each, merchantUuid, orders, attempt)
  const order = orders[each.order % Math.max(1, orders.length)]
  if (!order) return
  if ('count' in each) return moveUnits(each, order, attempt)
  if (each.kind === 'convert') {
    const isRefused = order.type === 'invoice' || kept(order) === 0
    expect(await attempt((tx) => convertMemo(tx, order.uuid))).toBe(
      isRefused ? 'wrong_state' : 'done',
    )
    if (isRefused) return
    order.type = 'invoice'
    order.charges = ruleCharges()
    order.discount = ruleDiscount()
    setCost(order)
    order.isInvoiced = true
    order.invoiced = order.cost
    return
  }
  if (each.kind === 'charge') return charge(each, order, attempt)
  return pay(each, order, attempt)
}

const ruleCharges = () => [
  { cents: 0n, percent: TAX },
  { cents: SHIPPING, percent: 0n },
]

const ruleDiscount = () => ({ cents: 0n, goods: 0n, percent: DISCOUNT })

type Attempt = (work: (tx: Tx) => Promise<Order>) => Promise<string>

async function place(
  { type, wants }: Extract<Step, { kind: 'place' }>,
  merchant_uuid: string,
  orders: Account[],
  attempt: Attempt,
): Promise<void> {
  const wanted = wants.flatMap((quantity, at) => (quantity > 0 ? [{ at, quantity }] : []))
  if (wanted.length === 0) return
  const order: Account = {
    uuid: '',
    type,
    lines: wanted.map(({ at, quantity }) => {
      return { uuid: '', price: PRICES[at], open: quantity, shipped: 0 }
    }),
    everShipped: false,
    isInvoiced: false,
    charges: ruleCharges(),
    discount: ruleDiscount(),
    discountLeft: 0n,
    cost: 0n,
    invoiced: 0n,
    paid: 0n,
    payments: 0,
  }
  setCost(order)
  const isRefused = type === 'invoice' && unpaidOf(orders) + balanceOf(order) > CREDIT_LIMIT
  const code = await attempt(async (tx) => {
    const placed = await placeOrder(
      tx,
      {
        merchant_uuid,
        order_type: type,
        line_items: wanted.map(({ at, quantity }) => ({ sku: skus[at], quantity })),
        allow_unavailable: false,
        dry_run: false,
        order_channel: 'api',
        debug: false,
      },
      { findSubstitutes: async () => [], publicUrl: 'http://pavilion.test' },
    )
    order.uuid = placed.order.uuid
    for (const [at, line] of placed.order.lines.entries()) order.lines[at].uuid = line.uuid
    return placed.order
  })
  expect(code).toBe(isRefused ? 'credit_limit_exceeded' : 'done')
  if (!isRefused) orders.push(order)
}

async function moveUnits(
  { kind, line: position, count }: Extract<Step, { count: number }>,
  order: Account,
  attempt: Attempt,
): Promise<void> {
  const line = order.lines[position % order.lines.length]
  const left = kind === 'return' ? line.open + line.shipped : line.open
  const isRefused = count > left || (kind === 'return' && order.type === 'invoice')
  const request = { line_items: [{ uuid: line.uuid, quantity: count }] }
  const code = await attempt((tx) => {
    if (kind === 'cancel') return cancelOrder(tx, order.uuid, request)
    if (kind === 'return') return returnMemo(tx, order.uuid, request)
    const tracking = { tracking_company: 'FX', tracking_number: '1' }
    return fulfillOrder(tx, order.uuid, { ...request, ...tracking })
  })
  expect(code).toBe(isRefused ? 'wrong_state' : 'done')
  if (isRefused) return
  const fromShipped = kind === 'return' ? Math.min(count, line.shipped) : 0
  line.shipped -= fromShipped
  line.open -= count - fromShipped
  if (kind !== 'fulfill') return lowerCost(order)
  line.shipped += count
  order.everShipped = true
  if (order.type === 'memo' || order.isInvoiced) return
  order.isInvoiced = true
  order.invoiced = order.cost
}

async function charge(
  { cents, discount }: Extract<Step, { kind: 'charge' }>,
  order: Account,
  attempt: Attempt,
): Promise<void> {
  const charges = cents.map((amount) => {
    return { kind: 'fee' as const, label: 'Handling', cents: BigInt(amount) }
  })
  const off = { kind: 'discount' as const, label: 'Loyal buyer', cents: BigInt(discount) }
  const changed: Account = {
    ...order,
    charges: cents.map((each) => ({ cents: BigInt(each), percent: 0n })),
    discount: { cents: BigInt(discount), goods: half(goodsOf(order), 100n), percent: 0n },
  }
  setCost(changed)
  const expected =
    order.type === 'memo' || order.isInvoiced || kept(order) === 0
      ? 'wrong_state'
      : changed.cost < 0n
        ? 'invalid_request'
        : 'done'
  const wanted = discount > 0 ? [...charges, off] : charges
  expect(await attempt((tx) => setCharges(tx, order.uuid, wanted))).toBe(expected)
  if (expected === 'done') Object.assign(order, changed)
}

async function pay(
  each: Extract<Step, { kind: 'pay' } | { kind: 'pay all' }>,
  order: Account,
  attempt: Attempt,
): Promise<void> {
  const balance = balanceOf(order)
  const cents = each.kind === 'pay' ? BigInt(each.cents) : balance
  const expected =
    order.type === 'memo' || (each.kind === 'pay all' && balance <= 0n)
      ? 'wrong_state'
      : each.kind === 'pay' && cents > balance && !each.over
        ? 'invalid_request'
        : 'done'
  const code = await attempt((tx) =>
    each.kind === 'pay'
      ? recordPayment(tx, order.uuid, { cents, allow_overpayment: each.over })
      : payOrder(tx, order.uuid),
  )
  expect(code).toBe(expected)
  if (expected !== 'done') return
  order.paid += cents
  order.payments++
}

async function attemptOn(other: boolean, work: (tx: Tx) => Promise<Order>): Promise<string> {
  try {
    await inTransaction((other ? second : database.current).db, work)
    return 'done'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

interface Stored {
  uuid: string
  payment_status: string | null
  cents: number
  /** What the credit notes of the order say. */
  credited: number[]
}

async function compare(merchantUuid: string, orders: Account[]): Promise<void> {
  const { db } = database.current
  const { rows } = await sql<Stored>`
    select uuid, payment_status, coalesce((select sum(amount * 100) from ledger_entry
      where order_uuid = orders.uuid), 0)::bigint as cents, array(
        select ((content #>> '{sums,total,amount}')::numeric * 100)::int from document
        where order_uuid = orders.uuid and kind = 'credit_note') as credited
    from orders where merchant_uuid = ${merchantUuid} order by uuid`.execute(db)
  const expected = orders.map((order) => {
    const balance = balanceOf(order)
    const isPaid = balance <= 0n && (kept(order) > 0 || order.payments > 0)
    const payment_status = order.type === 'invoice' && isPaid ? 'paid' : null
    return { uuid: order.uuid, payment_status, cents: Number(balance) }
  })
  const credited = orders.map(({ uuid, isInvoiced, invoiced, cost }) => {
    return [uuid, isInvoiced ? Number(invoiced - cost) : 0] as const
  })
  for (const row of rows) {
    expect(row.credited.filter((cents) => cents <= 0)).toEqual([])
    const sum = row.credited.reduce((total, cents) => total + cents, 0)
    expect(sum).toBe(new Map(credited).get(row.uuid))
  }
  const stored = rows.map(({ credited: _, ...row }) => row)
  expect(stored).toEqual(expected.sort((a, b) => (a.uuid < b.uuid ? -1 : 1)))
  const account = await readAccount(db, await getMerchant(db, merchantUuid))
  const onMemo = orders.filter(({ type }) => type === 'memo').map(goodsOf)
  expect(account).toMatchObject({
    unpaid: unpaidOf(orders),
    on_memo: half(
      onMemo.reduce((sum, value) => sum + value, 0n),
      100n,
    ),
    available_credit: CREDIT_LIMIT - unpaidOf(orders),
    overdue: 0n,
  })
}
