import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db, Tx } from '../../src/database/open.ts'
import { addUpOrderCounts, createKeptCounts } from '../../src/orders/order-counts.ts'
import { type OrderSort, searchOrders } from '../../src/orders/search-orders.ts'
import { addStone, expectRightCounts, type OrderMarket, openOrderMarket } from './order-support.ts'

/** Enough that lists are long, pages are deep, and nearly every sort value has ties. */
const ORDERS = 2_600

let market: OrderMarket
let db: Db
let original: string

beforeAll(async () => {
  market = await openOrderMarket()
  db = market.database.db
  const other = await market.merchant({ legal_dba: 'Another Shop' })
  original = (await market.place([await addStone(db)])).body.uuid
  await copyOrders(db, ORDERS - 1, [market.buyer.merchant.uuid, other.merchant.uuid])
})
afterAll(() => market.close())

/** Copies the first order; times, totals, kinds and words repeat in different rhythms. */
async function copyOrders(at: Db | Tx, count: number, merchants: string[], from = 1) {
  await sql`
    insert into orders select new.* from orders o
    cross join generate_series(${from}::int, ${from + count - 1}::int) as n
    cross join lateral jsonb_populate_record(o, jsonb_build_object(
      'uuid', gen_random_uuid(), 'order_id', 'PO-' || n,
      'merchant_uuid', (${merchants}::uuid[])[1 + n % ${merchants.length}::int],
      'merchant_legal_dba', 'Shop ' || n % 3, 'total', 100 * (n % 7),
      'ordered_on', timestamptz '2026-01-01 00:00Z' + make_interval(hours => n % 37),
      'updated_on', timestamptz '2026-02-01 00:00Z' + make_interval(hours => n % 11),
      'payment_status', case when n % 3 = 0 then 'paid' end,
      'fulfillment_status', case n % 4 when 0 then 'partial' when 1 then 'fulfilled' end,
      'open_quantity', n % 2, 'debug', n % 5 = 0,
      'words', array_to_tsvector(array['all', 'allied', 'half-' || n % 2, 'fifth-' || n % 5,
        'hundredth-' || n % 100, case when n % 37 > 18 then 'late' else 'early' end])::text)) as new
    where o.uuid = ${original}`.execute(at)
}

interface Row {
  uuid: string
  merchant_uuid: string
  merchant_legal_dba: string
  total: number
  ordered_us: number
  updated_us: number
  payment_status: string | null
  fulfillment_status: string | null
  open_quantity: number
  debug: boolean
  words: string[]
}

