import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { NoticeDetails } from '../../src/database/tables/mail.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { recordOperatorEvent } from '../../src/events/operator-events.ts'
import { remindHolds } from '../../src/notices/remind-holds.ts'
import { addStone, remindOfMemos } from '../orders/order-support.ts'
import { type NoticeMarket, openNoticeMarket, withoutIds } from './notice-support.ts'

let market: NoticeMarket
beforeAll(async () => {
  market = await openNoticeMarket()
})
afterAll(() => market.close())
beforeEach(async () => {
  await market.tell()
  await sql`delete from notice`.execute(market.database.db)
})

interface ShownNotice {
  kind: string
  subject: string
  text: string
  items: { title: string; detail: string }[]
  more: number
  url: string
  details: NoticeDetails | null
}

const SIDES = {
  merchant: () => ({ path: '/api/v3', token: market.buyer.key }),
  operator: () => ({ path: '/api/operator', token: market.adminKey }),
  confirming: () => ({ path: '/api/supplier', token: market.sessions.confirming }),
  plain: () => ({ path: '/api/supplier', token: market.sessions.plain }),
}

async function notices(side: keyof typeof SIDES): Promise<ShownNotice[]> {
  await market.tell()
  const { path, token } = SIDES[side]()
  const { status, body } = await market.call('GET', `${path}/notices`, { token })
  expect(status).toBe(200)
  expect(body.total).toBe(body.notices.length)
  return body.notices
}

const told = async (side: keyof typeof SIDES) =>
  (await notices(side)).map(({ kind, subject }) => `${kind}: ${subject}`)

async function order(skus: string[], body: object = {}) {
  const placed = await market.place(skus, { version: 'v3', body: { ...body } })
  expect(placed.status, placed.text).toBe(200)
  return placed.body as { uuid: string; external_order_id: string; line_items: { uuid: string }[] }
}

