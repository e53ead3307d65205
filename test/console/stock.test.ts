import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  hasChromium,
  NARROW,
  openConsoleMarket,
  type Tab,
  visit,
} from '../support/browser.ts'

/** The operator's stock in a real browser: stones, conflicts, quarantine. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let tab: Tab

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  tab = await market.signIn(market.keys.adminKey)
}, TIMEOUT_MS)
afterAll(() => market?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
async function request(key: string, method: string, path: string, body?: unknown): Promise<any> {
  return (await market.call(key, method, path, body)).json()
}
const asOperator = (method: string, path: string, body?: unknown) =>
  request(market.keys.adminKey, method, path, body)

interface Stone {
  sku: string
  can_hold: boolean
}

async function search(filters: Record<string, unknown>): Promise<Stone[]> {
  const path = '/api/v2/diamonds/merchant_search'
  return (await request(market.keys.merchantKey, 'POST', path, { filters })).gems
}
const isFound = async (sku: string) => (await search({ sku: [sku] })).length > 0

const button = (name: string) => tab.page.getByRole('button', { name, exact: true })
const inDialog = (name: string) =>
  tab.page.getByRole('dialog').getByRole('button', { name, exact: true })

describe.skipIf(!hasChromium)('the stock in the console', { timeout: TIMEOUT_MS }, () => {
  it('finds a stone by each of its numbers, filters and saves the list', async () => {
    const { page } = tab
    const { gems } = await asOperator('GET', '/api/operator/inventory/gems?state=available&limit=1')
    const [{ sku, cert_num, vendor_sku, supplier }] = gems
    for (const number of [sku, cert_num, vendor_sku]) {
      await visit(tab, '/operator/stock')
      await page.getByLabel('SKU, stock number or certificate', { exact: true }).fill(number)
      await button('Find').click()
      await page.getByRole('link', { name: sku, exact: true }).waitFor()
      await expect.poll(() => page.locator('tbody tr').count()).toBeLessThan(10)
    }
    await visit(tab, '/operator/stock')
    await page.getByRole('combobox', { name: 'Supplier', exact: true }).selectOption(supplier)
    await page.getByRole('combobox', { name: 'State', exact: true }).selectOption('sold')
    await expect.poll(() => page.url()).toContain('state=sold')
    await page.getByRole('combobox', { name: 'State', exact: true }).selectOption('')
    const download = page.waitForEvent('download')
    await button('Export CSV').click()
    expect((await download).suggestedFilename()).toBe('stock.csv')
  })

  it('sets a price by hand with its reason, shows what the feed says, and clears it', async () => {
    const { page } = tab
    const [{ sku }] = await search({ shape: ['round'] })
    await visit(tab, `/operator/stock/${sku}`)
    await button('Set Wholesale price').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Wholesale price (US dollars)', { exact: true }).fill('1,234.50')
    await dialog
      .getByLabel('Reason (the note of the stone)', { exact: true })
      .fill('agreed by phone')
    await inDialog('Set').click()
    await page.getByText('Note: agreed by phone', { exact: true }).waitFor()
    const stored = await asOperator('GET', `/api/operator/inventory/gems/${sku}`)
    expect(stored).toMatchObject({ wholesale_price: 1234.5, note: 'agreed by phone' })
    const overrides = page.getByRole('region', { name: 'Overrides', exact: true })
    await overrides.getByText(/^Feed: \$/).waitFor()
    const history = page.getByRole('region', { name: 'History', exact: true })
    await history.getByText('Changed by hand', { exact: true }).first().waitFor()
    await button('Clear Wholesale price').click()
    await inDialog('Clear').click()
    await expect.poll(() => overrides.getByText(/^Feed: /).count()).toBe(0)
    const cleared = await asOperator('GET', `/api/operator/inventory/gems/${sku}`)
    expect(cleared.overrides).toEqual({})
  })

  it('disables a stone, which merchants then do not find, and enables it again', async () => {
    const { page } = tab
    const [{ sku }] = await search({ shape: ['pear'] })
    await visit(tab, `/operator/stock/${sku}`)
    await button('Disable').click()
    await inDialog('Disable').click()
    await button('Enable').waitFor()
    await expect.poll(() => isFound(sku)).toBe(false)
    await button('Enable').click()
    await inDialog('Enable').click()
    await button('Disable').waitFor()
    await expect.poll(() => isFound(sku)).toBe(true)
    await page.getByText('the only listing', { exact: true }).waitFor()
  })

  it("ends a merchant's hold", async () => {
    const { page } = tab
    const { sku } = (await search({ shape: ['oval'] })).filter((gem) => gem.can_hold)[0]
    await request(market.keys.merchantKey, 'POST', '/api/v3/inventory/holds', { sku, minutes: 60 })
    await visit(tab, `/operator/stock/${sku}`)
    await page.getByText(/^Held by /).waitFor()
    await button('End the hold').click()
    await inDialog('End the hold').click()
    await page.getByText('The hold has ended.', { exact: true }).waitFor()
    await expect.poll(() => page.getByText(/^Held by /).count()).toBe(0)
    expect(await asOperator('GET', `/api/operator/inventory/gems/${sku}`)).toMatchObject({
      state: 'available',
    })
  })
})

describe.skipIf(!hasChromium)('what the operator decides', { timeout: TIMEOUT_MS }, () => {
  it('about listings that contradict each other: keeps one, or sells them apart', async () => {
    const { page } = tab
    const { conflicts } = await asOperator('GET', '/api/operator/inventory/conflicts')
    expect(conflicts).toHaveLength(2)
    const [first, second] = conflicts
    await visit(tab, `/operator/conflicts?supplier=${encodeURIComponent(first.stones[0].supplier)}`)
    await button(`Keep this one: ${first.stones[0].sku}`).click()
    await inDialog('Keep this one').click()
    await page.getByText(`${first.stones[0].sku} is kept.`, { exact: false }).waitFor()
    const other = await asOperator('GET', `/api/operator/inventory/gems/${first.stones[1].sku}`)
    expect(other.state).toBe('disabled')
    await visit(tab, '/operator/conflicts')
    await button(`They are different stones: ${second.lab} ${second.cert_num}`).click()
    await inDialog('Sell apart').click()
    await page.getByRole('heading', { name: 'No conflicts', exact: true }).waitFor()
  })

  it('about rows in quarantine: dismisses one and puts another on sale', async () => {
    const { page } = tab
    const { rows } = await asOperator('GET', '/api/operator/inventory/quarantine')
    expect(rows.length).toBeGreaterThan(0)
    await visit(tab, '/operator/quarantine')
    const [row] = rows
    await button(`Release ${row.vendor_sku}`).click()
    await inDialog('Release').click()
    await page.getByText(`${row.vendor_sku} is on sale.`, { exact: true }).waitFor()
    await expect.poll(() => button(`Release ${row.vendor_sku}`).count()).toBe(0)
    for (const { vendor_sku } of rows.slice(1)) {
      await button(`Dismiss ${vendor_sku}`).click()
      await inDialog('Dismiss').click()
      await page.getByText(`${vendor_sku} was dismissed.`, { exact: true }).waitFor()
      await expect.poll(() => button(`Dismiss ${vendor_sku}`).count()).toBe(0)
    }
    await page.getByRole('heading', { name: 'No rows in quarantine', exact: true }).waitFor()
  })

  it('on a phone fits the window', async () => {
    const narrow = await market.signIn(market.keys.adminKey, NARROW)
    const [{ sku }] = await search({ shape: ['round'] })
    for (const path of ['/operator/stock', `/operator/stock/${sku}`, '/operator/quarantine']) {
      await visit(narrow, path)
      const width = await narrow.page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width, path).toBeLessThanOrEqual(NARROW.width)
    }
    expect([...tab.problems, ...narrow.problems]).toEqual([])
  })
})
