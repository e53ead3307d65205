import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  hasChromium,
  NARROW,
  openConsoleMarket,
  settled,
  type Tab,
  violationsOn,
  visit,
} from '../support/browser.ts'

/** Orders, quotes, returns, memos and merchants, worked to the end by the operator. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let tab: Tab
let merchantUuid: string
let supplierUuid: string
let skus: string[]

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  tab = await market.signIn(market.keys.adminKey)
  const filters = { memo: true, weight_min: 0.5 }
  const search = { filters, limit: 100 }
  const { gems } = await merchant('POST', '/api/v2/diamonds/merchant_search', search)
  // Stones of one supplier, which has to confirm its orders from now on.
  const { suppliers } = await operator('GET', '/api/operator/suppliers')
  const owners = await Promise.all(gems.map(({ sku }: { sku: string }) => supplierOf(sku)))
  const [chosen] = [...new Set(owners)]
    .map((name) => [name, owners.filter((each) => each === name).length] as const)
    .sort(([, one], [, other]) => other - one)[0]
  skus = gems
    .map(({ sku }: { sku: string }) => sku)
    .filter((_: string, at: number) => owners[at] === chosen)
  supplierUuid = suppliers.find(({ name }: { name: string }) => name === chosen).uuid
  await operator('PATCH', `/api/operator/suppliers/${supplierUuid}`, { confirms: true })
  const { orders } = await operator('GET', '/api/operator/orders?limit=1')
  const session = await merchant('GET', '/api/v3/session')
  merchantUuid = session.merchant?.uuid ?? orders[0].merchant_uuid
}, TIMEOUT_MS)
afterAll(() => market?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
type Json = any

async function request(key: string, method: string, path: string, body?: unknown): Promise<Json> {
  const response = await market.call(key, method, path, body)
  const json = response.status === 204 ? undefined : await response.json()
  expect([path, response.status < 300 ? 'done' : json]).toEqual([path, 'done'])
  return json
}
const operator = (method: string, path: string, body?: unknown) =>
  request(market.keys.adminKey, method, path, body)
const merchant = (method: string, path: string, body?: unknown) =>
  request(market.keys.merchantKey, method, path, body)

async function supplierOf(sku: string): Promise<string> {
  const { gems } = await operator('GET', `/api/operator/inventory/gems?q=${sku}&limit=1`)
  return gems[0].supplier
}

const take = (count: number) => skus.splice(0, count)

async function place(order_type: 'invoice' | 'memo', taken: string[], more = {}): Promise<Json> {
  const line_items = taken.map((sku) => ({ sku, quantity: 1 }))
  return merchant('POST', '/api/v2/orders/place', { order_type, line_items, ...more })
}

const readOrder = (uuid: string) => operator('GET', `/api/operator/orders/${uuid}`)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (page: Page, name: string) => button(page, name).and(page.locator('dialog button'))

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await page.getByRole('dialog').getByLabel(label, { exact: true }).fill(value)
  }
}

describe.skipIf(!hasChromium)("the operator's order page", { timeout: TIMEOUT_MS }, () => {
  it('shows supplier, cost and profit of each line, and leads to the merchant', async () => {
    const { page } = tab
    const [sku] = take(1)
    const { uuid } = await place('invoice', [sku])
    const { line_items } = await readOrder(uuid)
    const { price, product_data } = line_items[0]
    const profit = price - product_data.fields.cost
    await visit(tab, `/operator/orders/${uuid}`)
    await page.getByRole('link', { name: await supplierOf(sku), exact: true }).waitFor()
    const row = page.getByRole('row').filter({ hasText: sku })
    const text = await row.innerText()
    expect(text).toContain(product_data.fields.vendor_sku)
    expect(text).toContain(`$${profit.toLocaleString('en-US', { minimumFractionDigits: 2 })}`)
    expect(await row.getByText('Waiting', { exact: true }).count()).toBe(1)
    const lead = page.locator('.page-lead a')
    expect(await lead.getAttribute('href')).toBe(`/operator/merchants/${merchantUuid}`)
  })

  it('is read again when a step is refused, because others have changed the order', async () => {
    const { page } = tab
    const { uuid } = await place('invoice', take(1))
    await visit(tab, `/operator/orders/${uuid}`)
    await button(page, 'Confirm').click()
    await merchant('POST', `/api/v3/orders/${uuid}/cancel`, {})
    await inDialog(page, 'Confirm').click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await inDialog(page, 'Close').click()
    await page.getByText('cancelled', { exact: true }).first().waitFor()
    await expect.poll(() => button(page, 'Confirm').count()).toBe(0)
    expect(await button(page, 'Cancel order').count()).toBe(0)
  })

  it('confirms and declines lines, charges, invoices, ships and is paid in parts', async () => {
    const { page } = tab
    const [kept, declined, later] = take(3)
    const { uuid } = await place('invoice', [kept, declined, later])
    await visit(tab, `/operator/orders/${uuid}`)
    await button(page, 'Decline').click()
    expect(await inDialog(page, 'Decline').isDisabled()).toBe(true)
    await page.getByRole('dialog').locator('label', { hasText: declined }).click()
    await fill(page, { Reason: 'sold in the shop' })
    await inDialog(page, 'Decline').click()
    await page.getByText(/^Declined [A-Z]/).waitFor()
    // Similar stones lead to their pages in the stock, which are the operator's.
    const similar = page.locator('.timeline a').first()
    expect(await similar.getAttribute('href')).toMatch(/^\/operator\/stock\/[A-Z0-9]+$/)
    await button(page, 'Confirm').click()
    await inDialog(page, 'Confirm').click()
    await page.getByText('by the operator', { exact: true }).first().waitFor()
    expect(await button(page, 'Confirm').count()).toBe(0)
    expect(await button(page, 'Decline').count()).toBe(0)
    await setCharge(page, 'Insured shipping', '45')
    await button(page, 'Issue invoice').click()
    await inDialog(page, 'Issue invoice').click()
    await page.getByRole('button', { name: /^Invoice INV-/ }).waitFor()
    // What is invoiced is final.
    expect(await button(page, 'Charges').count()).toBe(0)
    expect(await button(page, 'Issue invoice').count()).toBe(0)
    await shipAllBut(page, later)
    await page.getByText('partially shipped', { exact: true }).waitFor()
    const slip = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Packing slip PS-/ }).click()
    expect((await slip).suggestedFilename()).toMatch(/^PS-\d{6}\.pdf$/)
    await payInParts(page, uuid)
    const order = await readOrder(uuid)
    expect(order.balance).toBe(-1)
    expect(order.payments).toMatchObject([{ amount: 100, method: 'wire', reference: 'TRX-1' }, {}])
    const timeline = await page.locator('.timeline').innerText()
    expect(timeline).toMatch(/Declined[\s\S]*sold in the shop[\s\S]*Charges[\s\S]*Shipped/)
    expect(await violationsOn(page)).toEqual([])
  })

  it('extends a memo, records a return of a part, and converts the rest', async () => {
    const { page } = tab
    const [kept, back] = take(2)
    const { uuid } = await place('memo', [kept, back])
    const { memo_due_date } = await readOrder(uuid)
    await visit(tab, `/operator/orders/${uuid}`)
    expect(await button(page, 'Record payment').count()).toBe(0)
    await button(page, 'Extend').click()
    await fill(page, { Days: '10' })
    await inDialog(page, 'Extend').click()
    await page.getByText('The memo is extended.', { exact: true }).waitFor()
    const extended = await readOrder(uuid)
    const days = (Date.parse(extended.memo_due_date) - Date.parse(memo_due_date)) / 86_400_000
    expect(Math.round(days)).toBe(10)
    await button(page, 'Record return').click()
    const line = page.getByRole('dialog').locator('label', { hasText: kept })
    await line.locator('input').fill('0')
    await line.locator('input').blur()
    await inDialog(page, 'Confirm return').click()
    await page.getByText('1 returned', { exact: true }).waitFor()
    await button(page, 'Convert to invoice').click()
    await inDialog(page, 'Convert').click()
    await page.getByRole('button', { name: /^Invoice INV-/ }).waitFor()
    await button(page, 'Record payment').waitFor()
    expect(await readOrder(uuid)).toMatchObject({ order_type: 'invoice' })
    expect(tab.problems).toEqual([])
  })

  it('exports the orders that are filtered, and no cell of the file is a formula', async () => {
    const { page } = tab
    const [sku] = take(1)
    const { order_id } = await place('invoice', [sku], { order_reference: '=1+1' })
    await visit(tab, `/operator/orders?q=${encodeURIComponent(order_id)}`)
    const rows = await exported(page, 'orders.csv')
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatch(/^\uFEFFOrder,Reference,Merchant,/)
    expect(rows[1]).toContain(`${order_id},'=1+1,`)
    expect(rows[1]).toContain(sku)
    await page.getByLabel('Waiting for a supplier', { exact: true }).check()
    await page.getByRole('link', { name: order_id, exact: true }).waitFor()
  })
})

describe.skipIf(!hasChromium)('on a phone, in the dark', { timeout: TIMEOUT_MS }, () => {
  it('the dialogs of an order fit, and axe finds nothing in them', async () => {
    const { uuid } = await place('invoice', take(2))
    const phone = await market.signIn(market.keys.adminKey, NARROW)
    const { page } = phone
    await visit(phone, `/operator/orders/${uuid}`)
    for (const name of ['Confirm', 'Ship', 'Record payment', 'Charges', 'Decline']) {
      await button(page, name).click()
      await page.getByRole('dialog').waitFor()
      if (name === 'Charges') await inDialog(page, 'Add charge').click()
      const width = await page.evaluate<number>(
        "Math.max(...['html', 'dialog'].map((name) => document.querySelector(name).scrollWidth))",
      )
      expect([name, width <= NARROW.width]).toEqual([name, true])
      expect(await violationsOn(page), name).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(phone.problems).toEqual([])
  })
})

async function setCharge(page: Page, label: string, amount: string): Promise<void> {
  await button(page, 'Charges').click()
  await inDialog(page, 'Add charge').click()
  await fill(page, { 'Label on the invoice': label, 'Amount in USD': amount })
  await inDialog(page, 'Save charges').click()
  await page.locator('.price-steps').getByText(label).waitFor()
}

async function shipAllBut(page: Page, sku: string): Promise<void> {
  await button(page, 'Ship').click()
  const line = page.getByRole('dialog').locator('label', { hasText: sku }).locator('input')
  await line.fill('0')
  await line.blur()
  await fill(page, { Carrier: 'Facet Express', 'Tracking number': 'FX-9' })
  await inDialog(page, 'Confirm shipment').click()
}

/** A part of it first, then one dollar too much, which has to be meant. */
async function payInParts(page: Page, uuid: string): Promise<void> {
  await button(page, 'Record payment').click()
  await fill(page, { 'Amount in USD': '100', Method: 'wire', Reference: 'TRX-1' })
  await inDialog(page, 'Record payment').click()
  await page.locator('.price-steps').getByText('wire · TRX-1').waitFor()
  const { balance } = await readOrder(uuid)
  await button(page, 'Record payment').click()
  await fill(page, { 'Amount in USD': String(balance + 1) })
  await page.getByText('This is $1.00 more than the balance.', { exact: true }).waitFor()
  expect(await inDialog(page, 'Record payment').isDisabled()).toBe(true)
  await page.getByLabel('It was really this much: record the overpayment').check()
  await inDialog(page, 'Record payment').click()
  await page.getByText('paid', { exact: true }).waitFor()
}

