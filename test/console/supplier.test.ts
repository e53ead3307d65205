import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAllNotices } from '../notices/notice-support.ts'
import {
  type ConsoleMarket,
  hasChromium,
  openConsoleMarket,
  type Tab,
  visit,
} from '../support/browser.ts'

/** What a supplier does in a real browser, and what becomes of it. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let tab: Tab

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  tab = await market.signIn(market.keys.supplierKey)
}, TIMEOUT_MS)
afterAll(() => market?.close())

interface Stone {
  sku: string
  vendor_sku: string
}

async function read<T>(key: string, path: string): Promise<T> {
  return (await market.call(key, 'GET', path)).json() as Promise<T>
}

/** Orders stones of the supplier, and returns the uuid of the order. */
async function orderOf(count: number): Promise<{ uuid: string; stones: Stone[] }> {
  const path = `/api/supplier/inventory?state=available&product_type=diamond&limit=${count}`
  const { stones } = await read<{ stones: Stone[] }>(market.keys.supplierKey, path)
  const response = await market.call(market.keys.merchantKey, 'POST', '/api/v2/orders/place', {
    order_type: 'invoice',
    line_items: stones.map(({ sku }) => ({ sku, quantity: 1 })),
  })
  expect(response.status).toBe(200)
  const { uuid } = (await response.json()) as { uuid: string }
  return { uuid, stones }
}

const orderPath = (uuid: string) => `/supplier/orders/${uuid}`

