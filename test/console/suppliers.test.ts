import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { addSource } from '../../src/feeds/sources/source-store.ts'
import {
  type ConsoleMarket,
  hasChromium,
  NARROW,
  openConsoleMarket,
  type Tab,
  violationsOn,
  visit,
} from '../support/browser.ts'
import { testSecrets } from '../support/secrets.ts'

/** What the operator does with suppliers in a real browser, from the first to the last step. */
const TIMEOUT_MS = 240_000
const NAME = 'Hollybrook Stones'
let market: ConsoleMarket
let tab: Tab

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  tab = await market.signIn(market.keys.adminKey)
}, TIMEOUT_MS)
afterAll(() => market?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
async function read(path: string): Promise<any> {
  return (await market.call(market.keys.adminKey, 'GET', path)).json()
}

async function supplierNamed(name: string): Promise<{ uuid: string; markup: number }> {
  const { suppliers } = await read('/api/operator/suppliers')
  return suppliers.find((each: { name: string }) => each.name === name)
}

const open = async (part = '') =>
  visit(tab, `/operator/suppliers/${(await supplierNamed(NAME)).uuid}${part && `?tab=${part}`}`)

describe.skipIf(!hasChromium)('suppliers in the console', { timeout: TIMEOUT_MS }, () => {
  it('are listed with stock, files and what waits, and found by name', async () => {
    const { page } = tab
    await visit(tab, '/operator/suppliers')
    const { suppliers } = await read('/api/operator/suppliers/figures')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(suppliers.length)
    const most = suppliers.toSorted(
      (a: { stones: number }, b: { stones: number }) => b.stones - a.stones,
    )[0]
    await page.getByLabel('Filter by name', { exact: true }).fill(most.name)
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    const shown = new Intl.NumberFormat('en-US').format(most.stones)
    await page.locator('tbody').getByText(shown, { exact: true }).first().waitFor()
  })

  it('are added, and a new markup asks before it changes prices', async () => {
    const { page } = tab
    await visit(tab, '/operator/suppliers')
    await page.getByRole('button', { name: 'Add supplier', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill(NAME)
    await dialog.getByLabel('Country, three letters', { exact: true }).fill('ind')
    await dialog.getByRole('button', { name: 'Add supplier', exact: true }).click()
    await page.getByRole('heading', { name: NAME, exact: true }).waitFor()
    await page.getByLabel('Markup in percent', { exact: true }).fill('4.5')
    await page.getByLabel('Confirms or declines each order line', { exact: true }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Change prices', exact: true }).click()
    await page.getByText('Saved. Repriced: 0 stones.', { exact: true }).waitFor()
    expect(await supplierNamed(NAME)).toMatchObject({
      markup: 4.5,
      confirms: true,
      country_code: 'IND',
    })
  })

  it('refuse what is not JSON before anything is sent', async () => {
    const { page } = tab
    await open()
    await page.getByText('How its files are read', { exact: true }).click()
    await page.getByLabel('Columns of files with stones', { exact: true }).fill('{"Cts.": ')
    await page.getByText('This is not JSON.', { exact: true }).waitFor()
    await page.getByLabel('Columns of files with stones', { exact: true }).fill('')
  })

  it('have sources: added with a secret that is never shown, failing in words, removed', async () => {
    const { page } = tab
    await open('sources')
    await page.getByRole('button', { name: 'Add source', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Address:/).fill('https://127.0.0.1:9/stock.csv')
    await dialog.getByLabel('User', { exact: true }).fill('pavilion')
    await dialog.getByLabel('Password', { exact: true }).fill('a-long-password')
    await dialog.getByRole('button', { name: 'Add source', exact: true }).click()
    const panel = page.getByRole('region', { name: 'Source https://127.0.0.1:9/stock.csv' })
    await panel.getByText('a password', { exact: true }).waitFor()
    expect(await page.content()).not.toContain('a-long-password')
    await panel.getByRole('button', { name: 'Run now', exact: true }).click()
    await dialog.getByRole('button', { name: 'Run', exact: true }).click()
    await dialog
      .getByRole('alert')
      .getByText(/private network/)
      .waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await panel.getByText('failing', { exact: true }).waitFor()
    // A run that begins while the page is open is followed to its end.
    const { sources } = await read('/api/operator/sources?supplier=Hollybrook%20Stones')
    await panel.getByRole('button', { name: 'Pause', exact: true }).click()
    await panel.getByRole('button', { name: 'Resume', exact: true }).click()
    await panel.getByRole('row').nth(1).waitFor()
    const path = `/api/operator/sources/${sources[0].uuid}/run`
    await market.call(market.keys.adminKey, 'POST', path, {})
    await panel.getByRole('row').nth(2).waitFor()
    await panel.getByRole('button', { name: 'Pause', exact: true }).click()
    await panel.getByText('paused', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Remove', exact: true }).click()
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No sources yet', { exact: true }).waitFor()
    expect((await read('/api/operator/sources?supplier=Hollybrook%20Stones')).total).toBe(0)
  })

  it('have runs with their results, which lead to the import', async () => {
    const { page } = tab
    const file = join(mkdtempSync(join(tmpdir(), 'suppliers-')), 'hollybrook.csv')
    writeFileSync(
      file,
      `Stock #,Shape,Weight,Color,Clarity,Measurements,Lab,Certificate #,Price Per Carat
H-1,Round,1.01,F,VS1,6.45-6.48x3.98,GIA,6141439171,6100
H-2,Oval,1.50,G,VS2,8.80x6.20x3.80,GIA,6141439172,7200
`,
    )
    const source = { supplier: NAME, url: pathToFileURL(file).href, every: '1d' }
    const options = { secrets: testSecrets(), isFileAllowed: true }
    await inTransaction(market.database.db, (tx) => addSource(tx, source, options))
    await visit(tab, '/operator/suppliers')
    await open('sources')
    const panel = page.getByRole('region', { name: `Source ${source.url}` })
    await panel.getByText('every day', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Run now', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click()
    await panel.getByText('2 rows: 2 new, 0 changed, 0 removed, 0 rejected.').waitFor()
    await panel.getByRole('link', { name: 'hollybrook.csv', exact: true }).first().click()
    await page.waitForURL(/\/operator\/imports\//)
    await open('imports')
    await page.getByRole('link', { name: 'hollybrook.csv', exact: true }).waitFor()
    await open('score')
    await page.getByRole('row', { name: /^Rows of files/ }).waitFor()
  })

  it('have users, who are invited, and keys, which are created and revoked', async () => {
    const { page } = tab
    await open('people')
    await page.getByRole('button', { name: 'Invite a user', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail address', { exact: true }).fill('owner@hollybrook.example')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.locator('code').waitFor()
    expect(await dialog.locator('code').textContent()).toContain('/sign-in#')
    await dialog.getByRole('button', { name: 'Done', exact: true }).click()
    await page
      .getByRole('cell', { name: /owner@hollybrook.example/ })
      .first()
      .waitFor()
    await page.getByLabel('Name of a new key', { exact: true }).fill('stock software')
    await page.getByRole('button', { name: 'Create key', exact: true }).click()
    await dialog.locator('code').waitFor()
    const key = (await dialog.locator('code').textContent()) ?? ''
    expect((await market.call(key, 'GET', '/api/supplier/scorecard')).status).toBe(200)
    await dialog.getByRole('button', { name: 'Done', exact: true }).click()
    await page.getByRole('button', { name: `Revoke key …${key.slice(-4)}`, exact: true }).click()
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('No keys yet.', { exact: true }).waitFor()
    expect((await market.call(key, 'GET', '/api/supplier/scorecard')).status).toBe(401)
    expect(tab.problems).toEqual([])
  })

  it('fit on a phone, in the dark and in German', async () => {
    const narrow = await market.signIn(market.keys.adminKey, NARROW)
    const { uuid } = await supplierNamed(NAME)
    await narrow.page.evaluate("localStorage.setItem('pavilion-language', 'de')")
    await narrow.page.reload()
    await narrow.page.getByRole('banner').waitFor()
    await visit(narrow, `/operator/suppliers/${uuid}?tab=sources`)
    await narrow.page.getByRole('button', { name: 'Quelle anlegen', exact: true }).click()
    await narrow.page
      .getByRole('dialog')
      .getByRole('combobox', { name: 'Modus', exact: true })
      .waitFor()
    expect(await violationsOn(narrow.page)).toEqual([])
    const width = await narrow.page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(NARROW.width)
  })
})