async function exported(page: Page, name: string): Promise<string[]> {
  const download = page.waitForEvent('download')
  await button(page, 'Export CSV').first().click()
  const file = await download
  expect(file.suggestedFilename()).toBe(name)
  return readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
}

describe.skipIf(!hasChromium)("the operator's quotes", { timeout: TIMEOUT_MS }, () => {
  const ask = async (sku: string, more = {}): Promise<Json> => {
    const { gems } = await merchant('POST', '/api/v2/diamonds/merchant_search', {
      filters: { sku: [sku] },
    })
    const offer_price = Math.floor(gems[0].wholesale_price * 0.9)
    const body = { line_items: [{ sku, quantity: 1, offer_price }], ...more }
    return merchant('POST', '/api/v3/quotes', body)
  }
  const statusOf = async (uuid: string) =>
    (await operator('GET', `/api/operator/quotes/${uuid}`)).status

  it('lists those that wait first; one is countered beside list and asked price', async () => {
    const { page } = tab
    const [sku] = take(1)
    const quote = await ask(sku)
    await visit(tab, '/operator/quotes')
    const waiting = page.getByRole('region', { name: 'Waiting for your answer', exact: true })
    await waiting.getByText(sku, { exact: true }).first().waitFor()
    expect(await violationsOn(page)).toEqual([])
    await visit(tab, `/operator/quotes/${quote.uuid}`)
    await button(page, 'Counter').click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.innerText()).toMatch(/List price \D*[\d.,]+, asked \D*[\d.,]+/)
    const price = dialog.getByLabel(`Price of ${sku} in ${quote.currency_code}`, { exact: true })
    await price.fill(String(quote.line_items[0].market_price - 10))
    await inDialog(page, 'Offer these prices').click()
    await page.getByText('open', { exact: true }).waitFor()
    const { line_items } = await operator('GET', `/api/operator/quotes/${quote.uuid}`)
    expect(line_items[0].wholesale_price).toBeCloseTo(line_items[0].market_price - 10, 2)
    expect(await button(page, 'Accept').count()).toBe(0)
  })

  it('accepts one after a question, and declines one with a reason', async () => {
    const { page } = tab
    const [wanted, unwanted] = await Promise.all(take(2).map((sku) => ask(sku)))
    await visit(tab, `/operator/quotes/${wanted.uuid}`)
    await button(page, 'Accept').click()
    await inDialog(page, 'Keep as it is').click()
    expect(await statusOf(wanted.uuid)).toBe('requested')
    await button(page, 'Accept').click()
    await inDialog(page, 'Accept').click()
    await page.getByText('The price is accepted.', { exact: true }).waitFor()
    expect(await statusOf(wanted.uuid)).toBe('open')
    await visit(tab, `/operator/quotes/${unwanted.uuid}`)
    await button(page, 'Decline').click()
    await fill(page, { Reason: 'below our cost' })
    await inDialog(page, 'Decline').click()
    await page.getByText('Declined: below our cost', { exact: true }).waitFor()
    expect(tab.problems).toEqual([])
  })

  it('no longer offers an answer when the quote has ended meanwhile', async () => {
    const { page } = tab
    const [first, second] = take(2)
    const short = await ask(first, { minutes: 0.2 })
    await visit(tab, `/operator/quotes/${short.uuid}`)
    await button(page, 'Accept').waitFor()
    await page.getByText('expired', { exact: true }).waitFor()
    for (const name of ['Accept', 'Counter', 'Decline']) {
      expect(await button(page, name).count()).toBe(0)
    }
    const withdrawn = await ask(second)
    await visit(tab, `/operator/quotes/${withdrawn.uuid}`)
    await button(page, 'Accept').waitFor()
    await merchant('DELETE', `/api/v3/quotes/${withdrawn.uuid}`)
    await button(page, 'Accept').click()
    await inDialog(page, 'Accept').click()
    await page.getByText(/There is no quote/).waitFor()
    await expect.poll(() => button(page, 'Accept').count()).toBe(0)
  })

  it('lists those that wait once, also when only they are asked for', async () => {
    const { page } = tab
    const { uuid } = await ask(take(1)[0])
    await visit(tab, '/operator/quotes?status=requested')
    const links = page.locator(`a[href="/operator/quotes/${uuid}"]`)
    await links.first().waitFor()
    await settled(tab)
    expect(await links.count()).toBe(1)
    const status = page.getByRole('combobox', { name: 'Status', exact: true })
    expect(await status.inputValue()).toBe('')
  })
})

