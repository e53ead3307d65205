import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listMails } from '../../src/notices/outbox/mail-store.ts'
import { eventually } from '../events/webhook-support.ts'
import { type MailServer, openMailServer } from './mail-server.ts'
import {
  htmlPart,
  type NoticeMarket,
  openNoticeMarket,
  textPart,
  withoutIds,
} from './notice-support.ts'

let server: MailServer
let market: NoticeMarket
beforeAll(async () => {
  server = await openMailServer()
  market = await openNoticeMarket(server)
})
afterAll(async () => {
  await market.close()
  await server.close()
})
beforeEach(async () => {
  await market.tell()
  await settled()
  const { db } = market.database
  await sql`delete from notice`.execute(db)
  await sql`delete from notice_setting`.execute(db)
  server.received.length = 0
})
afterEach(() => sql`update app_user set active = true`.execute(market.database.db))

/** Everything that is to be mailed is mailed. */
async function settled() {
  await market.tell()
  const { db } = market.database
  await eventually(
    async () => {
      const { rows } = await sql<{ left: number }>`
        select (select count(*) from notice_recipient where mailed_on is null)
          + (select count(*) from mail where state = 'pending') as left`.execute(db)
      return rows[0].left
    },
    (left) => left === 0,
  )
}

const mailsTo = (name: string) =>
  server.received.filter(({ to }) => to === `${name}@people.example`)
const recipients = () => server.received.map(({ to }) => to.split('@')[0]).toSorted()

async function order(...skus: string[]) {
  const placed = await market.place(skus, { version: 'v3' })
  expect(placed.status, placed.text).toBe(200)
  return placed.body as { uuid: string; external_order_id: string }
}

const settings = (method: string, side: string, token: string, body?: object) =>
  market.call(method, `/api/${side}/notifications`, { token, ...(body && { body }) })

