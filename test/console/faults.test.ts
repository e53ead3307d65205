import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  hasChromium,
  NARROW,
  openConsoleMarket,
  settled,
  type Tab,
  visit,
} from '../support/browser.ts'

/** What annoys people who work in the console all day, each once, on one server. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let merchant: Tab
let operator: Tab

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  merchant = await market.signIn(market.keys.merchantKey)
  operator = await market.signIn(market.keys.adminKey)
}, TIMEOUT_MS)
afterAll(() => market?.close())

const button = (tab: Tab, name: string) => tab.page.getByRole('button', { name, exact: true })

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
async function request(key: string, method: string, path: string, body?: unknown): Promise<any> {
  return (await market.call(key, method, path, body)).json()
}

/** Places an order for the first stone of a search, and ships it if it is a memo. */
async function orderOf(order_type: 'invoice' | 'memo', shape: string) {
  const { merchantKey, adminKey } = market.keys
  const filters = { shape: [shape], memo: true }
  const found = await request(merchantKey, 'POST', '/api/v2/diamonds/merchant_search', { filters })
  const line_items = found.gems
    .slice(0, 2)
    .map(({ sku }: { sku: string }) => ({ sku, quantity: 1 }))
  const body = { order_type, line_items }
  const order = await request(merchantKey, 'POST', '/api/v2/orders/place', body)
  if (order_type === 'memo') {
    const tracking = { tracking_company: 'Facet Express', tracking_number: 'FX-9' }
    await request(adminKey, 'POST', `/api/operator/orders/${order.uuid}/fulfill`, tracking)
  }
  return order
}

