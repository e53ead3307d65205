import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  GERMAN_NARROW,
  hasChromium,
  openConsoleMarket,
  settled,
  type Tab,
  violationsOn,
  visit,
} from '../support/browser.ts'
import { untranslatedOn } from './untranslated.ts'

/** Tables that sort by their columns and whose rows are selected for a file. */
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
async function read(path: string): Promise<any> {
  return (await market.call(market.keys.adminKey, 'GET', path)).json()
}

const heads = ({ page }: Tab, name: string) =>
  page.getByRole('columnheader', { name, exact: true }).first()

/** Clicks a column and waits for the order that follows. */
async function sortBy(there: Tab, name: string, order: 'ascending' | 'descending') {
  const head = heads(there, name)
  await head.getByRole('button').click()
  await expect.poll(() => head.getAttribute('aria-sort')).toBe(order)
  await settled(there)
}

/** The text of one column, from the first row to the last. */
function column({ page }: Tab, place: number): Promise<string[]> {
  return page.locator(`tbody tr > td:nth-child(${place})`).allInnerTexts()
}

describe.skipIf(!hasChromium)('a table of the console', { timeout: TIMEOUT_MS }, () => {
  it('that the page has as a whole sorts by the keyboard, both ways, and Back undoes it', async () => {
    const { page } = tab
    await visit(tab, '/operator/suppliers')
    const { suppliers } = await read('/api/operator/suppliers/figures')
    const names = suppliers.map(({ name }: { name: string }) => name)
    const most = suppliers.toSorted(
      (a: { stones: number }, b: { stones: number }) => b.stones - a.stones,
    )
    const stones = (from: { stones: number }[]) =>
      from.map((row) => row.stones.toLocaleString('en-US'))
    await heads(tab, 'For sale').getByRole('button').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => column(tab, 3)).toEqual(stones(most))
    expect(await heads(tab, 'For sale').getAttribute('aria-sort')).toBe('descending')
    await page.keyboard.press('Enter')
    await expect.poll(() => column(tab, 3)).toEqual(stones(most.toReversed()))
    expect(page.url()).toMatch(/\?sort=stones$/)
    await page.goBack()
    await expect.poll(() => column(tab, 3)).toEqual(stones(most))
    await page.goBack()
    await expect.poll(() => page.locator('th[aria-sort]').count()).toBe(0)
    await expect
      .poll(async () => (await column(tab, 2)).map((text) => text.split('\n')[0]))
      .toEqual(names)
    expect(await violationsOn(page)).toEqual([])
  })

  it('that has pages is sorted by the server, from the first page on', async () => {
    const { page } = tab
    await visit(tab, '/operator/stock?kind=diamond&offset=50')
    await sortBy(tab, 'Wholesale', 'descending')
    expect(page.url()).not.toContain('offset')
    const list = '/api/operator/inventory/gems?product_type=diamond&limit=50'
    const { gems } = await read(`${list}&sort_col=wholesale_price&sort_order=desc`)
    const skus = gems.map(({ sku }: { sku: string }) => sku)
    await expect.poll(() => column(tab, 2)).toEqual(skus)
    await page.getByRole('link', { name: 'Next →', exact: true }).click()
    await expect.poll(() => page.url()).toContain('sort=-wholesale_price&offset=50')

    await visit(tab, '/operator/merchants')
    await sortBy(tab, 'Name', 'ascending')
    const { merchants } = await read('/api/operator/merchants?sort_col=legal_dba')
    const shown = (await column(tab, 2)).map((text) => text.split('\n')[0].replace(/ Test$/, ''))
    expect(shown).toEqual(merchants.map((each: { legal_dba: string }) => each.legal_dba))

    await visit(tab, '/operator/imports')
    await sortBy(tab, 'New', 'descending')
    const { imports } = await read('/api/operator/imports?limit=25&sort_col=added&sort_order=desc')
    const files = imports.map((each: { file_name: string }) => each.file_name)
    expect(await column(tab, 2)).toEqual(files)
  })

  it('of orders sorts for the operator and for the merchant', async () => {
    await visit(tab, '/operator/orders')
    await sortBy(tab, 'Merchant', 'ascending')
    const { orders } = await read('/api/operator/orders?limit=25&sort_col=merchant_legal_dba')
    const ids = orders.map((each: { order_id: string }) => each.order_id)
    const firstLines = async (there: Tab, place: number) =>
      (await column(there, place)).map((text) => text.split('\n')[0])
    expect(await firstLines(tab, 2)).toEqual(ids)
    const merchant = await market.signIn(market.keys.merchantKey)
    await visit(merchant, '/orders')
    const before = await firstLines(merchant, 2)
    await sortBy(merchant, 'Placed', 'ascending')
    const after = await firstLines(merchant, 2)
    expect(after).not.toEqual(before)
    expect(merchant.problems).toEqual([])
    await merchant.context.close()
  })

  it('saves the selected rows, also those of another page, and only them', async () => {
    const { page } = tab
    await visit(tab, '/operator/orders')
    await settled(tab)
    const { orders, total } = await read(
      '/api/operator/orders?limit=500&sort_col=ordered_on&sort_order=desc',
    )
    expect(total).toBeGreaterThan(25)
    const ids: string[] = orders.map((each: { order_id: string }) => each.order_id)
    const box = (id: string) => page.getByRole('checkbox', { name: `Select ${id}`, exact: true })
    await box(ids[1]).check()
    await box(ids[3]).click({ modifiers: ['Shift'] })
    await page.getByText('3 selected', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Next →', exact: true }).click()
    await box(ids[25]).check()
    expect(await violationsOn(page)).toEqual([])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export 4 rows as CSV', exact: true }).click()
    const text = readFileSync(await (await download).path(), 'utf8')
    const saved = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((row) => row.split(',')[0])
    expect(saved.toSorted()).toEqual([ids[1], ids[2], ids[3], ids[25]].toSorted())
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByRole('button', { name: 'Export CSV', exact: true }).waitFor()
    const all = page.getByRole('checkbox', { name: 'Select all rows of this page', exact: true })
    await all.check()
    const count = Math.min(25, total - 25)
    await page.getByText(`${count} selected`, { exact: true }).waitFor()
    await all.uncheck()
    await expect.poll(() => page.getByText(/ selected$/).count()).toBe(0)
    expect(tab.problems).toEqual([])
  })

  it('is German and fits on a phone with its check boxes and arrows', async () => {
    const phone = await market.signIn(market.keys.adminKey, GERMAN_NARROW)
    for (const path of [
      '/operator/orders?sort=-total',
      '/operator/stock?sort=weight',
      '/operator/merchants?sort=legal_dba',
      '/operator/memos?sort=-value',
      '/operator/rates?sort=-rate',
    ]) {
      await visit(phone, path)
      await settled(phone)
      expect(await phone.page.locator('th[aria-sort]').count(), path).toBe(1)
      expect(await untranslatedOn(phone.page), path).toEqual([])
      expect(await violationsOn(phone.page), path).toEqual([])
      const width = await phone.page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width, path).toBeLessThanOrEqual(GERMAN_NARROW.width)
    }
    expect(phone.problems).toEqual([])
  })
})