describe('an order', () => {
  it('is told to the merchant, to the operator and to each supplier of its lines', async () => {
    const mine = await market.stone(market.confirming)
    const other = await market.stone(market.plain)
    const { external_order_id: order_id } = await order([mine, other])
    const [placed] = await notices('merchant')
    expect(placed).toMatchObject({
      kind: 'order_placed',
      subject: `Order ${order_id} was placed`,
      text:
        `We received order ${order_id}: 2 items, $3,400.00. ` +
        'Its suppliers have to confirm it; you will hear from us when they do.',
      more: 0,
      url: `https://gems.example/orders/${order_id}`,
    })
    expect(placed.items.map(({ title }) => title)).toEqual([mine, other])
    expect(placed.items[0].detail).toContain('$1,700.00 each')
    expect(await told('operator')).toEqual([`order_placed: Facet Street placed order ${order_id}`])
    const [supplied] = await notices('confirming')
    expect(supplied).toMatchObject({
      kind: 'order_placed',
      subject: 'New order: 1 line to confirm',
      text: expect.stringMatching(
        /^The order of \d+ \w+ \d{4}, \d\d:\d\d UTC has 1 line of yours\. Please confirm or decline them\.$/,
      ),
      items: [{ title: expect.stringMatching(/^V-/), detail: expect.stringContaining(mine) }],
    })
    expect(await told('plain')).toEqual(['order_placed: New order: 1 line sold'])
  })

  it('is told with what its text says as data, to each side what it may know', async () => {
    const sku = await market.stone(market.confirming)
    const { external_order_id: number } = await order([sku])
    const stone = { weight: 1.52, shape: 'round', color: 'F', clarity: 'VS1', species: null }
    const details = {
      event_type: 'order.create',
      order: {
        order_type: 'invoice',
        number,
        ordered_on: expect.stringMatching(/^\d{4}-.*\+00:00$/),
      },
      quantity: 1,
      amount: 1700,
      currency_code: 'USD',
      items: [{ sku, quantity: 1, price: 1700, description: expect.any(String), stone }],
    }
    const [placed] = await notices('merchant')
    expect(placed.details).toMatchObject({ ...details, awaits_confirmation: true })
    const [operator] = await notices('operator')
    expect(operator.details).toMatchObject({ ...details, merchant: 'Facet Street' })
    const [supplied] = await notices('confirming')
    expect(supplied.details).toEqual({
      event_type: 'order.create',
      order: { ...details.order, number: null },
      quantity: 1,
      awaits_confirmation: true,
      items: [
        {
          sku,
          vendor_sku: expect.stringMatching(/^V-/),
          quantity: 1,
          description: expect.any(String),
          stone: expect.objectContaining(stone),
        },
      ],
    })
  })

  it('is told at each step, and nothing is confirmed that needs no confirmation', async () => {
    const { uuid, external_order_id: order_id } = await order([
      await market.stone(market.confirming),
      await market.stone(market.confirming),
    ])
    const { body } = await market.confirming.call('GET', `/orders/${uuid}`)
    const [first, second] = body.line_items as { uuid: string }[]
    await market.confirming.call('POST', `/orders/${uuid}/confirm`, {
      line_item_uuids: [first.uuid],
    })
    await market.confirming.call('POST', `/orders/${uuid}/decline`, {
      line_item_uuids: [second.uuid],
      reason: 'broken',
    })
    const tracking = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }
    await market.operate(`/orders/${uuid}/fulfill`, tracking)
    expect(await told('merchant')).toEqual([
      `order_shipped: Order ${order_id}: 1 item shipped`,
      `order_declined: Order ${order_id}: 1 item declined`,
      `order_confirmed: Order ${order_id}: 1 item confirmed`,
      `order_placed: Order ${order_id} was placed`,
    ])
    const texts = (await notices('merchant')).map(({ text }) => text)
    expect(texts[0]).toContain('with Facet Express. Tracking number: FX-1.')
    expect(texts[1]).toContain('Reason: broken.')
    expect(await told('operator')).toEqual([
      `order_declined: Facet Street, order ${order_id}: 1 item declined`,
      `order_placed: Facet Street placed order ${order_id}`,
    ])
  })

  it('of a supplier that needs no confirmation brings no notice of one', async () => {
    const { uuid } = await order([await market.stone(market.plain)])
    await market.operate(`/orders/${uuid}/fulfill`, {
      tracking_company: 'Facet Express',
      tracking_number: 'FX-2',
    })
    const kinds = (await notices('merchant')).map(({ kind }) => kind)
    expect(kinds).toEqual(['order_shipped', 'order_placed'])
  })

  it('that the merchant cancels is told to its suppliers and to the operator', async () => {
    const { uuid, external_order_id: order_id } = await order([
      await market.stone(market.confirming),
    ])
    const cancelled = await market.call('POST', `/api/v3/orders/${uuid}/cancel`, {
      token: market.buyer.key,
      body: { reason: 'Facet Street changed its mind' },
    })
    expect(cancelled.status, cancelled.text).toBe(200)
    expect((await told('merchant'))[0]).toBe(`order_cancelled: Order ${order_id}: 1 item cancelled`)
    expect((await told('operator'))[0]).toContain('order_cancelled')
    const [supplied] = await notices('confirming')
    expect(supplied).toMatchObject({
      kind: 'order_cancelled',
      subject: 'Order cancelled: 1 line',
      text: expect.stringMatching(
        /^These units of the order of \d+ \w+ \d{4}, \d\d:\d\d UTC were cancelled\. Please do not ship them\.$/,
      ),
    })
  })

  it('of a memo is told again when it is due soon and when it is overdue', async () => {
    const { uuid } = await order([await market.stone()], { order_type: 'memo' })
    const { db } = market.database
    await sql`update orders set memo_due_date = market_now() + interval '2 days'
      where uuid = ${uuid}`.execute(db)
    await remindOfMemos(db)
    await sql`update orders set memo_due_date = market_now() - interval '1 hour'
      where uuid = ${uuid}`.execute(db)
    await remindOfMemos(db)
    const subjects = (await told('merchant')).slice(0, 2)
    expect(subjects[0]).toMatch(/^memo_due: Memo \S+ is overdue$/)
    expect(subjects[1]).toMatch(/^memo_due: Memo \S+ is due on \d+ \w+ \d{4}$/)
    expect((await told('operator'))[0]).toMatch(/^memo_due: Facet Street: memo \S+ is overdue$/)
  })

  it('is returned in steps, of which the operator hears the first', async () => {
    const {
      uuid,
      external_order_id: order_id,
      line_items,
    } = await order([await addStone(market.database.db, { days_to_return: 14 })])
    await market.operate(`/orders/${uuid}/fulfill`, {
      tracking_company: 'Facet Express',
      tracking_number: 'FX-3',
    })
    const requested = await market.call('POST', `/api/v3/orders/${uuid}/returns`, {
      token: market.buyer.key,
      body: {
        line_items: [{ uuid: line_items[0].uuid, quantity: 1 }],
        reason: 'too small',
      },
    })
    expect(requested.status, requested.text).toBe(201)
    const path = `/returns/${requested.body.uuid}`
    expect((await market.operate(`${path}/approve`)).status).toBe(200)
    expect((await market.operate(`${path}/receive`)).status).toBe(200)
    expect((await told('merchant')).slice(0, 3)).toEqual([
      `return_steps: Return for order ${order_id} was received`,
      `return_steps: Return for order ${order_id} was approved`,
      `return_steps: Return for order ${order_id} was requested`,
    ])
    const steps = (await told('operator')).filter((notice) => notice.startsWith('return'))
    expect(steps).toEqual([`return_steps: Facet Street asks for a return of order ${order_id}`])
  })
})