describe.skipIf(!hasChromium)('in the console', { timeout: TIMEOUT_MS }, () => {
  it('the session, the basket and signing out are those of all tabs', async () => {
    await visit(merchant, '/search')
    await merchant.page
      .getByRole('button', { name: /^Add to basket/ })
      .first()
      .click()
    const second = await merchant.context.newPage()
    await second.goto(`${market.address}/basket`)
    await second.getByRole('heading', { name: 'Basket', exact: true }).waitFor()
    await second.getByText('All items available', { exact: true }).waitFor()
    await second.getByRole('button', { name: /^Remove/ }).click()
    await expect.poll(() => merchant.page.locator('.basket-link .badge').innerText()).toBe('0')
    await second.getByRole('button', { name: 'Sign out', exact: true }).click()
    await merchant.page.getByText('You have signed out.', { exact: true }).waitFor()
    await merchant.page.getByLabel('Your key', { exact: true }).fill(market.keys.merchantKey)
    await button(merchant, 'Sign in').click()
    await merchant.page.getByRole('banner').waitFor()
    await second.getByRole('banner').waitFor()
    await second.close()
  })

  it('Back returns to the same card and to the same row of the table', async () => {
    const { page } = merchant
    await visit(merchant, '/search')
    await settled(merchant)
    const card = page.locator('.card-name').nth(25)
    // Scrolls as the click would, which may scroll again while something covers the card.
    await card.click({ trial: true })
    const [href, box] = [await card.getAttribute('href'), await card.boundingBox()]
    await card.click()
    await page.getByRole('heading', { name: 'Proportions', exact: true }).waitFor()
    await page.goBack()
    const again = page.locator(`.card-name[href="${href}"]`)
    await expect
      .poll(async () => Math.abs(((await again.boundingBox())?.y ?? 0) - (box?.y ?? 0)))
      .toBeLessThan(60)
    await visit(merchant, '/search?view=table')
    await settled(merchant)
    await page.evaluate("document.querySelector('.virtual').scrollTo(0, 20000)")
    const row = page.locator('[aria-rowindex="458"] a')
    await row.click()
    await page.getByRole('heading', { name: 'Proportions', exact: true }).waitFor()
    await page.goBack()
    await row.waitFor()
    expect(await page.evaluate<number>("document.querySelector('.virtual').scrollTop")).toBe(20_000)
  })

  it('the list stays until the next one is there, which comes before its counts', async () => {
    const { page } = merchant
    await visit(merchant, '/search')
    await settled(merchant)
    const names = page.locator('.card-name')
    const before = await names.allTextContents()
    expect(before.length).toBe(30)
    const sent: string[][] = []
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/diamonds/merchant_search', async (route) => {
      sent.push(route.request().postDataJSON().include ?? [])
      if (sent.length === 1) await released
      await route.continue()
    })
    await page.getByRole('checkbox', { name: /^Oval/ }).check()
    await expect.poll(() => page.locator('#results').getAttribute('aria-busy')).toBe('true')
    expect(await names.allTextContents()).toEqual(before)
    release()
    await expect.poll(async () => (await names.allTextContents()).length).toBe(30)
    await expect
      .poll(async () => (await names.allTextContents()).filter((name) => !name.includes('oval')))
      .toEqual([])
    await settled(merchant)
    await page.unroute('**/diamonds/merchant_search')
    // The list alone first; counts and histograms after it, and no page twice.
    expect(sent[0]).toEqual(['relaxations'])
    for (const include of sent.slice(1)) expect(include).toEqual(['facets'])
  })

  it('every page has its own title, and its heading has the focus', async () => {
    const { page } = merchant
    await page.getByRole('link', { name: 'Holds', exact: true }).click()
    await expect.poll(() => page.title()).toBe('Holds · Pavilion')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Holds')
    await visit(merchant, '/settings/keys')
    await expect.poll(() => page.title()).toBe('Keys · Pavilion')
    const unknown = await page.request.get(`${market.address}/no-such-page`, {
      headers: { accept: 'text/html' },
    })
    expect([unknown.status(), unknown.headers()['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
    await visit(merchant, '/orders/%E0%A4%A')
    await page.getByRole('heading', { name: 'Page not found', exact: true }).waitFor()
    await visit(merchant, '/search')
    await page.locator('.skip').focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('results')
  })

  it('numbers are those of the reader, and fields follow Back', async () => {
    const { page } = merchant
    await visit(merchant, '/search')
    const field = page.getByLabel('Price to', { exact: true })
    await field.fill('1,500')
    await field.press('Enter')
    await expect.poll(() => page.url()).toContain('retail_price=-1500')
    await visit(merchant, '/gemstones')
    await page.getByLabel('Price up to', { exact: true }).fill('2,500.50')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.url()).toContain('retail_price_max=2500.5')
    await page.goBack()
    await expect.poll(() => page.getByLabel('Price up to', { exact: true }).inputValue()).toBe('')
  })

  it('unsaved margins are kept until somebody agrees to lose them', async () => {
    const { page } = merchant
    await visit(merchant, '/settings')
    await page.getByLabel('Mined %, tier 1', { exact: true }).fill('-120')
    await page.getByText(/each is a number of at least 0\.$/).waitFor()
    await page.getByLabel('Mined %, tier 1', { exact: true }).fill('77')
    await page.getByRole('link', { name: 'Holds', exact: true }).click()
    await button(merchant, 'Keep as it is').click()
    expect(await page.getByLabel('Mined %, tier 1', { exact: true }).inputValue()).toBe('77')
    await page
      .locator('label', { hasText: 'Tiers based on' })
      .locator('select')
      .selectOption('price')
    await page.getByText('cannot be converted', { exact: false }).waitFor()
    const frame = page.locator('.plot')
    await page.setViewportSize({ width: 600, height: 820 })
    await expect.poll(async () => (await frame.boundingBox())?.width ?? 0).toBeLessThan(600)
    await expect
      .poll(() => page.evaluate<number>("document.querySelector('.u-wrap').clientWidth"))
      .toBeLessThan(600)
    await page.setViewportSize({ width: 1366, height: 820 })
    await page.getByRole('link', { name: 'Holds', exact: true }).click()
    await button(merchant, 'Leave').click()
    await page.getByRole('heading', { name: 'Holds', exact: true }).waitFor()
  })

  it('a returned memo is not due, and what came back is not in the sum', async () => {
    const { adminKey } = market.keys
    const memo = await orderOf('memo', 'round')
    const [first] = memo.line_items
    const returned = { line_items: [{ uuid: first.uuid, quantity: 1 }] }
    await request(adminKey, 'POST', `/api/operator/orders/${memo.uuid}/return`, returned)
    await visit(merchant, `/orders/${encodeURIComponent(memo.order_id)}`)
    await merchant.page.getByText('The memo is due back', { exact: false }).waitFor()
    await merchant.page.getByText('1 returned', { exact: true }).waitFor()
    await merchant.page.getByText('Cancelled or returned', { exact: true }).waitFor()
    await request(adminKey, 'POST', `/api/operator/orders/${memo.uuid}/return`, {})
    await visit(merchant, '/orders')
    await visit(merchant, `/orders/${encodeURIComponent(memo.order_id)}`)
    await expect.poll(() => merchant.page.getByText('1 returned', { exact: true }).count()).toBe(2)
    expect(await merchant.page.getByText('due back', { exact: false }).count()).toBe(0)
  })

  it('what cannot be taken back is asked first', async () => {
    const { page } = operator
    await visit(operator, '/operator/merchants')
    const access = page.getByRole('button', { name: /^On – access for/ }).first()
    await access.click()
    await page.getByText('refused at once', { exact: false }).waitFor()
    await button(operator, 'Keep as it is').click()
    await visit(operator, '/operator/rates')
    await page.getByRole('textbox', { name: 'Currency', exact: true }).fill('EUR')
    await page.getByRole('textbox', { name: 'Rate', exact: true }).fill('9,2')
    await button(operator, 'Set').click()
    await page.getByText('and every price in EUR at once', { exact: false }).waitFor()
    await button(operator, 'Keep as it is').click()
    const { exchange_rates } = await request(
      market.keys.adminKey,
      'GET',
      '/api/operator/exchange_rates',
    )
    const euro = exchange_rates.find(
      ({ currency_code }: { currency_code: string }) => currency_code === 'EUR',
    )
    expect(euro.rate).toBeLessThan(2)
  })

  it('an error is one sentence at its field, until the field is changed', async () => {
    const { page } = operator
    await visit(operator, '/operator/merchants')
    await button(operator, 'Add merchant').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Trading name', { exact: true }).fill('Loupe Lane')
    await dialog.getByLabel('Email', { exact: true }).fill('lane@loupe.example')
    await dialog.getByLabel('Currency', { exact: true }).fill('dollars')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    const error = dialog.locator('.field-error')
    await error.waitFor()
    expect(await error.innerText()).toMatch(/^Currency .*\.$/)
    expect(await dialog.getByRole('alert').innerText()).not.toContain('currency_code')
    await dialog.getByLabel('Currency', { exact: true }).fill('USD')
    expect(await error.count()).toBe(0)
  })

  it('what is not a number is refused at its field, and removes no limit', async () => {
    const { page } = operator
    const { adminKey } = market.keys
    const { merchants } = await request(adminKey, 'GET', '/api/operator/merchants')
    const path = `/api/operator/merchants/${merchants[0].uuid}`
    await request(adminKey, 'PATCH', path, { credit_limit: 70_000 })
    await visit(operator, `/operator/merchants/${merchants[0].uuid}/terms`)
    const limit = page.getByLabel('Credit limit in USD', { exact: true })
    await limit.fill('500k')
    await button(operator, 'Save terms').click()
    await page.getByText('Credit limit in USD must be a number.', { exact: true }).waitFor()
    expect((await request(adminKey, 'GET', path)).credit_limit).toBe(70_000)
    await page.getByLabel('Mined diamonds, %', { exact: true }).fill('5%')
    await button(operator, 'Save prices').click()
    await page.getByText('Mined diamonds must be a number.', { exact: true }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await limit.fill('70000')
    await page.getByLabel('Mined diamonds, %', { exact: true }).fill('')
  })

  it('words that are as long as they may be break, so that pages stay in the window', async () => {
    const word = (letter: string) => letter.repeat(180)
    const { adminKey } = market.keys
    const made = await request(adminKey, 'POST', '/api/operator/merchants', {
      email: 'long@words.example',
      legal_dba: word('M'),
      country_code: 'US',
    })
    const type = { type: 'api_key', merchant_uuid: made.uuid }
    const { token } = await request(adminKey, 'POST', '/api/operator/tokens', type)
    await request(token, 'POST', '/api/v3/merchant_addresses', {
      name: word('N'),
      address_1: word('A'),
      city: word('C'),
      postal_code: word('1'),
      country_code: 'US',
    })
    const search = { filters: { returnable: true }, limit: 2 }
    const { gems } = await request(token, 'POST', '/api/v3/diamonds/merchant_search', search)
    const placed = await request(token, 'POST', '/api/v3/orders/place', {
      order_type: 'invoice',
      external_order_id: word('O'),
      notes: word('N'),
      line_items: gems.map(({ sku }: { sku: string }) => ({ sku, quantity: 1 })),
    })
    const [first, second] = placed.line_items.map(({ uuid }: { uuid: string }) => {
      return [{ uuid, quantity: 1 }]
    })
    const path = `/api/operator/orders/${placed.uuid}`
    await request(adminKey, 'POST', `${path}/cancel`, { line_items: first, reason: word('R') })
    const tracking = { tracking_company: word('T'), tracking_number: word('U') }
    await request(adminKey, 'POST', `${path}/fulfill`, tracking)
    const back = { line_items: second, reason: word('B') }
    await request(token, 'POST', `/api/v3/orders/${placed.uuid}/returns`, back)
    const buyer = await market.signIn(token, NARROW)
    const desk = await market.signIn(adminKey, NARROW)
    for (const [tab, address] of [
      [buyer, '/settings/addresses'],
      [buyer, '/returns'],
      [buyer, `/orders/${placed.uuid}`],
      [desk, `/operator/orders/${placed.uuid}`],
    ] as const) {
      await visit(tab, address)
      await settled(tab)
      const width = await tab.page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width, address).toBeLessThanOrEqual(NARROW.width)
      expect(tab.problems).toEqual([])
    }
  })

  it('the review of a file with 60 columns stays in the window', async () => {
    const narrow = await market.signIn(market.keys.adminKey, NARROW)
    const { page } = narrow
    await visit(narrow, '/operator/imports')
    const names = Array.from({ length: 52 }, (_, column) => `Extra column ${column}`)
    const head = 'Stock #,Shape,Weight,Color,Clarity,Lab,Certificate #,Price Per Carat'
    const row = 'W-1,Round,1.01,F,VS1,GIA,2141438199,6100'
    const buffer = Buffer.from(
      [[head, ...names].join(), [row, ...names.map(() => 'text')].join()].join('\n'),
    )
    await page
      .getByLabel('Choose a file', { exact: true })
      .setInputFiles({ name: 'wide.csv', mimeType: 'text/csv', buffer })
    await page.getByLabel('Supplier (a new name creates one)', { exact: true }).fill('Wide Gems')
    await button(narrow, 'Check file').click()
    await page.getByText('Column mapping', { exact: true }).waitFor()
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(NARROW.width)
    expect([...narrow.problems, ...merchant.problems, ...operator.problems]).toEqual([])
  })
})
