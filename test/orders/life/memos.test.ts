import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addParcel,
  addStone,
  type OrderMarket,
  openOrderMarket,
  remindOfMemos,
} from '../order-support.ts'

let market: OrderMarket
beforeAll(async () => {
  market = await openOrderMarket()
})
afterAll(() => market.close())

const stone = (fields = {}) => addStone(market.database.db, fields)
const act = (uuid: string, verb: string, body?: object) =>
  market.call('POST', `/api/operator/orders/${uuid}/${verb}`, { token: market.adminKey, body })

async function placedMemo(skus: string[], body: Record<string, unknown> = {}, by?: string) {
  const options = { body: { order_type: 'memo', ...body }, ...(by && { by }) }
  const response = await market.place(skus, options)
  expect(response.status).toBe(200)
  return response.body
}

/** Moves the due date of a memo; negative days are in the past. */
async function makeDue(uuid: string, days: number): Promise<void> {
  await sql`update orders set memo_due_date = market_clock() + make_interval(secs => ${days * 86400})
    where uuid = ${uuid}`.execute(market.database.db)
}

async function ledger(query = '', token = market.buyer.key, path = '/api/v3/memos') {
  const { status, body } = await market.call('GET', `${path}${query}`, { token })
  expect(status).toBe(200)
  return body
}

describe('the memo ledger', () => {
  it('has nothing for a merchant without memos', async () => {
    const { key } = await market.merchant()
    const totals = { current: 0, '1-30': 0, '31-60': 0, '61-90': 0, 'over 90': 0 }
    expect(await ledger('', key)).toEqual({ memos: [], totals, total: 0, offset: 0, limit: 100 })
  })

  it('has one entry per line with its value and its age, and totals of all pages', async () => {
    const { key, merchant } = await market.merchant({ legal_dba: 'Ledger House' })
    const ages = [5, 0.5, -0.5, -30, -31, -60, -61, -90, -91]
    for (const days of ages) {
      const { uuid } = await placedMemo([await stone()], {}, key)
      await makeDue(uuid, days)
    }
    const { memos, totals, total } = await ledger('', key)
    expect(
      memos.map(({ days_left, bucket }: Record<string, unknown>) => [days_left, bucket]),
    ).toEqual([
      [-91, 'over 90'],
      [-90, '61-90'],
      [-61, '61-90'],
      [-60, '31-60'],
      [-31, '31-60'],
      [-30, '1-30'],
      [0, '1-30'],
      [1, 'current'],
      [5, 'current'],
    ])
    expect(total).toBe(ages.length)
    expect(totals).toEqual({
      current: 3400,
      '1-30': 3400,
      '31-60': 3400,
      '61-90': 3400,
      'over 90': 1700,
    })
    const page = await ledger('?limit=2&offset=1', key)
    expect(page).toMatchObject({ total: 9, totals, memos: [memos[1], memos[2]] })
    const late = await ledger('?overdue=true', key)
    expect([late.total, late.totals.current]).toEqual([7, 0])
    expect((await ledger('?overdue=false', key)).total).toBe(2)
    const operator = await ledger(
      `?merchant_uuid=${merchant.uuid}&overdue=true`,
      market.adminKey,
      '/api/operator/memos',
    )
    expect(operator).toMatchObject({ total: 7, totals: late.totals })
    expect(operator.memos[0]).toMatchObject({
      merchant_uuid: merchant.uuid,
      merchant_legal_dba: 'Ledger House',
      order_uuid: memos[0].order_uuid,
      value: 1700,
    })
  })

  it('counts the units that are still out', async () => {
    const { key } = await market.merchant()
    const parcel = await addParcel(market.database.db, 20, { memo: true })
    const { uuid, line_items } = await placedMemo(
      [],
      { line_items: [{ sku: parcel, quantity: 9 }] },
      key,
    )
    const units = (quantity: number) => ({ line_items: [{ uuid: line_items[0].uuid, quantity }] })
    await act(uuid, 'fulfill', {
      ...units(4),
      tracking_company: 'Facet Express',
      tracking_number: 'FX-1',
    })
    await act(uuid, 'return', units(2))
    await act(uuid, 'cancel', units(1))
    const { memos } = await ledger('', key)
    // Six stones at 1.625 each are 9.75.
    expect(memos).toMatchObject([{ order_uuid: uuid, sku: parcel, quantity: 6, value: 9.75 }])
    expect(memos[0].days_left).toBe(14)
    await act(uuid, 'convert')
    expect((await ledger('', key)).memos).toEqual([])
  })

  it('is for the operator, and for a merchant only its own', async () => {
    const path = '/api/operator/memos'
    expect((await market.call('GET', path, { token: market.buyer.key })).status).toBe(403)
    const other = await market.merchant()
    await placedMemo([await stone()])
    expect((await ledger('', other.key)).total).toBe(0)
    expect((await ledger('', market.adminKey, path)).total).toBeGreaterThan(0)
    const query = '/api/v3/memos?limit=501'
    expect((await market.call('GET', query, { token: market.buyer.key })).status).toBe(422)
  })
})