describe.skipIf(!hasChromium)("the operator's returns and memos", { timeout: TIMEOUT_MS }, () => {
  it('approves a return and receives the goods, and rejects another with a reason', async () => {
    const { page } = tab
    const orders = await shippedOrders(2)
    for (const { uuid, line_items } of orders) {
      const returned = { line_items: [{ uuid: line_items[0].uuid, quantity: 1 }] }
      await merchant('POST', `/api/v3/orders/${uuid}/returns`, {
        ...returned,
        reason: 'too yellow',
      })
    }
    await visit(tab, '/operator/returns')
    const [first, second] = orders.map(({ order_id }) =>
      page.getByRole('row').filter({ hasText: order_id }),
    )
    await first.getByRole('button', { name: /^Approve/ }).click()
    await inDialog(page, 'Approve').click()
    await first.getByRole('button', { name: /^Receive/ }).click()
    await page.getByText(/ less the discount on them\.$/).waitFor()
    await inDialog(page, 'Goods received').click()
    // What is done leaves the list of those that are open.
    await expect.poll(() => first.count()).toBe(0)
    await second.getByRole('button', { name: /^Reject/ }).click()
    await fill(page, { Reason: 'the seal is broken' })
    await inDialog(page, 'Reject').click()
    await expect.poll(() => second.count()).toBe(0)
    expect(await violationsOn(page)).toEqual([])
    await visit(tab, `/operator/orders/${orders[0].uuid}`)
    await page.getByRole('button', { name: /^Credit note CN-/ }).waitFor()
    await page.getByText('received', { exact: true }).waitFor()
  })

  it('lists what is on memo by merchant and bucket, only the overdue, and extends', async () => {
    const { page } = tab
    const [sku] = take(1)
    const { uuid, memo_id } = await place('memo', [sku])
    await market.database.db
      .updateTable('orders')
      .set({ memo_due_date: new Date(Date.now() - 40 * 86_400_000).toISOString() })
      .where('uuid', '=', uuid)
      .execute()
    await visit(tab, '/operator/memos?overdue=yes')
    const row = page.getByRole('row').filter({ hasText: sku })
    await row.waitFor()
    expect(await row.innerText()).toMatch(/\d+ days late/)
    const late = page.locator('.tile').filter({ hasText: '31–60 days late' })
    expect(await late.locator('dd').innerText()).not.toBe('$0.00')
    expect(await page.getByRole('region', { name: 'Memos by merchant' }).count()).toBe(1)
    const rows = await exported(page, 'memos.csv')
    expect(rows.some((each) => each.startsWith(`${memo_id},`))).toBe(true)
    expect(await violationsOn(page)).toEqual([])
    await row.getByRole('button', { name: /^Extend/ }).click()
    await fill(page, { Days: '60' })
    await inDialog(page, 'Extend').click()
    await expect.poll(() => row.count()).toBe(0)
    expect(tab.problems).toEqual([])
  })
})

