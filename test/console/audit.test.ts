import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pngOf } from '../../src/pictures/png.ts'
import {
  type ConsoleMarket,
  hasChromium,
  openConsoleMarket,
  type Tab,
  visit,
} from '../support/browser.ts'

/** The audit log and the settings of the market, in a real browser. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let tab: Tab
let supplierUuid: string

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  const { adminKey } = market.keys
  const added = await market.call(adminKey, 'POST', '/api/operator/suppliers', { name: 'Audited' })
  ;({ uuid: supplierUuid } = (await added.json()) as { uuid: string })
  const path = `/api/operator/suppliers/${supplierUuid}`
  for (const contact of ['first@example.com', 'second@example.com']) {
    await market.call(adminKey, 'PATCH', path, { contact })
  }
  tab = await market.signIn(adminKey)
}, TIMEOUT_MS)
afterAll(() => market?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
async function read(path: string): Promise<any> {
  return (await market.call(market.keys.adminKey, 'GET', path)).json()
}

describe.skipIf(!hasChromium)('the audit log in the console', { timeout: TIMEOUT_MS }, () => {
  it('says what was before and after, and leads to what was changed', async () => {
    const { page } = tab
    await visit(tab, `/operator/audit?subject=${supplierUuid}`)
    const row = page.locator('tbody tr').first()
    await row.getByText('Supplier changed', { exact: true }).waitFor()
    expect(await row.locator('del').textContent()).toBe('first@example.com')
    expect(await row.locator('ins').textContent()).toBe('second@example.com')
    await row.getByRole('link', { name: `Open ${supplierUuid}`, exact: true }).click()
    await page.waitForURL(new RegExp(`/operator/suppliers/${supplierUuid}$`))
  })

  it('is filtered by what was done, by whom and when; Back returns', async () => {
    const { page } = tab
    await visit(tab, '/operator/audit')
    const filters = page.getByRole('region', { name: 'Filters', exact: true })
    await filters.getByRole('combobox', { name: 'What', exact: true }).selectOption('supplier.*')
    await page.getByRole('link', { name: 'Supplier changed', exact: true }).first().waitFor()
    const actions = page.locator('tbody td:nth-child(4) > a')
    const nouns = async () => new Set(await actions.allTextContents())
    await expect.poll(nouns).toEqual(new Set(['Supplier changed', 'Supplier added']))
    await actions.getByText('Supplier changed', { exact: true }).first().click()
    await expect.poll(nouns).toEqual(new Set(['Supplier changed']))
    await filters.getByLabel('From', { exact: true }).fill('2999-01-01')
    await page.getByText('No entries found', { exact: true }).waitFor()
    await page.goBack()
    await expect.poll(nouns).toEqual(new Set(['Supplier changed']))
    await filters.getByRole('link', { name: 'Clear filters', exact: true }).click()
    await page.locator('tbody td:nth-child(3) > a').first().click()
    await page.waitForURL(/actor=/)
    await filters.getByLabel('Number or SKU', { exact: true }).fill('NOSUCHTHING')
    await filters.getByLabel('Number or SKU', { exact: true }).press('Enter')
    await page.getByText('No entries found', { exact: true }).waitFor()
  })

  it('is paged by where the page before ended, and exported as a whole', async () => {
    const { page } = tab
    await visit(tab, '/operator/audit')
    const { entries } = await read('/api/operator/audit?limit=500')
    const older = page.getByRole('link', { name: 'Older entries →', exact: true })
    if (entries.length > 50) {
      await older.click()
      await page.getByRole('link', { name: 'Newest entries', exact: true }).click()
    }
    await expect.poll(() => page.locator('tbody tr').count()).toBe(Math.min(50, entries.length))
    await visit(tab, `/operator/audit?subject=${supplierUuid}`)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV', exact: true }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('audit-log.csv')
    const text = readFileSync(await download.path(), 'utf8')
    expect(text).toContain('second@example.com')
    expect(text.trim().split('\r\n').length).toBeGreaterThanOrEqual(3)
  })
})

describe.skipIf(!hasChromium)("the seller's page in the console", { timeout: TIMEOUT_MS }, () => {
  it('sets what documents show, with a logo', async () => {
    const { page } = tab
    await visit(tab, '/operator/seller')
    await page.getByLabel('Name of the seller', { exact: true }).fill('Facet Trading')
    await page.getByLabel('Bank account for payments', { exact: true }).fill('Example Bank\n123')
    const pixels = new Uint8Array(8 * 8 * 4).fill(200)
    const buffer = pngOf(pixels, 8, 8)
    const file = { name: 'logo.png', mimeType: 'image/png', buffer }
    await page.getByLabel(/^Logo/).setInputFiles(file)
    await page.getByAltText('The logo', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved. New documents show it.', { exact: true }).waitFor()
    expect(await read('/api/operator/settings')).toMatchObject({
      'seller.name': 'Facet Trading',
      'seller.bank': 'Example Bank\n123',
      'seller.logo': expect.stringMatching(/^data:image\/png/),
    })
  })

  it('adds a charge rule, and asks before it removes one', async () => {
    const { page } = tab
    await visit(tab, '/operator/seller')
    const rules = page.getByRole('region', { name: 'Charge rules', exact: true }).first()
    await rules.getByLabel('Country code; empty: every other', { exact: true }).fill('DE')
    await rules.getByLabel('On the invoice', { exact: true }).fill('Insured shipping')
    await rules.getByLabel('Amount in US dollars', { exact: true }).fill('45')
    await rules.getByRole('button', { name: 'Add rule', exact: true }).click()
    await rules.getByRole('cell', { name: 'Germany', exact: true }).waitFor()
    const name = 'Remove the rule Insured shipping (Germany)'
    await rules.getByRole('button', { name, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('The rule is removed.', { exact: true }).waitFor()
    await rules.getByRole('cell', { name: 'Germany', exact: true }).waitFor({ state: 'detached' })
  })

  it('loads a price grid', async () => {
    const { page } = tab
    await visit(tab, '/operator/seller')
    const sheet = 'BR,VS1,G,1.00,1.49,8200,4/30/2026\nBR,VS2,G,1.00,1.49,7200,4/30/2026\n'
    const file = { name: 'round-april.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) }
    await page.getByLabel(/^CSV without a header/).setInputFiles(file)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Load', exact: true }).click()
    await page.getByText(/^Loaded\. New list price: /).waitFor()
    await page.getByRole('cell', { name: 'round-april.csv', exact: true }).waitFor()
    expect(tab.problems).toEqual([])
  })
})
