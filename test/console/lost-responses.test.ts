import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleMarket, hasChromium, openConsoleMarket, visit } from '../support/browser.ts'

/** The server does what somebody asked for, and the connection is lost before it answers. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket

beforeAll(async () => {
  if (hasChromium) market = await openConsoleMarket()
}, TIMEOUT_MS)
afterAll(() => market?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
type Json = any

async function request(key: string, method: string, path: string, body?: unknown): Promise<Json> {
  const response = await market.call(key, method, path, body)
  expect(response.status, `${method} ${path}`).toBeLessThan(300)
  return response.json()
}
const operator = (method: string, path: string, body?: unknown) =>
  request(market.keys.adminKey, method, path, body)
const merchant = (method: string, path: string, body?: unknown) =>
  request(market.keys.merchantKey, method, path, body)

async function stones(count: number, filters = {}): Promise<string[]> {
  const body = { filters: { on_hold: false, memo: true, ...filters }, limit: count }
  const { gems } = await merchant('POST', '/api/v2/diamonds/merchant_search', body)
  return gems.map(({ sku }: { sku: string }) => sku)
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Presses a button, whose request arrives while its responses do not, then presses it again. */
async function pressTwice(page: Page, address: string, name: string): Promise<void> {
  let arrived = 0
  await page.route(address, async (route) => {
    if (route.request().postDataJSON()?.dry_run) return route.continue()
    if (arrived === 0) await route.fetch()
    arrived++
    await route.abort()
  })
  await button(page, name).last().click()
  // It says so until the next try, although the page finds at once that the server is there.
  await page.getByText('and is back now. Please try again.', { exact: false }).waitFor()
  expect(arrived).toBeGreaterThan(1)
  await page.unroute(address)
  await button(page, name).last().click()
}

describe.skipIf(!hasChromium)('when the server is back', { timeout: TIMEOUT_MS }, () => {
  it('a search continues that had no answer, and so do rows of its table', async () => {
    const tab = await market.signIn(market.keys.merchantKey)
    const { page, context } = tab
    await visit(tab, '/search?view=table')
    await page.locator('[aria-rowindex="2"] a').waitFor()
    await context.setOffline(true)
    await page.evaluate("document.querySelector('.virtual').scrollTo(0, 20000)")
    await page.getByText('Connection lost', { exact: false }).waitFor()
    await context.setOffline(false)
    await page.locator('[aria-rowindex="458"] a').waitFor()
    await context.setOffline(true)
    await page.getByRole('checkbox', { name: /^Oval/ }).check()
    await page.getByText('Cannot reach the server', { exact: false }).waitFor()
    await context.setOffline(false)
    await expect.poll(() => page.getByText('Cannot reach the server').count()).toBe(0)
    await expect.poll(() => page.locator('[aria-rowindex="2"]').innerText()).toMatch(/oval/i)
  })
})

describe.skipIf(!hasChromium)('after a lost response', { timeout: TIMEOUT_MS }, () => {
  it('a part payment is recorded once', async () => {
    const [sku] = await stones(1)
    const line_items = [{ sku, quantity: 1 }]
    const order = await merchant('POST', '/api/v2/orders/place', {
      order_type: 'invoice',
      line_items,
    })
    const tab = await market.signIn(market.keys.adminKey)
    const { page } = tab
    await visit(tab, `/operator/orders/${order.uuid}`)
    await button(page, 'Record payment').click()
    await page.getByRole('dialog').getByLabel('Amount in USD', { exact: true }).fill('25')
    await pressTwice(page, '**/payments', 'Record payment')
    await page.getByText('The payment is recorded.', { exact: true }).waitFor()
    const { payments } = await operator('GET', `/api/operator/orders/${order.uuid}`)
    expect(payments.map(({ amount }: { amount: number }) => amount)).toEqual([25])
  })

  it('a memo is extended once', async () => {
    const [sku] = await stones(1)
    const line_items = [{ sku, quantity: 1 }]
    const memo = await merchant('POST', '/api/v2/orders/place', { order_type: 'memo', line_items })
    const before = await operator('GET', `/api/operator/orders/${memo.uuid}`)
    const tab = await market.signIn(market.keys.adminKey)
    const { page } = tab
    await visit(tab, `/operator/orders/${memo.uuid}`)
    await button(page, 'Extend').click()
    await page.getByRole('dialog').getByLabel('Days', { exact: true }).fill('10')
    await pressTwice(page, '**/extend', 'Extend')
    await page.getByText('The memo is extended.', { exact: true }).waitFor()
    const after = await operator('GET', `/api/operator/orders/${memo.uuid}`)
    const days = (Date.parse(after.memo_due_date) - Date.parse(before.memo_due_date)) / 86_400_000
    expect(days).toBe(10)
  })

  it('the basket is ordered once, and does not call its stones sold', async () => {
    const [sku] = await stones(1)
    const tab = await market.signIn(market.keys.merchantKey)
    const { page } = tab
    await visit(tab, `/stones/${sku}`)
    await page
      .getByRole('button', { name: /^Add to basket/ })
      .first()
      .click()
    await visit(tab, '/basket')
    await page.getByText('All items available', { exact: true }).waitFor()
    await pressTwice(page, '**/orders/place', 'Place order')
    await page.getByRole('heading', { name: /^Order / }).waitFor()
    const { orders } = await merchant('GET', `/api/v2/orders/search?query=${sku}`)
    expect(orders.length).toBe(1)
  })

  it('a quote is made once', async () => {
    const [sku] = await stones(1)
    const before = await merchant('GET', '/api/v3/quotes?limit=1')
    const tab = await market.signIn(market.keys.merchantKey)
    const { page } = tab
    await visit(tab, `/stones/${sku}`)
    await page
      .getByRole('button', { name: /^Add to basket/ })
      .first()
      .click()
    await visit(tab, '/basket')
    await page.getByText('All items available', { exact: true }).waitFor()
    await button(page, 'Ask for a quote').click()
    await pressTwice(page, '**/api/v3/quotes', 'Get the quote')
    await page.getByRole('heading', { name: /^Quote of / }).waitFor()
    expect((await merchant('GET', '/api/v3/quotes?limit=1')).total).toBe(before.total + 1)
  })
})