async function shippedOrders(count: number): Promise<Json[]> {
  const { gems } = await merchant('POST', '/api/v2/diamonds/merchant_search', {
    filters: { returnable: true },
    limit: 20,
  })
  const free = gems
    .map(({ sku }: { sku: string }) => sku)
    .filter((sku: string) => !skus.includes(sku))
  const placed = []
  for (const sku of free.slice(0, count)) {
    const order = await place('invoice', [sku])
    const discount = { kind: 'discount', label: 'Welcome', amount: 5 }
    await operator('PUT', `/api/operator/orders/${order.uuid}/charges`, [discount])
    const tracking = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }
    await operator('POST', `/api/operator/orders/${order.uuid}/fulfill`, tracking)
    placed.push(order)
  }
  return placed
}

describe.skipIf(!hasChromium)("the operator's merchants", { timeout: TIMEOUT_MS }, () => {
  const page = () => tab.page
  const readMerchant = () => operator('GET', `/api/operator/merchants/${merchantUuid}`)

  it('have terms, prices, margins, addresses and users', async () => {
    await visit(tab, `/operator/merchants/${merchantUuid}/terms`)
    await page().getByLabel('Days to pay', { exact: true }).fill('45')
    await page().getByLabel('Credit limit in USD', { exact: true }).fill('1,500,000')
    await button(page(), 'Save terms').click()
    await page().getByText('Saved.', { exact: true }).waitFor()
    expect(await readMerchant()).toMatchObject({ payment_terms_days: 45, credit_limit: 1_500_000 })
    await page().getByLabel('Gemstones, %', { exact: true }).fill('-2.5')
    await button(page(), 'Save prices').click()
    await inDialog(page(), 'Change prices').click()
    await expect
      .poll(async () => (await readMerchant()).price_adjustment?.gemstone_percent)
      .toBe(-2.5)
    await page().getByLabel('Mined %, tier 1', { exact: true }).fill('41')
    await button(page(), 'Save margins').click()
    await inDialog(page(), 'Change margins').click()
    await page().getByText('Its own margins', { exact: true }).waitFor()
    expect(await violationsOn(page())).toEqual([])
    await visit(tab, `/operator/merchants/${merchantUuid}/addresses`)
    await button(page(), 'Add address').click()
    const street = { 'Street and number': '1 Culet Lane', City: 'Antwerp', 'Postal code': '2018' }
    await fill(page(), { Name: 'Atelier', ...street, 'Country code (two letters)': 'BE' })
    await inDialog(page(), 'Save').click()
    await page().getByRole('heading', { name: 'Atelier', exact: true }).waitFor()
    await button(page(), 'Edit Atelier').click()
    await fill(page(), { Name: 'Atelier Culet', City: 'Ghent' })
    await inDialog(page(), 'Save').click()
    const panel = page().getByRole('region', { name: 'Atelier Culet', exact: true })
    await panel.getByText('2018 Ghent', { exact: true }).waitFor()
    expect(await violationsOn(page())).toEqual([])
    await button(page(), 'Remove Atelier Culet').click()
    await inDialog(page(), 'Remove').click()
    await expect.poll(() => panel.count()).toBe(0)
    const path = `/api/operator/merchants/${merchantUuid}/addresses`
    const left: Json[] = (await operator('GET', path)).addresses
    expect(left.map(({ name }) => name)).not.toContain('Atelier Culet')
    await visit(tab, `/operator/merchants/${merchantUuid}/users`)
    await button(page(), 'Invite a user').click()
    await fill(page(), { 'E-mail address': 'buyer@facet.example', Name: 'Buyer' })
    await inDialog(page(), 'Invite').click()
    expect(await page().locator('.secret code').innerText()).toContain('/sign-in#')
    await inDialog(page(), 'Done').click()
    await page()
      .getByRole('cell', { name: /buyer@facet\.example/ })
      .first()
      .waitFor()
    expect(await violationsOn(page())).toEqual([])
  })

  it('get an order that the operator places: checked, refused by line, beyond limits', async () => {
    const [sold, wanted] = take(2)
    await place('invoice', [sold])
    await operator('PATCH', `/api/operator/merchants/${merchantUuid}`, { credit_limit: 1 })
    await visit(tab, `/operator/merchants/${merchantUuid}`)
    await page().getByRole('link', { name: 'Place an order', exact: true }).click()
    await page()
      .getByLabel(/^SKUs, one a line/)
      .fill(`${sold}\n${wanted}`)
    await button(page(), 'Check').click()
    await page().getByRole('alert').waitFor()
    await page()
      .getByLabel(/^Ignore the credit and memo limits/)
      .check()
    await button(page(), 'Check').click()
    const row = page().getByRole('row').filter({ hasText: wanted })
    await row
      .getByText(/\$[\d,]+\.\d\d/)
      .first()
      .waitFor()
    const refused = page().getByRole('row').filter({ hasText: sold })
    await refused.getByText('Not available', { exact: true }).waitFor()
    await page().getByText('Without 1 line that cannot be ordered.', { exact: true }).waitFor()
    expect(await violationsOn(page())).toEqual([])
    await refused.getByRole('button', { name: `Remove ${sold}`, exact: true }).click()
    await expect.poll(() => refused.count()).toBe(0)
    await button(page(), 'Place order').click()
    await inDialog(page(), 'Place order').click()
    await page()
      .getByRole('heading', { name: /^Order / })
      .waitFor()
    const uuid = new URL(page().url()).pathname.split('/').at(-1) ?? ''
    const order = await readOrder(uuid)
    expect(order).toMatchObject({ order_channel: 'operator', merchant_uuid: merchantUuid })
    expect(order.skus).toEqual([wanted])
    await operator('PATCH', `/api/operator/merchants/${merchantUuid}`, { credit_limit: null })
    expect(tab.problems).toEqual([])
  })
})