describe('extending a memo', () => {
  it('moves its due date by the days, with an event', async () => {
    const { uuid, memo_due_date } = await placedMemo([await stone()])
    const { status, body } = await act(uuid, 'extend', { days: 10 })
    expect(status).toBe(200)
    const moved = Date.parse(body.memo_due_date) - Date.parse(memo_due_date)
    expect(moved).toBe(10 * 86_400_000)
    expect(body.events).toMatchObject([
      {
        event_type: 'order.memo.extend',
        event_data: { days: 10, memo_due_date: body.memo_due_date },
      },
    ])
  })

  it('is refused for invoices, for memos that are back, and for silly numbers of days', async () => {
    const invoice = (await market.place([await stone()])).body
    const refused = await act(invoice.uuid, 'extend', { days: 3 })
    expect([refused.status, refused.body.code]).toEqual([409, 'wrong_state'])
    const { uuid } = await placedMemo([await stone()])
    for (const days of [0, -1, 366, 1.5, '3']) {
      expect((await act(uuid, 'extend', { days })).status).toBe(422)
    }
    await act(uuid, 'return')
    expect((await act(uuid, 'extend', { days: 3 })).status).toBe(409)
  })
})

describe('reminders of memos', () => {
  const remind = () => remindOfMemos(market.database.db)
  const eventsOf = async (uuid: string) => {
    const { body } = await market.call('GET', `/api/v3/orders/${uuid}`, {
      token: market.buyer.key,
    })
    return (body.events ?? []).map(({ event_type }: { event_type: string }) => event_type)
  }

  it('come three days before and when the date has passed, each once', async () => {
    const { uuid } = await placedMemo([await stone()])
    await makeDue(uuid, 3.1)
    await remind()
    expect(await eventsOf(uuid)).toEqual([])
    await makeDue(uuid, 2.9)
    await Promise.all([remind(), remind(), remind()])
    await remind()
    expect(await eventsOf(uuid)).toEqual(['order.memo.due_soon'])
    await makeDue(uuid, -0.1)
    await Promise.all([remind(), remind(), remind()])
    await remind()
    expect(await eventsOf(uuid)).toEqual(['order.memo.due_soon', 'order.memo.overdue'])
    const { body } = await market.call('GET', `/api/v3/orders/${uuid}`, {
      token: market.buyer.key,
    })
    expect(body.events[1].event_data).toMatchObject({
      order_uuid: uuid,
      memo_id: expect.anything(),
    })
  })

  it('leave out what is late already, what is back and what is an invoice', async () => {
    const late = await placedMemo([await stone()])
    const back = await placedMemo([await stone()])
    const bought = await placedMemo([await stone()])
    await act(back.uuid, 'return')
    await act(bought.uuid, 'convert')
    await makeDue(late.uuid, -5)
    await sql`update orders set memo_due_date = market_clock() where uuid = ${back.uuid}`.execute(
      market.database.db,
    )
    await remind()
    expect(await eventsOf(late.uuid)).toEqual(['order.memo.overdue'])
    expect(await eventsOf(back.uuid)).toEqual(['order.memo.return'])
    expect(await eventsOf(bought.uuid)).toEqual(['order.memo.convert'])
  })

  it('come again for a later due date', async () => {
    const { uuid } = await placedMemo([await stone()])
    await makeDue(uuid, -1)
    await remind()
    await act(uuid, 'extend', { days: 2 })
    await remind()
    await remind()
    expect(await eventsOf(uuid)).toEqual([
      'order.memo.overdue',
      'order.memo.extend',
      'order.memo.due_soon',
    ])
    // The new date has passed already: there is nothing new to say.
    await makeDue(uuid, -9)
    await remind()
    await act(uuid, 'extend', { days: 1 })
    await remind()
    expect((await eventsOf(uuid)).slice(3)).toEqual(['order.memo.overdue', 'order.memo.extend'])
  })

  it('follow the clock of the market', async () => {
    const { uuid } = await placedMemo([await stone()])
    const { db } = market.database
    await sql`create or replace function market_offset() returns interval language sql stable
      as $$ select interval '12 days' $$`.execute(db)
    await remind()
    await sql`create or replace function market_offset() returns interval language sql stable
      as $$ select interval '0' $$`.execute(db)
    expect(await eventsOf(uuid)).toEqual(['order.memo.due_soon'])
  })
})
