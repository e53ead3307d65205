import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addParcel,
  addStone,
  addStones,
  type OrderMarket,
  openOrderMarket,
} from '../order-support.ts'
import {
  documentsOf,
  download,
  pagesOf,
  setSettings,
  step,
  TRACKING,
  textOf,
} from './document-support.ts'

let market: OrderMarket
const year = new Date().getUTCFullYear()

beforeAll(async () => {
  market = await openOrderMarket()
  await setSettings(market, {
    'seller.name': 'Demo Gems',
    'seller.address': '48 Market Street\nNew York, NY 10036',
    'seller.tax_number': 'US 98-7654321',
    'seller.bank': 'Example Bank\nAccount 000123456',
    'document.invoice_note': 'Thank you for your order.',
  })
})
afterAll(() => market.close())

async function placeStone(fields: object = {}, body: object = {}): Promise<string> {
  const sku = await addStone(market.database.db, fields)
  const placed = await market.place([sku], { body: { ...body } })
  expect(placed.status, placed.text).toBe(200)
  return placed.body.uuid
}

describe('the invoice of an order', () => {
  it('is issued at the first shipment, with the facts of the stone and all sums', async () => {
    const sku = await addStone(market.database.db, {
      length: '7.4',
      width: '7.36',
      depth: '4.55',
      cut_grade: 'EX',
    })
    const { body: placed } = await market.place([sku], {
      body: { order_reference: 'Anniversary ring', order_id: 'PO-17' },
    })
    expect(await documentsOf(market, placed.uuid, market.buyer.key)).toEqual([])
    await step(market, placed.uuid, 'fulfill', TRACKING)
    const documents = await documentsOf(market, placed.uuid, market.buyer.key)
    expect(documents.map(({ kind }) => kind)).toEqual(['packing_slip', 'invoice'])
    const [, invoice] = documents
    expect(invoice.number).toMatch(new RegExp(`^INV-${year}-\\d{6}$`))
    const pages = await pagesOf(market, placed.uuid, 'invoice', market.buyer.key)
    expect(pages).toHaveLength(1)
    for (const text of [
      invoice.number,
      'Invoice',
      'Demo Gems',
      '48 Market Street',
      'US 98-7654321',
      'Account 000123456',
      'Thank you for your order.',
      'Facet Street',
      'PO-17',
      'Anniversary ring',
      '30 days net',
      sku,
      '1.52 ct round natural diamond',
      'Color F · Clarity VS1 · Cut EX',
      '7.40 × 7.36 × 4.55 mm · GIA 22',
      '1,700.00',
      'Total USD 1,700.00',
      'Balance due 1,700.00',
      'Page 1 of 1',
    ]) {
      expect(pages[0]).toContain(text)
    }
    expect(pages[0]).not.toContain('TEST')
  })

  it('keeps its number and its bytes for ever, also on another node', async () => {
    const uuid = await placeStone()
    const { documents } = await step(market, uuid, 'invoice')
    const path = `/api/v3/orders/${uuid}/documents/invoice.pdf`
    const first = await download(market, path, market.buyer.key)
    expect(first.headers['content-type']).toBe('application/pdf')
    expect(first.headers['content-disposition']).toContain(documents[0].number)
    await setSettings(market, { 'seller.name': 'Another Name' })
    await step(market, uuid, 'fulfill', TRACKING)
    await step(market, uuid, 'invoice')
    const second = await download(market, path, market.buyer.key)
    const byOperator = await download(
      market,
      `/api/operator/orders/${uuid}/documents/invoice/${documents[0].number}.pdf`,
      market.adminKey,
    )
    await setSettings(market, { 'seller.name': 'Demo Gems' })
    expect(second.bytes.equals(first.bytes)).toBe(true)
    expect(byOperator.bytes.equals(first.bytes)).toBe(true)
    expect((await textOf(first.bytes))[0]).toContain('Demo Gems')
  })

  it('is not sent again to a caller that has it', async () => {
    const uuid = await placeStone()
    await step(market, uuid, 'invoice')
    const path = `/api/v3/orders/${uuid}/documents/invoice.pdf`
    const { headers } = await download(market, path, market.buyer.key)
    const again = await download(market, path, market.buyer.key, {
      'if-none-match': String(headers.etag),
    })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
  })

  it('has many pages for 200 lines, each with the header of the table', async () => {
    const skus = await addStones(market.database.db, 200)
    const { body: placed } = await market.place(skus)
    await step(market, placed.uuid, 'invoice')
    const pages = await pagesOf(market, placed.uuid, 'invoice', market.buyer.key)
    expect(pages.length).toBeGreaterThan(10)
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
      expect(page).toContain('DESCRIPTION')
    }
    const text = pages.join(' ')
    for (const sku of skus) expect(text).toContain(sku)
    expect(text).toContain('Total USD 340,000.00')
  })

  it('shows charges, payments and the balance', async () => {
    const rule = (kind: 'shipping' | 'discount', label: string, amount: string) => ({
      uuid: randomUUID(),
      country_code: 'FR',
      kind,
      label,
      amount,
      percent: null,
    })
    await market.database.db
      .insertInto('charge_rule')
      .values([
        rule('shipping', 'Shipping and insurance', '45'),
        rule('discount', 'Loyalty discount', '20.50'),
      ])
      .execute()
    const { key } = await market.merchant({ country_code: 'FR' })
    const sku = await addStone(market.database.db)
    const { body: placed } = await market.place([sku], { by: key })
    await step(market, placed.uuid, 'pay')
    await step(market, placed.uuid, 'invoice')
    const [page] = await pagesOf(market, placed.uuid, 'invoice', key)
    expect(page).toContain('Goods 1,600.00 Shipping and insurance 45.00 Loyalty discount −20.50')
    expect(page).toContain('Total USD 1,624.50 Paid −1,624.50 Balance due 0.00')
  })

  it('adds up where the price of a melee stone has four decimals', async () => {
    const sku = await addParcel(market.database.db, 1000, { weight: '0.0025' })
    const { body: placed } = await market.place([], {
      body: { line_items: [{ sku, quantity: 333 }] },
    })
    await step(market, placed.uuid, 'invoice')
    const [page] = await pagesOf(market, placed.uuid, 'invoice', market.buyer.key)
    // 333 x 1.625 is 541.125.
    expect(page).toContain('333 1.6250 541.13')
    expect(page).toContain('Total USD 541.13')
  })

  it('has names in Greek and Cyrillic letters', async () => {
    const { key } = await market.merchant({
      legal_dba: 'Κοσμήματα Αφροδίτη',
      first_name: 'Ювелирный',
      last_name: 'дом Żółć Ğüş',
    })
    const sku = await addStone(market.database.db)
    const { body: placed } = await market.place([sku], { by: key })
    await step(market, placed.uuid, 'invoice')
    const [page] = await pagesOf(market, placed.uuid, 'invoice', key)
    expect(page).toContain('Κοσμήματα Αφροδίτη')
    expect(page).toContain('Ювелирный дом Żółć Ğüş')
  })

  it('covers what was not cancelled before it', async () => {
    const skus = await addStones(market.database.db, 2)
    const { body: placed } = await market.place(skus)
    const [first] = placed.line_items
    await step(market, placed.uuid, 'cancel', { line_items: [{ uuid: first.uuid, quantity: 1 }] })
    await step(market, placed.uuid, 'invoice')
    const [page] = await pagesOf(market, placed.uuid, 'invoice', market.buyer.key)
    expect(page).not.toContain(skus[0])
    expect(page).toContain('Total USD 1,700.00')
    const kinds = (await documentsOf(market, placed.uuid, market.buyer.key)).map(({ kind }) => kind)
    expect(kinds).toEqual(['invoice'])
  })

  it('is marked as a test when the order is one', async () => {
    const { key } = await market.merchant({ test: true })
    const sku = await addStone(market.database.db)
    const { body: placed } = await market.place([sku], { by: key })
    await step(market, placed.uuid, 'invoice')
    const [page] = await pagesOf(market, placed.uuid, 'invoice', key)
    expect(page).toContain('TEST: not a valid document')
  })
})

describe('POST /api/operator/orders/:uuid/invoice', () => {
  const invoice = (uuid: string, token = market.adminKey) =>
    market.call('POST', `/api/operator/orders/${uuid}/invoice`, { token })

  it('emits one event, and keeps the invoice when it is called again', async () => {
    const uuid = await placeStone()
    const first = await invoice(uuid)
    const second = await invoice(uuid)
    expect(second.body.documents).toEqual(first.body.documents)
    expect(second.body.due_on).toBe(first.body.due_on)
    const events = second.body.events.map(({ event_type }: { event_type: string }) => event_type)
    expect(events).toEqual(['order.invoice'])
    expect(second.body.events[0].event_data.number).toBe(first.body.documents[0].number)
  })

  it('refuses a memo, an order without goods and an unknown one', async () => {
    const memo = await placeStone({}, { order_type: 'memo' })
    const refused = await invoice(memo)
    expect([refused.status, refused.body.code]).toEqual([409, 'wrong_state'])
    expect(refused.body.detail).toContain('A memo is invoiced when it is converted')
    const cancelled = await placeStone()
    await step(market, cancelled, 'cancel')
    expect((await invoice(cancelled)).status).toBe(409)
    expect((await invoice('0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90')).status).toBe(404)
  })
})