describe.skipIf(!hasChromium)('a supplier in the console', { timeout: TIMEOUT_MS }, () => {
  it('finds the order that waits, confirms it and ships it', async () => {
    const { page } = tab
    const { uuid, stones } = await orderOf(1)
    await visit(tab, `/supplier/orders?waiting=yes&q=${stones[0].vendor_sku}`)
    await page.locator(`tbody a[href="${orderPath(uuid)}"]`).click()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByText(/^Confirmed /).waitFor()
    expect(await page.getByRole('button', { name: 'Decline', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Ship', exact: true }).click()
    await page.getByLabel('Carrier', { exact: true }).fill('Facet Express')
    await page.getByLabel('Tracking number', { exact: true }).fill('FX-88')
    await page.getByRole('button', { name: 'Confirm shipment', exact: true }).click()
    await page.getByText(/Facet Express FX-88$/).waitFor()
    const order = await read<Record<string, unknown>>(
      market.keys.adminKey,
      `/api/operator/orders/${uuid}`,
    )
    expect(order).toMatchObject({ fulfillment_status: 'fulfilled', confirmation: 'confirmed' })
  })

  it('reads its notices, and switches their e-mails off', async () => {
    const { page } = tab
    const { uuid } = await orderOf(1)
    await makeAllNotices(market.database.db)
    await visit(tab, '/supplier/notices?kind=order_placed')
    await page.locator(`a[href="${orderPath(uuid)}"]`).waitFor()
    const switches = page.getByRole('region', { name: 'E-mails' })
    await switches.getByLabel('orders that are placed').click()
    await page.getByText('E-mails about orders that are placed are off.').waitFor()
    const settings = await read(market.keys.supplierKey, '/api/supplier/notifications')
    expect(settings).toMatchObject({ order_placed: false, order_cancelled: true })
  })

  it('opens the order that an e-mail links to, as the merchant does', async () => {
    const { uuid } = await orderOf(1)
    await makeAllNotices(market.database.db)
    const linkOf = async (side: string, key: string) => {
      const path = `/api/${side}/notices?limit=1`
      const { notices } = await read<{ notices: { url: string }[] }>(key, path)
      return new URL(notices[0].url).pathname
    }
    const { merchantKey, supplierKey } = market.keys
    expect(await linkOf('supplier', supplierKey)).toBe(orderPath(uuid))
    await visit(tab, await linkOf('supplier', supplierKey))
    await tab.page.getByText(uuid, { exact: true }).waitFor()
    const merchant = await market.signIn(merchantKey)
    await visit(merchant, await linkOf('v3', merchantKey))
    await merchant.page.locator('.timeline').waitFor()
  })

  it('declines one of two lines with a reason', async () => {
    const { page } = tab
    const { uuid, stones } = await orderOf(2)
    await visit(tab, orderPath(uuid))
    await page.getByRole('button', { name: 'Decline', exact: true }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Decline', exact: true }).isDisabled()).toBe(
      true,
    )
    await dialog.getByLabel(new RegExp(`^${stones[0].vendor_sku}:`)).check()
    await dialog.getByLabel('Reason', { exact: true }).fill('sold elsewhere')
    await dialog.getByRole('button', { name: 'Decline', exact: true }).click()
    await page.getByText(/^Declined /).waitFor()
    await page.getByText('Waits for your answer', { exact: true }).waitFor()
    await visit(tab, `/supplier/stock?q=${stones[0].vendor_sku}`)
    await page.locator('tbody').getByText('No longer in your file', { exact: true }).waitFor()
  })

  it('confirms one of two lines, and exports what it sees', async () => {
    const { page } = tab
    const { uuid, stones } = await orderOf(2)
    await visit(tab, orderPath(uuid))
    const name = `Confirm ${stones[0].vendor_sku}`
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByText(/^Confirmed /).waitFor()
    await page.getByText('Waits for your answer', { exact: true }).waitFor()
    await visit(tab, `/supplier/orders?q=${stones[1].vendor_sku}`)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV', exact: true }).click()
    const text = readFileSync(await (await downloading).path(), 'utf8')
    for (const { sku } of stones) expect(text).toContain(sku)
  })

  it('finds its stones by kind and state, and reads every field of one', async () => {
    const { page } = tab
    const path = '/api/supplier/inventory?state=available&product_type=diamond&limit=1'
    const { stones } = await read<{ stones: Stone[] }>(market.keys.supplierKey, path)
    await visit(tab, '/supplier/stock')
    await page.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('diamond')
    await page.getByRole('combobox', { name: 'State', exact: true }).selectOption('available')
    await page.getByRole('button', { name: stones[0].vendor_sku, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: stones[0].vendor_sku, exact: true })
    await dialog.getByText('product_type', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  })

  it('leaves out what a viewer may not do', async () => {
    const { uuid } = await orderOf(1)
    const body = { email: 'reader@supplier.example', role: 'viewer' }
    const invited = await market.call(market.keys.supplierKey, 'POST', '/api/supplier/users', body)
    const { link } = (await invited.json()) as { link: string }
    const viewer = await market.open()
    await viewer.page.goto(market.address + new URL(link).pathname + new URL(link).hash)
    await viewer.page.getByRole('banner').waitFor()
    await visit(viewer, orderPath(uuid))
    await viewer.page.getByText('Waits for your answer', { exact: true }).waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Confirm', exact: true }).count()).toBe(0)
  })

  it('checks a file of its own, imports it and takes it back', async () => {
    const { page } = tab
    const feed = `Stock #,Shape,Weight,Color,Clarity,Measurements,Lab,Certificate #,Price Per Carat
OWN-1,Round,1.01,F,VS1,6.45-6.48x3.98,GIA,6141438171,6100
OWN-2,Oval,1.50,G,VS2,8.80x6.20x3.80,GIA,6141438172,7200
`
    await visit(tab, '/supplier/imports')
    const file = { name: 'own.csv', mimeType: 'text/csv', buffer: Buffer.from(feed) }
    await page.getByLabel('Choose a file', { exact: true }).setInputFiles(file)
    expect(await page.getByLabel(/^Supplier/).count()).toBe(0)
    await page.getByRole('button', { name: 'Check file', exact: true }).click()
    await page.getByText('Column mapping', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('link', { name: 'own.csv', exact: true }).first().click()
    await page.getByRole('button', { name: 'Undo import', exact: true }).click()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('undone', { exact: true }).waitFor()
  })

  it('reads its score card, and sees nothing of the other sides', async () => {
    const { page } = tab
    await visit(tab, '/supplier/scorecard')
    await page.getByRole('row', { name: /^Declined lines/ }).waitFor()
    await visit(tab, '/operator/merchants')
    await page.getByRole('heading', { name: 'Page not found', exact: true }).waitFor()
    expect(tab.problems).toEqual([])
  })
})