describe('other events', () => {
  it('an offer is told to the operator, and its answer to the merchant', async () => {
    const sku = await market.stone()
    const offered = await market.call('POST', '/api/v3/quotes', {
      token: market.buyer.key,
      body: { line_items: [{ sku, quantity: 1, offer_price: 1500 }], minutes: 60 },
    })
    expect(offered.status, offered.text).toBe(201)
    await market.operate(`/quotes/${offered.body.uuid}/accept`)
    expect(await told('operator')).toEqual(['quote_requested: Facet Street offers a price'])
    const [answered] = await notices('merchant')
    expect(answered).toMatchObject({
      kind: 'quote_answered',
      subject: 'Your offer was accepted',
      url: expect.stringMatching(`/quotes/${offered.body.uuid}$`),
      items: [{ title: sku, detail: 'price $1,500.00, offered $1,500.00' }],
    })
  })

  it('a hold is told ten minutes before it ends, once for each end', async () => {
    const sku = await market.stone()
    const short = await market.stone()
    const hold = (held: string, minutes: number) =>
      market.call('POST', '/api/v3/inventory/holds', {
        token: market.buyer.key,
        body: { sku: held, minutes },
      })
    const { db } = market.database
    const endsIn = (minutes: number) =>
      sql`update gem set hold_expires_on = market_now() + make_interval(mins => ${minutes}),
        mover = 'hold' where sku = ${sku}`.execute(db)
    expect((await hold(sku, 60)).status).toBe(201)
    expect((await hold(short, 5)).status).toBe(201)
    await endsIn(11)
    await remindHolds(db)
    expect(await told('merchant')).toEqual([])
    await sql`update gem set hold_created_on = hold_created_on - interval '50 minutes'
      where sku = ${sku}`.execute(db)
    await endsIn(9)
    await remindHolds(db)
    await remindHolds(db)
    const [ending, ...others] = await notices('merchant')
    expect(others).toEqual([])
    expect(ending).toMatchObject({
      kind: 'hold_ending',
      subject: `Your hold on ${sku} ends soon`,
      items: [{ title: sku, detail: '1.52 ct round F VS1' }],
      url: 'https://gems.example/holds',
    })
    await endsIn(8)
    await remindHolds(db)
    expect(await notices('merchant')).toHaveLength(2)
  })

  it('stones of a saved search are told with their number', async () => {
    const sku = await market.stone()
    const data = { saved_search_uuid: 'x', name: 'Round, 1.5 ct', skus: [sku], more: 1200 }
    await sql`insert into event (uuid, merchant_uuid, sequence, event_type, event_data)
      values (gen_random_uuid(), ${market.buyer.merchant.uuid}, 1000000, 'search.match',
        ${JSON.stringify(data)}::jsonb)`.execute(market.database.db)
    expect(await notices('merchant')).toMatchObject([
      {
        kind: 'saved_search',
        subject: '1,201 stones for "Round, 1.5 ct"',
        items: [{ title: sku, detail: '1.52 ct round F VS1' }],
        more: 1200,
      },
    ])
  })

  it('a feed that fails is told to the operator and to its supplier, but not from a folder', async () => {
    const { db } = market.database
    const uuid = async (url: string) => {
      const { rows } = await sql<{ uuid: string }>`
        insert into feed_source (uuid, supplier_id, url, every_seconds, mode, due_on)
        values (gen_random_uuid(), ${market.plain.id}, ${url}, 7200, 'replace',
          -- Not yet, or the market would fetch it, and tell of its own failure.
          market_now() + interval '2 hours')
        returning uuid`.execute(db)
      return rows[0].uuid
    }
    for (const url of ['https://plain.example/stock.csv', 'file:///srv/stock.csv']) {
      const source_uuid = await uuid(url)
      await inTransaction(db, (tx) =>
        recordOperatorEvent(tx, 'source.fail', {
          source_uuid,
          supplier: 'Plain Stones',
          url,
          failure: 'The server answered 404',
        }),
      )
    }
    expect(await told('operator')).toEqual([
      'feed_failing: The feed of Plain Stones fails',
      'feed_failing: The feed of Plain Stones fails',
    ])
    const [supplied, ...others] = await notices('plain')
    expect(others).toEqual([])
    expect(supplied).toMatchObject({
      subject: 'Your feed fails',
      text:
        'The feed from https://plain.example/stock.csv cannot be imported. The server answered ' +
        '404. It is tried again by itself, and you hear from us when it works.',
    })
  })
})