describe('the e-mails of an order', () => {
  it('go once to the users that it concerns, in text and HTML', async () => {
    const sku = await market.stone(market.confirming)
    const { uuid, external_order_id } = await order(sku)
    await settled()
    const page = `https://gems.example/orders/${external_order_id}`
    expect(recipients()).toEqual(['buyer', 'confirming', 'sales'])
    const [mail] = mailsTo('buyer')
    expect(mail.header('subject')).toBe(`Order ${external_order_id} was placed`)
    expect(textPart(mail)).toContain(page)
    expect(textPart(mail)).toContain(sku)
    expect(htmlPart(mail)).toContain(`href="${page}"`)
    expect(htmlPart(mail)).not.toMatch(/<img|url\(|<script|<link/)
    const [supplied] = mailsTo('confirming')
    expect(textPart(supplied)).toContain(`https://gems.example/supplier/orders/${uuid}`)
  })

  it('tell a supplier nothing about the merchant, its prices or its number', async () => {
    const { external_order_id } = await order(await market.stone(market.confirming))
    await settled()
    const [mail] = mailsTo('confirming')
    const text = `${mail.header('subject')} ${textPart(mail)} ${htmlPart(mail)}`
    const { uuid, email } = market.buyer.merchant
    for (const secret of ['Facet', external_order_id, '$', uuid, email]) {
      expect(text).not.toContain(secret)
    }
    for (const price of ['1700', '1,700', '1600']) {
      expect(withoutIds(text)).not.toContain(price)
    }
  })

  it('are one where many come together', async () => {
    const skus = await Promise.all(Array.from({ length: 40 }, () => market.stone()))
    await Promise.all(skus.map((sku) => order(sku)))
    await settled()
    const mails = mailsTo('buyer')
    expect(mails.length).toBeLessThan(15)
    const texts = mails.map(textPart).join()
    const digest = mails.find((mail) => /^\d+ notices: /.test(mail.header('subject') ?? ''))
    expect(digest && htmlPart(digest).match(/<h2/g)?.length).toBeGreaterThan(1)
    const told = (texts.match(/We received order/g) ?? []).length
    const more = [...texts.matchAll(/(\d+) more notices? in/g)].map(([, number]) => Number(number))
    expect(told + more.reduce((sum, number) => sum + number, 0)).toBe(40)
  })

  it('do not go to users who were deactivated', async () => {
    await sql`update app_user set active = false where name = 'sales'`.execute(market.database.db)
    await order(await market.stone())
    await settled()
    expect(recipients()).toEqual(['buyer', 'plain'])
  })
})

describe('the settings', () => {
  it('are all on, and a user switches single kinds off and on', async () => {
    const session = market.sessions.buyer
    const before = await settings('GET', 'v3', session)
    expect(Object.values(before.body).every(Boolean)).toBe(true)
    expect(Object.keys(before.body)).toContain('order_placed')
    const off = await settings('PUT', 'v3', session, { order_placed: false, memo_due: false })
    expect(off.body).toEqual({ ...before.body, order_placed: false, memo_due: false })
    await order(await market.stone())
    await settled()
    expect(recipients()).toEqual(['plain', 'sales'])
    const on = await settings('PUT', 'v3', session, { order_placed: true })
    expect(on.body).toEqual({ ...before.body, memo_due: false })
    await order(await market.stone())
    await settled()
    expect(mailsTo('buyer')).toHaveLength(1)
  })

  it('of a key are for the users who have not decided themselves', async () => {
    const { key } = market.buyer
    const session = market.sessions.buyer
    await settings('PUT', 'v3', key, { order_placed: false, order_shipped: false })
    expect((await settings('GET', 'v3', session)).body.order_placed).toBe(false)
    await settings('PUT', 'v3', session, { order_placed: true })
    const { body } = await settings('GET', 'v3', session)
    expect(body).toMatchObject({ order_placed: true, order_shipped: false })
    expect((await settings('GET', 'v3', key)).body.order_placed).toBe(false)
    await order(await market.stone())
    await settled()
    expect(mailsTo('buyer')).toHaveLength(1)
  })

  it('of all users are not changed by a key that only reads', async () => {
    const { merchant } = market.buyer
    const { token } = await market.token({
      merchant_uuid: merchant.uuid,
      scopes: ['orders:read', 'settings:read'],
    })
    const refused = await settings('PUT', 'v3', token, { order_placed: false })
    expect(refused).toMatchObject({ status: 403, body: { code: 'missing_scope' } })
    expect((await settings('GET', 'v3', token)).body.order_placed).toBe(true)
  })

  it('have the kinds of each side, and refuse others', async () => {
    const operator = await settings('PUT', 'operator', market.sessions.sales, {
      quote_requested: false,
    })
    expect(operator.body).toMatchObject({ quote_requested: false, feed_failing: true })
    const supplier = await settings('PUT', 'supplier', market.sessions.plain, {
      order_placed: false,
    })
    expect(supplier.body).toEqual({
      order_placed: false,
      order_cancelled: true,
      feed_failing: true,
    })
    const wrong = await settings('PUT', 'v3', market.sessions.buyer, { feed_failing: false })
    expect(wrong.status).toBe(422)
    const text = await settings('PUT', 'v3', market.sessions.buyer, { order_placed: 'no' })
    expect(text.status).toBe(422)
    await order(await market.stone(market.plain))
    await settled()
    expect(recipients()).toEqual(['buyer', 'sales'])
  })
})

describe('the link in an e-mail', () => {
  async function linkOf(name: string) {
    const [mail] = mailsTo(name)
    const url = /<(.+)>/.exec(mail.header('list-unsubscribe') ?? '')?.[1] ?? ''
    expect(textPart(mail)).toContain(url)
    expect(mail.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    return url.replace('https://gems.example', '')
  }
  const open = (method: 'GET' | 'POST', url: string) =>
    market.app.inject({
      method,
      url,
      ...(method === 'POST' && {
        payload: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    })

  it('asks first, and stops the kind when its button is pressed, without signing in', async () => {
    await order(await market.stone())
    await settled()
    const link = await linkOf('buyer')
    const page = await open('GET', link)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('buyer@people.example gets e-mails about orders that are placed.')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    const kinds = async () => (await settings('GET', 'v3', market.sessions.buyer)).body
    expect((await kinds()).order_placed).toBe(true)
    const done = await open('POST', link)
    expect(done.body).toContain('gets no more e-mails about orders that are placed')
    expect(await kinds()).toMatchObject({ order_placed: false, order_shipped: true })
    expect((await open('POST', link)).statusCode).toBe(200)
    server.received.length = 0
    await order(await market.stone())
    await settled()
    expect(recipients()).toEqual(['plain', 'sales'])
  })

  it('is accepted as a form of several parts, and unknown links change nothing', async () => {
    await order(await market.stone())
    await settled()
    const link = await linkOf('sales')
    const parts = await market.app.inject({
      method: 'POST',
      url: link,
      payload:
        '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(parts.statusCode).toBe(200)
    const { body } = await settings('GET', 'operator', market.sessions.sales)
    expect(body).toMatchObject({ order_placed: false, order_declined: true })
    expect((await open('POST', '/unsubscribe/unknown?kinds=order_placed')).statusCode).toBe(404)
    expect((await open('GET', "/unsubscribe/'%22%3Cscript%3E")).body).not.toContain('<script')
  })
})

describe("the operator's list of e-mails", () => {
  it('shows what became of them without their texts, and sends one again', async () => {
    server.refuse = (to) => (to.startsWith('sales') ? 550 : undefined)
    await order(await market.stone())
    await settled()
    const list = (query = '') =>
      market.call('GET', `/api/operator/mails${query}`, { token: market.adminKey })
    const { body } = await list('?state=failed')
    expect(body.total).toBe(1)
    expect(body.mails[0]).toMatchObject({
      kind: 'order_placed',
      recipient: 'sales@people.example',
      state: 'failed',
      last_status: 550,
      due_on: null,
    })
    expect(JSON.stringify((await list()).body)).not.toContain('unsubscribe')
    server.refuse = () => undefined
    const retried = await market.operate(`/mails/${body.mails[0].uuid}/retry`)
    expect(retried).toMatchObject({ status: 200, body: { state: 'pending' } })
    await settled()
    expect(mailsTo('sales')).toHaveLength(1)
    const again = await market.operate(`/mails/${body.mails[0].uuid}/retry`)
    expect(again).toMatchObject({ status: 404 })
    const { mails } = await listMails(market.database.db, { limit: 1, offset: 0, state: 'failed' })
    expect(mails).toEqual([])
  })
})
