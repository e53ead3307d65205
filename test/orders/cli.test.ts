import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runPavilion } from '../support/command-line.ts'
import { TEST_SECRET_KEY } from '../support/secrets.ts'
import { addStone, type OrderMarket, openOrderMarket } from './order-support.ts'

let market: OrderMarket
beforeAll(async () => {
  market = await openOrderMarket()
})
afterAll(() => market.close())

const run = (...args: string[]) =>
  runPavilion(args, {
    DATABASE_URL: market.database.url,
    PAVILION_SECRET_KEY: TEST_SECRET_KEY,
    WEBHOOK_ALLOWED_HOSTS: 'hooks.lan:8080',
  })

async function placedMemo() {
  const sku = await addStone(market.database.db)
  const { body } = await market.place([sku], { body: { order_type: 'memo' } })
  return { ...body, sku }
}

describe('pavilion order', () => {
  it('changes an order like the HTTP interface', async () => {
    const { uuid, line_items, sku } = await placedMemo()
    const line = `${line_items[0].uuid}:1`
    const tracking = ['--tracking-company', 'Facet Express', '--tracking-number', 'FX-9']
    const shipped = await run('order', 'fulfill', uuid, '--line', line, ...tracking, '--json')
    expect(shipped.code).toBe(0)
    expect(JSON.parse(shipped.stdout)).toMatchObject({
      uuid,
      fulfillment_status: 'fulfilled',
      tracking: { company: 'Facet Express', number: 'FX-9' },
    })
    const refused = await run('order', 'cancel', uuid)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('possible: return, convert')
    const returned = await run('order', 'return', uuid)
    expect([returned.code, returned.stdout]).toEqual([0, expect.stringContaining('returned')])
    expect(await market.stateOf(sku)).toEqual({ state: 'available', quantity: 1 })
  })

  it('records the answers of suppliers', async () => {
    const supplier = await run('supplier', 'set', 'Test Stones', '--confirms', 'yes', '--json')
    expect(JSON.parse(supplier.stdout)).toMatchObject({ confirms: true, ships: false })
    const skus = [await addStone(market.database.db), await addStone(market.database.db)]
    const { body } = await market.place(skus)
    const waiting = await run('order', 'list', '--unconfirmed', '--json')
    expect(JSON.parse(waiting.stdout)).toMatchObject([{ uuid: body.uuid, confirmation: null }])
    const line = body.line_items[0].uuid
    const confirmed = await run('order', 'confirm', body.order_id, '--line', line, '--json')
    expect(JSON.parse(confirmed.stdout)).toMatchObject({ confirmation: 'partial' })
    expect((await run('order', 'decline', body.uuid)).code).toBe(2)
    const declined = await run('order', 'decline', body.order_id, '--reason', 'sold elsewhere')
    expect([declined.code, declined.stdout]).toEqual([0, expect.stringContaining('declined')])
    expect(await market.stateOf(skus[1])).toEqual({ state: 'gone', quantity: 0 })
    expect((await run('supplier', 'set', 'Test Stones', '--confirms', 'no')).code).toBe(0)
    expect((await run('supplier', 'set', 'Test Stones', '--confirms', 'maybe')).code).toBe(2)
  })

  it('lists what is on memo, and extends a memo', async () => {
    const { uuid, order_id, sku } = await placedMemo()
    const { email } = market.buyer.merchant
    const listed = await run('memo', 'list', '--merchant', email, '--json')
    const { memos, totals } = JSON.parse(listed.stdout)
    expect(memos).toMatchObject([{ order_uuid: uuid, sku, days_left: 14, bucket: 'current' }])
    expect(totals).toMatchObject({ current: 1700, '1-30': 0 })
    const extended = await run('order', 'extend', order_id, '--days', '7', '--json')
    expect(JSON.parse(extended.stdout).events).toMatchObject([{ event_type: 'order.memo.extend' }])
    expect((await run('order', 'extend', uuid, '--days', '0')).code).toBe(2)
    expect((await run('memo', 'list', '--overdue')).stdout).toContain('Nothing is out on memo')
    expect((await run('order', 'return', uuid)).code).toBe(0)
  })

  it('lists overdue memos, and refuses a name that no order has', async () => {
    const { uuid } = await placedMemo()
    await placedMemo()
    await sql`update orders set memo_due_date = now() - interval '1 day'
      where uuid = ${uuid}`.execute(market.database.db)
    const overdue = await run('order', 'list', '--overdue', '--json')
    const uuids = JSON.parse(overdue.stdout).map((order: { uuid: string }) => order.uuid)
    expect(uuids).toEqual([uuid])
    // An order can be named by its number, so the usage is right.
    expect((await run('order', 'show', 'nonsense')).code).toBe(1)
  })

  it('finds an order whose number is a UUID, as many shops give them', async () => {
    const order_id = '7F1C2D5E-0b3a-4c6d-8e9f-0a1b2c3d4e5f'
    const sku = await addStone(market.database.db)
    const { body } = await market.place([sku], { body: { order_id } })
    const shown = await run('order', 'show', order_id, '--json')
    expect(JSON.parse(shown.stdout)).toMatchObject({ uuid: body.uuid, order_id })
    expect((await run('order', 'show', order_id.toLowerCase())).code).toBe(1)
  })
})

describe('pavilion webhook', () => {
  it('adds, lists and removes', async () => {
    const { email } = market.buyer.merchant
    const refused = await run('webhook', 'add', '--merchant', email, '--url', 'https://10.0.0.1')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('public internet')])
    const url = 'http://hooks.lan:8080/in'
    const options = ['--merchant', email, '--url', url, '--event', 'order.pay']
    const added = await run('webhook', 'add', ...options, '--json')
    const { uuid, secret } = JSON.parse(added.stdout)
    expect(secret).toMatch(/^whsec_/)
    const listed = await run('webhook', 'list', '--merchant', email, '--json')
    expect(JSON.parse(listed.stdout)).toMatchObject([{ uuid, url, event_types: ['order.pay'] }])
    expect((await run('webhook', 'remove', uuid)).code).toBe(0)
  })
})