describe('the list', () => {
  it('has notices of earlier versions, whose text has no data', async () => {
    await order([await market.stone(market.plain)])
    await market.tell()
    await sql`update notice set content = content - 'details'`.execute(market.database.db)
    const [placed] = await notices('merchant')
    expect(placed).toMatchObject({ details: null, text: expect.stringContaining('We received') })
  })

  it("has nobody else's notices, and of one kind on request", async () => {
    await order([await market.stone(market.plain)])
    const stranger = await market.merchant()
    await market.tell()
    const list = (query: string, token: string) =>
      market.call('GET', `/api/v3/notices${query}`, { token })
    expect((await list('', stranger.key)).body).toMatchObject({ notices: [], total: 0 })
    expect((await list('?kind=order_placed', market.buyer.key)).body.total).toBe(1)
    expect((await list('?kind=memo_due', market.buyer.key)).body.total).toBe(0)
    expect((await list('?limit=1&offset=1', market.buyer.key)).body).toMatchObject({
      notices: [],
      total: 1,
      offset: 1,
    })
    expect(await told('confirming')).toEqual([])
  })

  it('of a supplier contains no secret of the market', async () => {
    const { external_order_id: order_id } = await order([await market.stone(market.confirming)], {
      external_order_id: 'FACET-SECRET-1',
      notes: 'For the Facet family',
    })
    const text = JSON.stringify(await notices('confirming'))
    for (const secret of [order_id, 'Facet', market.buyer.merchant.uuid]) {
      expect(text).not.toContain(secret)
    }
    for (const price of ['1700', '1,700', '1600']) {
      expect(withoutIds(text)).not.toContain(price)
    }
  })
})