async function readAll(): Promise<Row[]> {
  const us = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000000)::bigint`)
  const { rows } = await sql<Row>`
    select uuid, merchant_uuid, merchant_legal_dba, total::float8, payment_status,
      fulfillment_status, open_quantity, debug, tsvector_to_array(words) as words,
      ${us('ordered_on')} as ordered_us, ${us('updated_on')} as updated_us
    from orders`.execute(db)
  return rows
}

type Query = Parameters<typeof searchOrders>[1]

function isMatch(row: Row, query: Query): boolean {
  const words = query.text?.split(' ') ?? []
  return (
    (query.merchant_uuid ?? row.merchant_uuid) === row.merchant_uuid &&
    (query.payment_status?.includes((row.payment_status ?? 'unpaid') as 'paid') ?? true) &&
    (query.fulfillment_status?.includes((row.fulfillment_status ?? 'unfulfilled') as 'partial') ??
      true) &&
    (!query.has_unfulfilled || row.open_quantity > 0) &&
    (query.debug ?? row.debug) === row.debug &&
    row.ordered_us >= (query.ordered_from ?? 0) &&
    row.ordered_us <= (query.ordered_to ?? Number.MAX_SAFE_INTEGER) &&
    row.updated_us >= (query.updated_since ?? 0) &&
    words.every((word) => row.words.some((each) => each.startsWith(word)))
  )
}

const sortValue = (row: Row, sort: OrderSort) =>
  sort === 'total' || sort === 'merchant_legal_dba' ? row[sort] : row.ordered_us

function pageOf(rows: readonly Row[], query: Query) {
  const sign = query.sort_order === 'asc' ? 1 : -1
  const found = rows
    .filter((row) => isMatch(row, query))
    .sort((a, b) => {
      const [left, right] = [sortValue(a, query.sort_col), sortValue(b, query.sort_col)]
      if (left !== right) return left < right ? -sign : sign
      return a.uuid < b.uuid ? -1 : 1
    })
  const uuids = found.slice(query.offset, query.offset + query.limit).map(({ uuid }) => uuid)
  return { uuids, total: found.length }
}

const FIRST_US = Date.parse('2026-01-01T00:00Z') * 1000
const HOUR_US = 3_600_000_000

const filters = (): [name: string, filter: Partial<Query>][] => [
  ['nothing', {}],
  ['a merchant', { merchant_uuid: market.buyer.merchant.uuid }],
  ['unpaid orders', { payment_status: ['unpaid'] }],
  ['kinds of a merchant', { merchant_uuid: market.buyer.merchant.uuid, has_unfulfilled: true }],
  ['a word of all orders', { text: 'all' }],
  ['a common prefix', { text: 'half' }],
  ['a common word', { text: 'half-1' }],
  ['common words and kinds', { text: 'half-1 all', fulfillment_status: ['partial', 'fulfilled'] }],
  ['common words of no order', { text: 'half-1 half-0' }],
  ['a word of late orders only', { text: 'late' }],
  ['a rare word', { text: 'hundredth-7' }],
  ['rare and common words', { text: 'all hundredth-7', debug: false }],
  ['dates', { ordered_from: FIRST_US + 3 * HOUR_US, ordered_to: FIRST_US + 30 * HOUR_US }],
  ['dates and words', { ordered_from: FIRST_US + 9 * HOUR_US, text: 'fifth' }],
  ['the time of a change', { updated_since: FIRST_US + 31 * 24 * HOUR_US + 4 * HOUR_US }],
]
const sorts: OrderSort[] = ['ordered_on', 'total', 'merchant_legal_dba']

describe('pages of orders', () => {
  it('and their totals are those of an oracle, in both directions, asked again and again', async () => {
    const counts = createKeptCounts()
    const rows = await readAll()
    for (const [name, filter] of filters()) {
      for (const [at, offset] of [0, 3, 990, 1_000, 1_290, 1_310, 2_501, 2_595, 9_999].entries()) {
        for (const sort_order of ['asc', 'desc'] as const) {
          const query = { ...filter, sort_col: sorts[at % 3], sort_order, limit: 17, offset }
          const expected = pageOf(rows, query)
          expect({ name, query, ...(await searchOrders(db, query, counts)) }).toEqual({
            name,
            query,
            ...expected,
          })
        }
      }
    }
  })

  it('are read one after the other without a gap or a double', async () => {
    const counts = createKeptCounts()
    const read: string[] = []
    for (let offset = 0; offset < ORDERS; offset += 100) {
      const page = { sort_col: 'total', sort_order: 'desc', limit: 100, offset } as const
      read.push(...(await searchOrders(db, { text: 'all', ...page }, counts)).uuids)
    }
    const whole = { sort_col: 'total', sort_order: 'desc', limit: ORDERS, offset: 0 } as const
    expect(read).toEqual(pageOf(await readAll(), { text: 'all', ...whole }).uuids)
  })
})

describe('a total that a node has counted before', () => {
  const lists: Partial<Query>[] = [
    { text: 'all' },
    { text: 'half-1' },
    { text: 'all', payment_status: ['unpaid'] },
    { text: 'half', has_unfulfilled: true },
    { ordered_from: FIRST_US },
  ]
  const counts = createKeptCounts()
  const page = { sort_col: 'ordered_on', sort_order: 'asc', limit: 1, offset: 0 } as const
  const expectRightTotals = async () => {
    const rows = await readAll()
    for (const list of lists) {
      const query = { ...list, ...page }
      const { total } = await searchOrders(db, query, counts)
      expect({ list, total }).toEqual({ list, total: pageOf(rows, query).total })
    }
  }

  it('has what was placed and changed since', async () => {
    await expectRightTotals()
    await copyOrders(db, 40, [market.buyer.merchant.uuid], 10_000)
    await expectRightTotals()
    await sql`update orders set payment_status = 'paid', open_quantity = 0
      where order_id like 'PO-1_'`.execute(db)
    await expectRightTotals()
    await sql`update orders set payment_status = null where order_id like 'PO-12%'`.execute(db)
    await expectRightTotals()
  })

  it('has an order of a transaction that began before and ended after it', async () => {
    for (const isKept of [true, false]) {
      await db
        .transaction()
        .execute(async (tx) => {
          await copyOrders(tx, 30, [market.buyer.merchant.uuid], isKept ? 20_000 : 30_000)
          await expectRightTotals()
          // Others begin and end meanwhile.
          await copyOrders(db, 10, [market.buyer.merchant.uuid], isKept ? 40_000 : 50_000)
          await expectRightTotals()
          await expectRightTotals()
          if (!isKept) throw new Error('rolled back')
        })
        .catch((error: Error) => expect(error.message).toBe('rolled back'))
      await expectRightTotals()
    }
  })

  it('stays right when counts are added up, between two calls and before any', async () => {
    await copyOrders(db, 200, [market.buyer.merchant.uuid], 60_000)
    await addUpOrderCounts(db, 0)
    await expectRightTotals()
    await copyOrders(db, 200, [market.buyer.merchant.uuid], 70_000)
    await expectRightTotals()
    await addUpOrderCounts(db, 0)
    await expectRightTotals()
    await addUpOrderCounts(db)
    await expectRightTotals()
    await expectRightCounts(db)
  })

  it('is right after an order was removed', async () => {
    await expectRightTotals()
    await sql`delete from orders where order_id = 'PO-70001'`.execute(db)
    await expectRightTotals()
    await expectRightTotals()
  })

  it('is right with counts of a restored backup, whose transactions are still to come', async () => {
    await sql`update order_count set transaction = transaction + 1000000000`.execute(db)
    await expectRightTotals()
    await copyOrders(db, 20, [market.buyer.merchant.uuid], 80_000)
    await expectRightTotals()
    await addUpOrderCounts(db)
    await expectRightTotals()
    await copyOrders(db, 20, [market.buyer.merchant.uuid], 90_000)
    await expectRightTotals()
    await expectRightCounts(db)
    const { rows } = await sql<{ to_come: number }>`
      select count(*) as to_come from order_count
      where transaction >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`.execute(db)
    expect(rows).toEqual([{ to_come: 0 }])
  })
})
