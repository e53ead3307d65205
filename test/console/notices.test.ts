import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAllNotices } from '../notices/notice-support.ts'
import {
  type ConsoleMarket,
  GERMAN_NARROW,
  hasChromium,
  openConsoleMarket,
  type Tab,
  visit,
} from '../support/browser.ts'
import { untranslatedOn } from './untranslated.ts'

/** Notices as their readers see them: written in the reader's language, on each side. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let order: { uuid: string; order_id: string; sku: string }

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  order = await tellOfEverything()
}, TIMEOUT_MS)
afterAll(() => market?.close())

const request = async (key: string, method: string, path: string, body?: unknown) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  (await market.call(key, method, path, body)).json() as Promise<any>

/** An order and its end, and an event of each other kind; then the notices of all of them. */
async function tellOfEverything() {
  const { merchantKey, supplierKey } = market.keys
  const { db } = market.database
  const own = '/api/supplier/inventory?state=available&product_type=diamond&limit=1'
  const [{ sku }] = (await request(supplierKey, 'GET', own)).stones
  const line_items = [{ sku, quantity: 1 }]
  const placed = await request(merchantKey, 'POST', '/api/v2/orders/place', {
    order_type: 'invoice',
    line_items,
  })
  const reason = { reason: 'The customer of the shop changed the plan' }
  await request(merchantKey, 'POST', `/api/v3/orders/${placed.uuid}/cancel`, reason)
  const { rows } = await sql<{ merchant_uuid: string }>`
    select merchant_uuid from orders where uuid = ${placed.uuid}`.execute(db)
  const [{ merchant_uuid }] = rows
  const events: [string, object][] = [
    ['search.match', { saved_search_uuid: 'x', name: 'The best of all', skus: [sku], more: 1200 }],
    ['watch.change', { stones: [{ sku, change: 'price_down' }] }],
    ['hold.ending', { sku, expires_on: '2026-12-24T17:30:00.000000+00:00' }],
    ['enquiry.create', { sku, name: 'Ada', email: 'ada@example.com', message: 'Is it for me?' }],
    [
      'quote.decline',
      { line_items: [{ sku, quantity: 2, wholesale_price: 900, offer_price: 800 }] },
    ],
  ]
  for (const [at, [type, data]] of events.entries()) {
    await sql`insert into event (uuid, merchant_uuid, sequence, event_type, event_data)
      values (gen_random_uuid(), ${merchant_uuid}, ${1_000_000 + at}, ${type},
        ${JSON.stringify(data)}::jsonb)`.execute(db)
  }
  await makeAllNotices(db)
  // As versions before wrote them.
  await sql`update notice set content = content - 'details' where kind = 'enquiry'`.execute(db)
  return { uuid: placed.uuid, order_id: placed.order_id, sku }
}

/** Opens the notices of a side in German and returns the text of each. */
async function textsOf(path: string, key: string): Promise<[Tab, string[]]> {
  const tab = await market.signIn(key, GERMAN_NARROW)
  await visit(tab, path)
  const texts = await tab.page.locator('main li.panel').allInnerTexts()
  return [tab, texts.map((text) => text.replaceAll(/\s+/g, ' '))]
}

describe.skipIf(!hasChromium)('notices in German', () => {
  it('are written from their data, with German numbers and times', async () => {
    const [{ page }, texts] = await textsOf('/notices', market.keys.merchantKey)
    const all = texts.join('\n')
    const { order_id, sku } = order
    expect(all).toContain(`Bestellung ${order_id} ist eingegangen`)
    expect(all).toContain(`Bestellung ${order_id}: 1 Artikel storniert`)
    expect(all).toContain('Grund: The customer of the shop changed the plan.')
    expect(all).toContain('1.201 Steine für „The best of all“')
    expect(all).toContain('und 1.200 weitere')
    expect(all).toContain(`${sku} kostet jetzt weniger`)
    expect(all).toMatch(/Ihre Reservierung endet am 24\.12\.2026, \d\d:30\./)
    expect(all).toContain(`${sku} (2 Stück) Preis 900,00 $, vorgeschlagen 800,00 $`)
    expect(await untranslatedOn(page)).toEqual([])
  })

  it('that were written without data stay in English, and say so', async () => {
    const [{ page }] = await textsOf('/notices?kind=enquiry', market.keys.merchantKey)
    const old = page.locator('main li.panel h2 [lang="en"]')
    expect(await old.innerText()).toBe(`A visitor asks about ${order.sku}`)
  })

  it('tell the operator the merchant, and the supplier the time of the order', async () => {
    const [operator, told] = await textsOf('/operator/notices', market.keys.adminKey)
    expect(told.join('\n')).toMatch(new RegExp(`hat Bestellung ${order.order_id} aufgegeben`))
    expect(await untranslatedOn(operator.page)).toEqual([])
    const [supplier, supplied] = await textsOf('/supplier/notices', market.keys.supplierKey)
    const all = supplied.join('\n')
    expect(all).not.toContain(order.uuid)
    const time = /Die Bestellung vom (.+?) enthält 1 Position von Ihnen\./.exec(all)?.[1] ?? ''
    expect(await untranslatedOn(supplier.page)).toEqual([])
    await visit(supplier, `/supplier/orders/${order.uuid}`)
    await supplier.page
      .getByRole('heading', { name: `Bestellung vom ${time}`, exact: true })
      .waitFor()
  })
})
