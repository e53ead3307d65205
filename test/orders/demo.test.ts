import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { fillDemoMarket } from '../../src/demo/market.ts'
import { loadOrders } from '../../src/orders/load-orders.ts'
import { listMemos } from '../../src/orders/memos/memo-ledger.ts'
import { confirmationOf } from '../../src/orders/order.ts'
import { findOrderUuid } from '../../src/orders/order-store.ts'
import { QUOTE_STATUSES } from '../../src/orders/quotes/quote.ts'
import { searchQuotes } from '../../src/orders/quotes/quote-store.ts'
import { RETURN_STATUSES } from '../../src/orders/returns/return.ts'
import { searchReturns } from '../../src/orders/returns/return-store.ts'
import { useDatabase } from '../support/stones.ts'

const database = useDatabase()

it('a demo market has orders in every state, and stock that matches them', async () => {
  const options = {
    realm: 'live',
    stones: 1_500,
    seed: 1,
    publicUrl: 'http://pavilion.test',
  } as const
  const { orders } = await fillDemoMarket(database.current, options)
  expect(orders).toBe(38)
  await expectMoney()
  const { rows } = await sql<Record<string, string[]>>`
    select array_agg(distinct coalesce(order_status, 'open')) as order_status,
      array_agg(distinct coalesce(payment_status, 'unpaid')) as payment_status,
      array_agg(distinct coalesce(fulfillment_status, 'unfulfilled')) as fulfillment_status,
      array_agg(distinct order_type) as order_type,
      array_agg(distinct (memo_due_date < now() and order_status is null)::text)
        filter (where memo_due_date is not null) as overdue
    from orders`.execute(database.current.db)
  expect(rows[0]).toEqual({
    order_status: ['cancelled', 'closed', 'open', 'returned'],
    payment_status: ['paid', 'unpaid'],
    fulfillment_status: ['fulfilled', 'partial', 'unfulfilled'],
    order_type: ['invoice', 'memo'],
    overdue: ['false', 'true'],
  })
  const out = await sql<{ state: string; type: string }>`
    select distinct gem.state, orders.order_type as type from order_line as line
    join orders on orders.uuid = line.order_uuid join gem on gem.sku = line.sku
    where gem.product_type <> 'melee'
      and line.quantity > line.cancelled_quantity + line.returned_quantity`.execute(
    database.current.db,
  )
  expect(
    out.rows.map(({ state, type }) => `${type} ${state}`).sort((a, b) => (a < b ? -1 : 1)),
  ).toEqual(['invoice sold', 'memo memo'])
  const { quotes } = await searchQuotes(database.current.db, { limit: 50, offset: 0 })
  expect(new Set(quotes.map(({ status }) => status))).toEqual(new Set(QUOTE_STATUSES))
  const isCountered = ({ lines }: (typeof quotes)[number]) =>
    lines.some(({ offer_price, wholesale_price: price, market_price }) => {
      return offer_price !== null && ![offer_price, market_price].includes(price)
    })
  expect(quotes.filter(({ status }) => status === 'open').some(isCountered)).toBe(true)
  const { returns } = await searchReturns(database.current.db, { limit: 50, offset: 0 })
  expect(new Set(returns.map(({ status }) => status))).toEqual(new Set(RETURN_STATUSES))
  await expectLifelikeTimes()
  const all = await sql<{ uuid: string }>`select uuid from orders`.execute(database.current.db)
  const loaded = await loadOrders(
    database.current.db,
    all.rows.map(({ uuid }) => uuid),
  )
  const confirmations = new Set(loaded.map(({ lines }) => confirmationOf(lines)))
  expect(confirmations).toEqual(new Set([null, 'partial', 'confirmed', 'declined']))
  const memos = await listMemos(database.current.db, { limit: 100, offset: 0 })
  const buckets = new Set(memos.entries.map(({ bucket }) => bucket))
  expect(buckets).toEqual(new Set(['current', '1-30', '61-90']))
  await expectDocuments()
})

/** The events of a merchant are in the order of their times, and orders changed with the last. */
async function expectLifelikeTimes(): Promise<void> {
  const { rows } = await sql<{ event_type: string; in_order: boolean; is_last: boolean }>`
    select event_type,
      coalesce(created_on > lag(created_on) over (partition by event.merchant_uuid
        order by sequence), true) as in_order,
      abs(extract(epoch from updated_on - max(created_on) over (partition by order_uuid))) < 60
        as is_last
    from event join orders on orders.uuid = event.order_uuid`.execute(database.current.db)
  expect(rows.filter(({ in_order, is_last }) => !in_order || !is_last)).toEqual([])
  expect([...new Set(rows.map(({ event_type }) => event_type))]).toEqual(
    expect.arrayContaining([
      'order.confirm',
      'order.line.decline',
      'order.cancel',
      'order.memo.extend',
      'order.memo.due_soon',
      'order.memo.overdue',
    ]),
  )
  const clock = await sql<{ moved: string }>`
    select market_offset()::text as moved`.execute(database.current.db)
  expect(clock.rows[0].moved).toBe('00:00:00')
}

/** Every kind of document, with numbers in the order of their dates. */
async function expectDocuments(): Promise<void> {
  const documents = await database.current.db
    .selectFrom('document')
    .select(['kind', 'number', 'content', 'pdf'])
    .orderBy('created_on')
    .execute()
  expect(new Set(documents.map(({ kind }) => kind))).toEqual(
    new Set(['invoice', 'packing_slip', 'memo', 'credit_note']),
  )
  for (const { content, pdf } of documents) {
    expect(content).toMatchObject({ seller: { name: 'Demo Gems' } })
    // The pages are drawn when they are asked for, so the market starts as fast as without them.
    expect(pdf).toBe(null)
  }
  const invoices = documents.filter(({ kind }) => kind === 'invoice').map(({ number }) => number)
  expect(invoices).toEqual(invoices.toSorted())
}

/** Someone is late, someone has paid in part, and the example of `order fulfill` can be tried. */
async function expectMoney(): Promise<void> {
  const { db } = database.current
  const { rows } = await sql<{ overdue: boolean; in_part: boolean }>`
    select bool_or(balance > 0
        and invoiced_on + make_interval(days => payment_terms_days + 1) < now()) as overdue,
      bool_or(balance > 0 and paid < 0) as in_part
    from orders join lateral (
      select sum(amount) as balance, sum(amount) filter (where kind = 'payment') as paid
      from ledger_entry where order_uuid = orders.uuid) as entries on true`.execute(db)
  expect(rows).toEqual([{ overdue: true, in_part: true }])
  const [example] = await loadOrders(db, [await findOrderUuid(db, 'DEMO-1012')])
  expect([example.order_type, example.fulfillment_status]).toEqual(['invoice', null])
}
