import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/database/open.ts'
import { buildApp } from '../../../src/http/app.ts'
import type { App } from '../../../src/http/route.ts'
import { addStones, type OrderMarket, openOrderMarket } from '../order-support.ts'
import { documentsOf, download, step, TRACKING } from './document-support.ts'

/** Two nodes on one database issue documents at the same time. */
let market: OrderMarket
let second: App
let closeSecond: () => Promise<void>

beforeAll(async () => {
  market = await openOrderMarket()
  const database = openDatabase({ url: market.database.url })
  second = await buildApp({ ...market.deps, database })
  await second.ready()
  closeSecond = async () => {
    await second.close()
    await database.close()
  }
})
afterAll(async () => {
  await closeSecond()
  await market.close()
})

/** Takes a step on one of the two nodes, and returns the status. */
async function stepOn(node: App, uuid: string, name: string, body: object = {}): Promise<number> {
  const response = await node.inject({
    method: 'POST',
    url: `/api/operator/orders/${uuid}/${name}`,
    headers: { authorization: `Bearer ${market.adminKey}` },
    payload: body,
  })
  return response.statusCode
}

const nodeOf = (index: number) => (index % 2 === 0 ? market.app : second)

async function placeMany(count: number) {
  const skus = await addStones(market.database.db, count)
  const placed = []
  for (const sku of skus) placed.push((await market.place([sku])).body)
  return placed as { uuid: string; line_items: { uuid: string }[] }[]
}

/** The numbers of a kind must be 1, 2, 3 … in the sequence of their dates. */
async function expectNoGaps(kind: 'invoice' | 'credit_note', expected: number): Promise<void> {
  const rows = await market.database.db
    .selectFrom('document')
    .select(['number', 'created_on'])
    .where('kind', '=', kind)
    .orderBy('created_on')
    .execute()
  const numbers = rows.map(({ number }) => Number(number.slice(-6)))
  expect(numbers).toEqual(Array.from({ length: expected }, (_, index) => index + 1))
}

describe('the numbers of invoices and credit notes', () => {
  it('have no gaps and no duplicates when two nodes ship, invoice and cancel at once', async () => {
    const orders = await placeMany(24)
    const statuses = await Promise.all(
      orders.flatMap(({ uuid }, index) => [
        stepOn(nodeOf(index), uuid, 'invoice'),
        stepOn(nodeOf(index + 1), uuid, index % 3 === 0 ? 'invoice' : 'fulfill', bodyFor(index)),
      ]),
    )
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    await expectNoGaps('invoice', 24)
    const cancelled = await Promise.all(
      orders
        .filter((_, index) => index % 3 === 0)
        .flatMap(({ uuid }, index) => [
          stepOn(nodeOf(index), uuid, 'cancel', { reason: 'ordered twice' }),
          stepOn(nodeOf(index + 1), uuid, 'cancel', { reason: 'ordered twice' }),
        ]),
    )
    expect(cancelled.filter((status) => status === 200)).toHaveLength(8)
    expect(cancelled.filter((status) => status === 409)).toHaveLength(8)
    await expectNoGaps('credit_note', 8)
  })

  it('are taken back by a step that fails', async () => {
    const [{ uuid }] = await placeMany(1)
    const { db } = market.database
    const before = await db.selectFrom('document').select('number').execute()
    const failed = db.transaction().execute(async (tx) => {
      const { invoiceOrder } = await import('../../../src/orders/steps/invoice-order.ts')
      const invoiced = await invoiceOrder(tx, uuid)
      expect(invoiced.documents).toHaveLength(1)
      throw new Error('killed here')
    })
    await expect(failed).rejects.toThrow('killed here')
    expect(await db.selectFrom('document').select('number').execute()).toEqual(before)
    await step(market, uuid, 'invoice')
    await expectNoGaps('invoice', 25)
  })

  it('stay with the same bytes when two nodes draw a document at the same time', async () => {
    const [{ uuid }] = await placeMany(1)
    await step(market, uuid, 'fulfill', TRACKING)
    for (const { url } of await documentsOf(market, uuid, market.buyer.key)) {
      const path = new URL(url).pathname
      const copies = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          download({ app: nodeOf(index) }, path, market.buyer.key),
        ),
      )
      for (const { status, bytes } of copies) {
        expect(status).toBe(200)
        expect(bytes.equals(copies[0].bytes)).toBe(true)
      }
    }
  })

  it('begin again with each year', async () => {
    const [{ uuid }] = await placeMany(1)
    const { db } = market.database
    const { sql } = await import('kysely')
    await sql`
      create or replace function market_offset() returns interval language sql stable
      return interval '1 year'`.execute(db)
    try {
      await step(market, uuid, 'invoice')
    } finally {
      await sql`
        create or replace function market_offset() returns interval language sql stable
        return interval '0'`.execute(db)
    }
    const [invoice] = await documentsOf(market, uuid, market.buyer.key)
    const year = new Date().getUTCFullYear()
    expect(invoice.number).toBe(`INV-${year + 1}-000001`)
  })
})

function bodyFor(index: number): object {
  return index % 3 === 0 ? {} : TRACKING
}
