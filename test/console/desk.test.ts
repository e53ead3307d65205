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

/** The tools of somebody who works in the console all day, on one server. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let merchant: Tab

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  merchant = await market.signIn(market.keys.merchantKey)
}, TIMEOUT_MS)
afterAll(() => market?.close())

/** Leads to the search box by `/`, once the page has come: its heading takes the focus then. */
async function openSearch(tab: Tab): Promise<void> {
  await settled(tab)
  await tab.page.keyboard.press('/')
  await expect.poll(() => tab.page.evaluate('document.activeElement.ariaLabel')).toBe('Search')
}

async function search(tab: Tab, text: string): Promise<void> {
  const { page } = tab
  await openSearch(tab)
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

async function stones(filters: object): Promise<{ sku: string; cert_num: string | null }[]> {
  const path = '/api/v3/diamonds/merchant_search'
  const body = { filters, limit: 10 }
  const response = await market.call(market.keys.merchantKey, 'POST', path, body)
  const { gems } = (await response.json()) as { gems: { sku: string; cert_num: string | null }[] }
  return gems
}

describe.skipIf(!hasChromium)('the search box', { timeout: TIMEOUT_MS }, () => {
  it('reads words into filters that can be taken away, and names what it does not know', async () => {
    const { page } = merchant
    await visit(merchant, '/holds')
    await search(merchant, '1 ct round F-H shiny VS under 90,000')
    await page.getByRole('heading', { name: 'Diamonds', exact: true }).waitFor()
    await settled(merchant)
    const chips = page.getByRole('list', { name: 'Filters in use' }).locator('.filter-chip')
    expect((await chips.allInnerTexts()).map((text) => text.split('×')[0].trim())).toEqual([
      'Shape: Round',
      'Color: F, G, H',
      'Clarity: VS1, VS2',
      'Carat: 1 – 1.1',
      'Price: up to 90,000',
    ])
    await page.getByText('“shiny”').waitFor()
    expect(await page.getByLabel('Price to', { exact: true }).inputValue()).toBe('90000')
    await chips.first().click()
    await expect.poll(() => chips.count()).toBe(4)
    expect(await page.getByText('“shiny”').count()).toBe(0)
  })

  it('finds a stone by its SKU and by its certificate', async () => {
    const { page } = merchant
    const [gem] = await stones({ lab: ['GIA'] })
    await search(merchant, gem.sku.toLowerCase())
    await expect.poll(() => page.url()).toContain(`/stones/${gem.sku}`)
    await visit(merchant, '/holds')
    await search(merchant, `GIA ${gem.cert_num}`)
    await expect.poll(() => page.url()).toContain(`/stones/${gem.sku}`)
  })

  it('finds a pasted list, and names the numbers that are not on the market', async () => {
    const { page } = merchant
    const gems = await stones({ lab: ['IGI'] })
    const list = [gems[0].sku, gems[1].cert_num, 'GONE123456', gems[2].sku].join('\n')
    await openSearch(merchant)
    await page.evaluate(
      `(() => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', ${JSON.stringify(list)})
        const options = { clipboardData, bubbles: true, cancelable: true }
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', options))
      })()`,
    )
    await page.keyboard.press('Enter')
    await page.getByText('3 stones for 4 numbers', { exact: true }).waitFor()
    expect(await page.getByLabel('Not found').innerText()).toContain('GONE123456')
    for (const { sku } of gems.slice(0, 3)) {
      expect(await page.locator(`main a[href="/stones/${sku}"]`).count()).toBe(1)
    }
  })

  it('finds pairs, which cost together what was asked for', async () => {
    const { page } = merchant
    await search(merchant, 'pair of round D-H VS-SI under 20k')
    const prices = page.locator('.pairs h2')
    await prices.first().waitFor()
    for (const text of await prices.allInnerTexts()) {
      expect(Number(text.replaceAll(/[$,]/g, ''))).toBeLessThanOrEqual(20_000)
    }
    const pair = page.locator('.pairs > li').first()
    const names = await pair.locator('.card-name').allInnerTexts()
    expect(names).toHaveLength(2)
    for (const name of names) expect(name).toContain('round')
    await pair.getByRole('button', { name: /^Add both/ }).click()
    await expect.poll(() => page.locator('.basket-link .badge').last().innerText()).toBe('2')
  })

  it('finds stones and orders for the operator, and own stock for a supplier', async () => {
    const operator = await market.signIn(market.keys.adminKey)
    const [gem] = await stones({})
    await visit(operator, '/operator')
    await search(operator, gem.sku)
    await operator.page.getByRole('heading', { name: `Found: ${gem.sku}`, exact: true }).waitFor()
    const cell = operator.page.getByRole('cell', { name: gem.sku, exact: true })
    await cell.waitFor()
    const number = await operator.page.locator('tbody tr').first().locator('td').nth(4).innerText()
    await search(operator, number)
    await operator.page.getByRole('heading', { name: `Found: ${number}`, exact: true }).waitFor()
    await cell.waitFor()
    const supplier = await market.signIn(market.keys.supplierKey)
    await visit(supplier, '/supplier/orders')
    await search(supplier, 'NOSUCHNUMBER')
    await supplier.page.getByText('No stones found', { exact: true }).waitFor()
    expect([...operator.problems, ...supplier.problems, ...merchant.problems]).toEqual([])
    await operator.context.close()
    await supplier.context.close()
  })
})

describe.skipIf(!hasChromium)('the command palette', { timeout: TIMEOUT_MS }, () => {
  it('goes to pages, repeats searches and does what the page can, by keyboard alone', async () => {
    const { page } = merchant
    await visit(merchant, '/holds')
    const field = page.getByRole('combobox', { name: /^Go to a page/ })
    const isFocused = () => field.evaluate((element) => element === document.activeElement)
    const openBy = async (keys: string) => {
      await page.keyboard.press(keys)
      await field.waitFor()
      await expect.poll(isFocused).toBe(true)
    }
    await openBy('Control+k')
    expect(await violationsOn(page)).toEqual([])
    const options = page.locator('.palette [role=option]')
    await page.keyboard.type('settings keys')
    await expect.poll(() => options.allInnerTexts()).toContain('Settings: keys')
    const active = () => field.getAttribute('aria-activedescendant')
    const first = await active()
    await page.keyboard.press('ArrowDown')
    await expect.poll(active).not.toBe(first)
    await page.keyboard.press('ArrowUp')
    await expect.poll(active).toBe(first)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
    expect(await field.count()).toBe(0)
    await openBy('Meta+k')
    await page.keyboard.type('2 ct pear')
    await page.getByRole('option', { name: 'Search: 2 ct pear', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('shape=pear')
    await openBy('Control+k')
    await page.keyboard.type('clear all')
    await page.getByRole('option', { name: 'Clear all filters', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).not.toContain('shape=pear')
    await openBy('Control+k')
    await page.getByRole('option', { name: '2 ct pear', exact: true }).click()
    await expect.poll(() => page.url()).toContain('shape=pear')
    await openBy('Control+k')
    await page.keyboard.press('Escape')
    await expect.poll(() => field.count()).toBe(0)
  })
})

describe.skipIf(!hasChromium)('a merchant', { timeout: TIMEOUT_MS }, () => {
  it('sees own holds and bought stones as own', async () => {
    const { page } = merchant
    const { merchantKey } = market.keys
    const [gem, other] = await stones({ memo: true, weight_min: 0.5 })
    await visit(merchant, `/stones/${gem.sku}`)
    const hold = page.getByRole('button', { name: 'Hold', exact: true })
    if (await hold.isVisible()) {
      await hold.click()
      await page.getByRole('button', { name: 'Place hold', exact: true }).click()
      await page.getByText('Held by you', { exact: true }).waitFor()
      await visit(merchant, '/search?view=table&with=memo&weight=0.5-&sort=retail_price')
      await page.locator('.stone-row', { hasText: gem.sku }).getByText('Held by you').waitFor()
    }
    const order = { order_type: 'invoice', line_items: [{ sku: other.sku, quantity: 1 }] }
    await market.call(merchantKey, 'POST', '/api/v2/orders/place', order)
    await visit(merchant, `/stones/${other.sku}`)
    await page.getByRole('heading', { name: 'Your stone', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Open the order', exact: true }).click()
    await page.getByText(other.sku, { exact: true }).waitFor()
  })

  it('with another currency sees both, with the rate, in search, basket and order', async () => {
    const { adminKey } = market.keys
    const list = await market.call(adminKey, 'GET', '/api/operator/merchants')
    const { merchants } = (await list.json()) as {
      merchants: { uuid: string; currency_code: string }[]
    }
    const european = merchants.find(({ currency_code }) => currency_code === 'EUR')
    const body = { type: 'api_key', merchant_uuid: european?.uuid }
    const made = await market.call(adminKey, 'POST', '/api/operator/tokens', body)
    const { token } = (await made.json()) as { token: string }
    const tab = await market.signIn(token)
    const { page } = tab
    await visit(tab, '/search')
    await page.getByText('1 USD = 0.92 EUR. Prices are in EUR.', { exact: true }).waitFor()
    expect(await page.locator('.card-price').first().innerText()).toMatch(/€[\d.,]+ · \$[\d.,]+/)
    await page
      .getByRole('button', { name: /^Add to basket/ })
      .first()
      .click()
    await visit(tab, '/basket')
    await page.getByText('All items available', { exact: true }).waitFor()
    await page.getByText('1 USD = 0.92 EUR. Orders are in US dollars.', { exact: true }).waitFor()
    const total = page.locator('.price-steps strong')
    const [dollars, euros] = (await total.innerText())
      .split('\n')
      .map((text) => Number(text.replaceAll(/[$€,]/g, '')))
    expect(euros / dollars).toBeCloseTo(0.92, 2)
    await page.getByRole('button', { name: 'Place order', exact: true }).click()
    await page.getByText(/^1 USD = 0\.92 EUR\. At today’s rate/).waitFor()
    expect(tab.problems).toEqual([])
    await tab.context.close()
  })

  it('can have names of any length, and no page gets wider than the window', async () => {
    const { merchantKey } = market.keys
    const name = `${'Unbreakable'.repeat(17)} "quoted"`
    const address = {
      name,
      address_1: name.slice(0, 90),
      city: 'Antwerp',
      country_code: 'BEL',
      phone: '1',
    }
    await market.call(merchantKey, 'POST', '/api/v3/merchant_addresses', address)
    const [gem] = await stones({ weight_min: 0.4 })
    const order_reference = 'R'.repeat(120)
    const order = {
      order_type: 'invoice',
      order_reference,
      line_items: [{ sku: gem.sku, quantity: 1 }],
    }
    const placed = await market.call(merchantKey, 'POST', '/api/v2/orders/place', order)
    const { order_id } = (await placed.json()) as { order_id: string }
    const phone = await market.signIn(merchantKey, NARROW)
    for (const path of [
      '/orders',
      `/orders/${encodeURIComponent(order_id)}`,
      '/settings/addresses',
    ]) {
      await visit(phone, path)
      await settled(phone)
      const width = await phone.page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width, path).toBeLessThanOrEqual(NARROW.width)
    }
    await phone.context.close()
  })
})
