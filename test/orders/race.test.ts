import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { numberChanges } from '../../src/events/number-changes.ts'
import { addParcel, addStones, type OrderMarket, openOrderMarket } from './order-support.ts'

/** The numbers are small, for a busy machine; bench/orders-crowd.ts has the large ones. */
let market: OrderMarket
const keys: string[] = []

beforeAll(async () => {
  market = await openOrderMarket()
  for (let count = 0; count < 10; count++) keys.push((await market.merchant()).key)
})
afterAll(() => market.close())

const buyer = (index: number) => keys[index % keys.length]

async function count(query: ReturnType<typeof sql<{ count: number }>>): Promise<number> {
  return (await query.execute(market.database.db)).rows[0].count
}

/** Runs the work `total` times, on `number` clients at once. */
async function clients(number: number, total: number, work: (round: number) => Promise<unknown>) {
  let next = 0
  const client = async () => {
    while (next < total) await work(next++)
  }
  await Promise.all(Array.from({ length: number }, client))
}

describe('simultaneous buyers', () => {
  it('of one stone: exactly one of 200 gets it, and the others are refused', async () => {
    const rounds = 5
    const stones = await addStones(market.database.db, rounds)
    for (const sku of stones) {
      const responses = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          market.app.inject({
            method: 'POST',
            url: '/api/v2/orders/place',
            headers: { authorization: `Bearer ${buyer(index)}` },
            payload: { order_type: 'invoice', line_items: [{ sku, quantity: 1 }] },
          }),
        ),
      )
      const refused = responses.filter(({ statusCode }) => statusCode !== 200)
      expect(refused).toHaveLength(199)
      const codes = new Set(refused.map((response) => response.json<{ code: string }>().code))
      expect([...codes]).toEqual(['sku_unavailable'])
    }
    const sold = sql<{ count: number }>`
      select count(distinct order_uuid) from order_line where sku = any(${stones}::text[])`
    expect(await count(sold)).toBe(rounds)
  })

  it('of 64 never takes more of a parcel than there is', async () => {
    const { db } = market.database
    const parcels = await Promise.all(Array.from({ length: 20 }, () => addParcel(db, 20)))
    await clients(64, 400, async (round) => {
      const sku = parcels[(round * 7) % parcels.length]
      const line_items = [{ sku, quantity: 1 + (round % 3) }]
      const { status, body } = await market.place([], { by: buyer(round), body: { line_items } })
      expect([undefined, 'sku_unavailable'], JSON.stringify(body)).toContain(body.code)
      expect(status).toBe(body.code ? 409 : 200)
    })
    const { rows } = await sql<{ left: number; sold: number }>`
      select gem.quantity as left,
        (select sum(line.quantity)::int from order_line as line where line.sku = gem.sku) as sold
      from gem where sku = any(${parcels}::text[])`.execute(db)
    expect(rows.map(({ left, sold }) => left + sold)).toEqual(parcels.map(() => 20))
    expect(Math.min(...rows.map(({ left }) => left))).toBe(0)
  })

  it('that orders the same lines in opposite order never causes a deadlock', async () => {
    const { db } = market.database
    const parcels = await Promise.all(Array.from({ length: 8 }, () => addParcel(db, 10_000)))
    await clients(16, 80, async (round) => {
      const skus = round % 2 === 0 ? parcels : parcels.toReversed()
      const { status } = await market.place(skus, { by: buyer(round) })
      expect(status).toBe(200)
    })
    const { rows } = await sql<{ quantity: number }>`
      select quantity from gem where sku = any(${parcels}::text[])`.execute(db)
    expect(rows.map(({ quantity }) => quantity)).toEqual(parcels.map(() => 9_920))
  })
})

describe('the same order', () => {
  it('is cancelled, returned, shipped and converted by one of many at once', async () => {
    const { db } = market.database
    const stones = await addStones(db, 12)
    const orders: string[] = []
    for (const sku of stones) {
      orders.push((await market.place([sku], { body: { order_type: 'memo' } })).body.uuid)
    }
    const tracking = { tracking_company: 'FX', tracking_number: '1' }
    const act = (uuid: string, verb: string) =>
      market.call('POST', `/api/operator/orders/${uuid}/${verb}`, {
        token: market.adminKey,
        ...(verb === 'fulfill' && { body: tracking }),
      })
    for (const uuid of orders) {
      const verbs = ['cancel', 'return', 'cancel', 'return', 'convert', 'fulfill', 'fulfill']
      const responses = await Promise.all(verbs.map((verb) => act(uuid, verb)))
      expect(responses.every(({ status }) => status === 200 || status === 409)).toBe(true)
    }
    // Whatever came first, a stone is back in stock exactly when its order was cancelled or returned.
    const { rows } = await sql<{ state: string; quantity: number; kept: number; type: string }>`
      select gem.state, gem.quantity, orders.order_type as type,
        line.quantity - line.cancelled_quantity - line.returned_quantity as kept
      from order_line as line join gem on gem.sku = line.sku
      join orders on orders.uuid = line.order_uuid
      where line.sku = any(${stones}::text[])`.execute(db)
    for (const { state, quantity, kept, type } of rows) {
      const expected = kept === 0 ? 'available 1' : `${type === 'memo' ? 'memo' : 'sold'} 0`
      expect(`${state} ${quantity}`).toBe(expected)
    }
  })
})

describe('the log of changes', () => {
  it('has every sale once, without gaps', async () => {
    await numberChanges(market.database.db)
    const { rows } = await sql<{ total: number; last: number; doubled: number }>`
      select count(*) as total, max(sequence) as last,
        (select count(*) from (select sku from change where kind = 'sold'
          group by sku having count(*) > 1) as twice) as doubled
      from change`.execute(market.database.db)
    expect(rows[0].total).toBe(rows[0].last)
    expect(rows[0].doubled).toBe(0)
  })
})
