import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  GERMAN_NARROW,
  hasChromium,
  NARROW,
  openConsoleMarket,
  settled,
  type Tab,
  violationsOn,
  visit,
} from '../support/browser.ts'
import { untranslatedOn } from './untranslated.ts'

/** What a merchant does after finding stones: quotes, orders, returns, memos and the account. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let tab: Tab
/** The stones that the offer is about; the first is ordered, shipped and asked to go back. */
let skus: string[]
/** One that is bought from the basket, and one that somebody buys before. */
let wanted: string[]
let quoteUuid: string
let orderId: string

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  tab = await market.signIn(market.keys.merchantKey, { colorScheme: 'light', width: 1440 })
  const { gems } = await request('POST', '/api/v2/diamonds/merchant_search', {
    filters: {
      returnable: true,
      memo: true,
      type: ['mined'],
      wholesale_price_max: 4000,
      on_hold: false,
    },
  })
  const found: string[] = gems.map(({ sku }: { sku: string }) => sku)
  skus = found.slice(0, 8)
  wanted = found.slice(8, 10)
}, TIMEOUT_MS)
afterAll(() => market?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
async function request(method: string, path: string, body?: unknown, key?: string): Promise<any> {
  const response = await market.call(key ?? market.keys.merchantKey, method, path, body)
  expect(response.status, `${method} ${path}`).toBeLessThan(300)
  return response.json()
}

const operate = (path: string, body: unknown = {}) =>
  request('POST', `/api/operator${path}`, body, market.keys.adminKey)

const place = (order_type: string, sku: string) =>
  request('POST', '/api/v2/orders/place', { order_type, line_items: [{ sku, quantity: 1 }] })

const ship = (uuid: string) =>
  operate(`/orders/${uuid}/fulfill`, {
    tracking_company: 'Facet Express',
    tracking_number: `FX-${uuid.slice(0, 8)}`,
    tracking_url: 'https://track.example/FX',
  })

const dollars = (amount: number) =>
  amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' })

/** Fills the basket as the pages of stones do. */
async function fillBasket(chosen: string[]): Promise<void> {
  for (const sku of chosen) {
    await visit(tab, `/stones/${sku}`)
    await tab.page
      .getByRole('button', { name: /^Add to basket/ })
      .first()
      .click()
  }
  await visit(tab, '/basket')
  await tab.page.getByText('All items available', { exact: true }).waitFor()
}

async function open(path: string, heading: RegExp | string): Promise<void> {
  await visit(tab, path)
  await tab.page.getByRole('heading', { name: heading, level: 1, exact: true }).waitFor()
}

describe.skipIf(!hasChromium)('a merchant who trades', { timeout: TIMEOUT_MS }, () => {
  it('orders a basket without what was sold meanwhile, and says what was left out', async () => {
    const { page } = tab
    const [bought, sold] = wanted
    await fillBasket([bought, sold])
    await page.getByLabel('Your reference', { exact: true }).fill('Ring for the window')
    await place('invoice', sold)
    await visit(tab, '/orders')
    await visit(tab, '/basket')
    const button = page.getByRole('button', { name: 'Place order', exact: true })
    await page.getByRole('alert').filter({ hasText: sold }).waitFor()
    const reference = page.getByLabel('Your reference', { exact: true })
    expect(await reference.inputValue()).toBe('Ring for the window')
    // The other item is still named and priced.
    const row = page.getByRole('row').filter({ hasText: bought })
    expect(await row.innerText()).toMatch(/ ct .*\$/s)
    expect(await button.isDisabled()).toBe(true)
    await page.getByLabel('Leave out what is no longer available', { exact: true }).check()
    await page.getByText('without 1 item', { exact: true }).waitFor()
    // Why it cannot be ordered, and what is similar, is still said.
    await page.getByRole('alert').filter({ hasText: sold }).waitFor()
    expect(await violationsOn(page)).toEqual([])
    await button.click()
    const note = page.getByRole('status').filter({ hasText: 'has been placed without 1 item' })
    await note.getByText(sold, { exact: true }).waitFor()
    const number = await note.getByRole('link').innerText()
    const found = await request('GET', `/api/v2/orders/search?query=${number}`)
    expect(found.orders[0].line_items.map(({ sku }: { sku: string }) => sku)).toEqual([bought])
    expect(found.orders[0].order_reference).toBe('Ring for the window')
    expect(await page.locator('.basket-link .badge').last().innerText()).toBe('1')
    await page.getByRole('button', { name: `Remove ${sold}`, exact: true }).click()
    await page.getByText('Your basket is empty', { exact: true }).waitFor()
    await note.getByRole('link').click()
    await page.getByRole('heading', { name: /^Order / }).waitFor()
  })

  it('offers a price for the stones of the basket, which waits for its answer', async () => {
    const { page } = tab
    const [first, second] = skus
    await fillBasket([first, second])
    await page.getByRole('button', { name: 'Ask for a quote', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Ask for a quote', exact: true })
    await dialog.getByRole('combobox', { name: 'Valid for', exact: true }).selectOption('3 days')
    await dialog.getByLabel(/^Hold the stones as well/).check()
    await dialog.getByLabel(first).fill('100')
    await dialog.getByRole('button', { name: 'Send the offer', exact: true }).click()
    await page.getByText(/^Your offer waits for an answer\./).waitFor()
    await page.getByText('not answered yet', { exact: true }).waitFor()
    quoteUuid = page.url().split('/').at(-1) ?? ''
    expect(await request('GET', `/api/v3/quotes/${quoteUuid}`)).toMatchObject({
      status: 'requested',
      hold: true,
      line_items: [{ offer_price: 100 }, { offer_price: null }],
    })
    await open('/quotes?status=requested', 'Quotes')
    const row = page.getByRole('row').filter({ has: page.locator(`a[href$="${quoteUuid}"]`) })
    await expect.poll(() => row.innerText()).toMatch(/requested[\s\S]*Ends in [23] days/)
  })

  it('sees the counter-offer against what was offered, and orders one of two lines', async () => {
    const { page } = tab
    const [first, second] = skus
    await operate(`/quotes/${quoteUuid}/counter`, { line_items: [{ sku: first, price: 123.45 }] })
    await open(`/quotes/${quoteUuid}`, /^Quote of /)
    await page.getByText(/^Your offer was answered with other prices\./).waitFor()
    const row = page.getByRole('row').filter({ hasText: first })
    expect(await row.innerText()).toMatch(/\$100\.00[\s\S]*\$123\.45[\s\S]*counter-offer/)
    await page.getByLabel(`Order ${second}`, { exact: true }).uncheck()
    await page.getByText(/^A quote is ordered once/).waitFor()
    const button = page.getByRole('button', { name: 'Place order', exact: true })
    await expect.poll(() => button.isEnabled()).toBe(true)
    await button.click()
    await page.getByRole('heading', { name: /^Order /, level: 1 }).waitFor()
    orderId = decodeURIComponent(page.url().split('/').at(-1) ?? '')
    const { order_uuid } = await request('GET', `/api/v3/quotes/${quoteUuid}`)
    const order = await request('GET', `/api/v3/orders/${order_uuid}`)
    expect(order).toMatchObject({ external_order_id: orderId, total: 123.45 })
    // What was ordered is no longer in the basket; what was left out still is.
    await expect.poll(() => page.locator('.basket-link .badge').last().innerText()).toBe('1')
    await open(`/quotes/${quoteUuid}`, /^Quote of /)
    await page.getByRole('link', { name: 'To the order', exact: true }).click()
    await page.getByRole('heading', { name: `Order ${orderId}`, exact: true }).waitFor()
  })

  it('follows the order: tracking, balance, due date and documents, and asks to return it', async () => {
    const { page } = tab
    const { orders } = await request('GET', `/api/v3/orders/search?q=${orderId}`)
    await ship(orders[0].uuid)
    await open(`/orders/${encodeURIComponent(orderId)}`, `Order ${orderId}`)
    const tracking = page.getByRole('link', { name: /^Facet Express FX-/ })
    expect(await tracking.getAttribute('href')).toBe('https://track.example/FX')
    await page.getByText(/^Due on .+ \(in 30 days\)\.$/).waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Invoice INV-/ }).click()
    expect((await saved).suggestedFilename()).toMatch(/^INV-\d{4}-\d{6}\.pdf$/)
    expect(await page.getByRole('button', { name: 'Cancel order' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Request a return', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Request a return', exact: true })
    await dialog.getByText(/\(until .+, in \d+ days\)/).waitFor()
    await dialog.getByLabel('Reason', { exact: true }).fill('another stone was chosen')
    await dialog.getByRole('button', { name: 'Request return', exact: true }).click()
    await page.getByText('Next: the seller approves or rejects it.', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Request a return', exact: true }).click()
    await dialog.getByText('It is returned already, or asked to be.', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  })

  it('sees how far a return is, until it is credited', async () => {
    const { page } = tab
    const { returns } = await request('GET', '/api/v3/returns?status=requested&limit=1')
    const panel = page.locator('section.panel').filter({ hasText: orderId })
    await operate(`/returns/${returns[0].uuid}/approve`)
    await open('/returns', 'Returns')
    await panel.getByText(/^Next: send the goods back\./).waitFor()
    await operate(`/returns/${returns[0].uuid}/receive`)
    await open('/returns?status=received', 'Returns')
    await panel.getByText(/^Their value is credited/).waitFor()
    await panel.getByRole('link', { name: `Order ${orderId}`, exact: true }).click()
    await page.getByRole('button', { name: /^Credit note CN-/ }).waitFor()
    await page.getByText('Nothing is left to pay.', { exact: true }).waitFor()
  })

  it('cancels an order that has not shipped, after being told what that means', async () => {
    const { page } = tab
    const { order_id } = await place('invoice', skus[2])
    await open(`/orders/${encodeURIComponent(order_id)}`, `Order ${order_id}`)
    await page.getByRole('button', { name: 'Cancel order', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel order', exact: true })
    await dialog.getByText(/others can order them/).waitFor()
    await dialog.getByLabel('Reason', { exact: true }).fill('ordered twice')
    await dialog.getByRole('button', { name: 'Cancel items', exact: true }).click()
    await page.getByText('1 cancelled', { exact: true }).waitFor()
    await page.getByText('Reason: ordered twice', { exact: true }).waitFor()
    await page.getByText('By you', { exact: true }).waitFor()
    await page.getByText('None: the order is cancelled.', { exact: true }).waitFor()
  })

  it('is offered similar stones for one that the supplier declined', async () => {
    const { page } = tab
    const { uuid, order_id } = await place('invoice', skus[7])
    await operate(`/orders/${uuid}/decline`, { reason: 'it is chipped' })
    await open(`/orders/${encodeURIComponent(order_id)}`, `Order ${order_id}`)
    await page.getByText('Declined by the supplier', { exact: true }).waitFor()
    await page.getByText('Reason: it is chipped', { exact: true }).waitFor()
    const add = page.getByRole('button', { name: /^Add to basket/ })
    const before = Number(await page.locator('.basket-link .badge').last().innerText())
    await add.first().click()
    const badge = page.locator('.basket-link .badge').last()
    await expect.poll(() => badge.innerText()).toBe(String(before + 1))
  })

  it('finds what is on memo with its due date, and leads to its order', async () => {
    const { page } = tab
    const { memo_id, order_id } = await place('memo', skus[3])
    await open('/memos', 'On memo')
    const ledger = await request('GET', '/api/v3/memos')
    await page.getByText(dollars(ledger.totals.current), { exact: true }).first().waitFor()
    const row = page.getByRole('row').filter({ hasText: memo_id })
    expect(await row.innerText()).toMatch(/in \d+ days|tomorrow/)
    await row.getByRole('link', { name: memo_id, exact: true }).click()
    await page.getByRole('heading', { name: `Order ${order_id}`, exact: true }).waitFor()
  })

  it('reads the account: limits, what is used and what is to be paid, oldest first', async () => {
    const { page } = tab
    const { merchant_uuid } = await request('GET', `/api/v3/quotes/${quoteUuid}`)
    const limits = { credit_limit: 500_000, memo_limit: 100 }
    const path = `/api/operator/merchants/${merchant_uuid}`
    await request('PATCH', path, limits, market.keys.adminKey)
    const { order_id } = await place('invoice', skus[4])
    const account = await request('GET', '/api/v3/account')
    await open('/account', 'Account')
    const tile = (name: string) => page.locator('.tile').filter({ hasText: name })
    await expect.poll(() => tile('Unpaid').innerText()).toContain(dollars(account.unpaid))
    await expect.poll(() => tile('Overdue').innerText()).toContain(dollars(account.overdue))
    await expect.poll(() => tile('On memo').innerText()).toContain(dollars(account.on_memo))
    await page
      .getByText(`${dollars(account.available_credit)} available`, { exact: true })
      .waitFor()
    await page.getByText(/over the limit$/).waitFor()
    const listed = '/api/v3/orders/list?order_type=invoice&payment_status=unpaid&limit=500'
    const { orders } = await request('GET', `${listed}&sort_col=ordered_on`)
    const oldestFirst: string[] = orders.map((order: Order) => order.external_order_id)
    expect(oldestFirst).toContain(order_id)
    const links = page.getByRole('table').locator('a[href^="/orders/"]')
    await links.first().waitFor()
    const shown = await links.allInnerTexts()
    expect(shown.length).toBeGreaterThan(1)
    expect(shown).toEqual(oldestFirst.filter((number) => shown.includes(number)))
  })

  it('asks for a quote for the stones that are selected in the table', async () => {
    const { page } = tab
    await visit(tab, '/search?view=table&type=mined&sort=wholesale_price&order=asc')
    await settled(tab)
    await page.locator('.stone-row a').first().waitFor()
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    await page.getByText('2 selected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Ask for a quote', exact: true }).click()
    await page.getByRole('button', { name: 'Get the quote', exact: true }).click()
    await page.getByText(/^You can order at these prices\./).waitFor()
    const boxes = page.getByRole('checkbox', { name: /^Order / })
    expect(await boxes.count()).toBe(2)
  })

  it('withdraws a quote after a question, and its hold ends', async () => {
    const { page } = tab
    const lines = [{ sku: skus[5], quantity: 1 }]
    const { uuid } = await request('POST', '/api/v3/quotes', { line_items: lines, hold: true })
    await open(`/quotes/${uuid}`, /^Quote of /)
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByText('The quote is withdrawn.', { exact: true }).waitFor()
    const { status } = await market.call(market.keys.merchantKey, 'GET', `/api/v3/quotes/${uuid}`)
    expect(status).toBe(404)
    const { holds } = await request('GET', '/api/v3/inventory/holds')
    expect(holds.map(({ sku }: { sku: string }) => sku)).not.toContain(skus[5])
  })

  it('is told that a quote has ended since it was opened, and asks again', async () => {
    const { page } = tab
    const line_items = [{ sku: skus[6], quantity: 1 }]
    const { uuid } = await request('POST', '/api/v3/quotes', { line_items })
    await open(`/quotes/${uuid}`, /^Quote of /)
    const button = page.getByRole('button', { name: 'Place order', exact: true })
    await expect.poll(() => button.isEnabled()).toBe(true)
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    const times = { created_on: hoursAgo(2), expires_on: hoursAgo(1) }
    await market.database.db.updateTable('quote').set(times).where('uuid', '=', uuid).execute()
    await button.click()
    await page.getByText(/^The quote ended 1 hour ago/).waitFor()
    expect(await button.count()).toBe(0)
    await page.getByRole('button', { name: 'Ask again', exact: true }).waitFor()
  })

  it('finds these pages accessible and no wider than a phone', async () => {
    const phone = await market.signIn(market.keys.merchantKey, NARROW)
    for (const path of ownPages()) {
      await visit(phone, path)
      await settled(phone)
      const width = await phone.page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width, path).toBeLessThanOrEqual(NARROW.width)
      expect(await violationsOn(phone.page), path).toEqual([])
    }
    expect([...phone.problems, ...tab.problems]).toEqual([])
  })

  it('reads them in German, with the reason why an item cannot be ordered', async () => {
    const german = await market.signIn(market.keys.merchantKey, GERMAN_NARROW)
    const left: Record<string, string[]> = {}
    for (const path of ownPages()) {
      await visit(german, path)
      await settled(german)
      const texts = await untranslatedOn(german.page)
      if (texts.length > 0) left[path] = texts
    }
    expect(left).toEqual({})
    const sold = skus[6]
    await visit(german, `/stones/${sold}`)
    await german.page
      .getByRole('button', { name: /^In den Warenkorb/ })
      .first()
      .click()
    await place('invoice', sold)
    await visit(german, '/basket')
    const note = german.page.getByRole('alert').filter({ hasText: sold })
    await note.getByText('ist verkauft').waitFor()
  })
})

interface Order {
  external_order_id: string
}

const ownPages = () => [
  '/quotes',
  `/quotes/${quoteUuid}`,
  '/returns',
  '/memos',
  '/account',
  '/orders',
  `/orders/${encodeURIComponent(orderId)}`,
  '/basket',
]
