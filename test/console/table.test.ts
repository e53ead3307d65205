import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { windowAt } from '../../console/src/search/table/rows-window.ts'
import {
  type ConsoleMarket,
  hasChromium,
  NARROW,
  openConsoleMarket,
  settled,
  type Tab,
  violationsOn,
  visit,
  WIDE,
} from '../support/browser.ts'
import { untranslatedOn } from './untranslated.ts'

/** The trading table and the filters of the diamond search, on one server. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let merchant: Tab

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  merchant = await market.signIn(market.keys.merchantKey)
}, TIMEOUT_MS)
afterAll(() => market?.close())

describe.skipIf(!hasChromium)('the trading table', { timeout: TIMEOUT_MS }, () => {
  const row = (index: number) => merchant.page.locator(`[aria-rowindex="${index + 2}"]`)
  const box = (index: number) => row(index).getByRole('checkbox')
  const selected = () => merchant.page.locator('.table-tools strong')

  it('keeps the columns, widths and density that somebody has chosen', async () => {
    const { page } = merchant
    await visit(merchant, '/search?view=table')
    await row(0).getByRole('link').waitFor()
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByLabel('Ratio', { exact: true }).check()
    await page.getByLabel('Polish', { exact: true }).uncheck()
    await page.getByRole('button', { name: 'Move Color forward', exact: true }).click()
    await page.getByLabel(/^Rows/).selectOption('compact')
    expect(await violationsOn(page)).toEqual([])
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    const edge = page.getByRole('separator', { name: 'Width of Color', exact: true })
    await edge.focus()
    await page.keyboard.press('ArrowRight')
    const width = await edge.getAttribute('aria-valuenow')
    await page.reload()
    await row(0).getByRole('link').waitFor()
    const heads = await page.getByRole('columnheader').allInnerTexts()
    expect(heads.slice(0, 3).map((text) => text.trim())).toEqual(['SKU', 'Color', 'Carat'])
    expect(heads).toContain('Ratio')
    expect(heads).not.toContain('Polish')
    expect(await edge.getAttribute('aria-valuenow')).toBe(width)
    expect((await row(0).boundingBox())?.height).toBe(32)
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByRole('button', { name: 'Reset', exact: true }).click()
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    await expect.poll(async () => (await row(0).boundingBox())?.height).toBe(44)
  })

  it('keeps head and first column in sight while it scrolls', async () => {
    const { page } = merchant
    await page.evaluate("document.querySelector('.virtual').scrollTo(400, 5000)")
    await row(115).getByRole('link').waitFor()
    const frame = await page.locator('.virtual').boundingBox()
    const [head, link] = await Promise.all([
      page.getByRole('columnheader', { name: /^SKU/ }).boundingBox(),
      row(115).getByRole('rowheader').boundingBox(),
    ])
    expect(head?.y).toBeCloseTo((frame?.y ?? 0) + 1, 0)
    expect(link?.x).toBeCloseTo((frame?.x ?? 0) + 1, 0)
  })

  it('reaches the end of a long list with few rows in the page', async () => {
    const { page } = merchant
    await visit(merchant, '/search?view=table')
    await settled(merchant)
    const total = await page.getByRole('table').getAttribute('aria-rowcount')
    const last = Number(total) - 2
    expect(last).toBeGreaterThan(1_000)
    await page.locator('.virtual').focus()
    await page.keyboard.press('End')
    await row(last).getByRole('link').waitFor()
    const frame = await page.locator('.virtual').boundingBox()
    const end = await row(last).boundingBox()
    const bottom = (box: typeof end) => (box?.y ?? 0) + (box?.height ?? 0)
    expect(bottom(end)).toBeLessThanOrEqual(bottom(frame))
    await settled(merchant)
    expect(await page.locator('.stone-row').count()).toBeLessThan(60)
    expect(await page.locator('.stone-row.is-waiting').count()).toBe(0)
    await page.keyboard.press('Home')
    await row(0).getByRole('link').waitFor()
  })

  it('selects rows one by one, in ranges and all, for basket, comparison and export', async () => {
    const { page } = merchant
    await visit(merchant, '/search?view=table&shape=oval')
    await settled(merchant)
    await box(1).click()
    await page.evaluate("document.querySelector('.virtual').scrollTo(0, 44 * 38)")
    await box(40).click({ modifiers: ['Shift'] })
    await expect.poll(() => selected().innerText()).toBe('40 selected')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByRole('button', { name: /^Select (all|the first)/ }).click()
    const total = await page.locator('.results-count').innerText()
    await expect.poll(() => selected().innerText()).toBe(`${total.replace(' stones', '')} selected`)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV', exact: true }).click()
    const stream = await (await download).createReadStream()
    const lines = (await stream.toArray()).join('').trim().split('\r\n')
    expect(`${lines.length - 1} stones`).toBe(total.replace(',', ''))
    expect(lines[0]).toMatch(/^SKU,Carat,Color/)
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.evaluate("document.querySelector('.virtual').scrollTo(0, 0)")
    for (const index of [0, 2]) await box(index).click()
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByRole('heading', { name: /^Compare/ }).waitFor()
    expect(page.url()).toMatch(/sku=\w+(,|%2C)\w+$/)
  })

  it('is used with the keys j, k, x, b, h and ?', async () => {
    const { page } = merchant
    await visit(merchant, '/search?view=table&shape=pear&with=available')
    await settled(merchant)
    for (const key of ['j', 'j', 'j', 'k', 'x', 'j', 'x']) await page.keyboard.press(key)
    await expect.poll(() => selected().innerText()).toBe('2 selected')
    expect(await box(1).isChecked()).toBe(true)
    expect(await box(2).isChecked()).toBe(true)
    const badge = page.locator('.basket-link .badge').last()
    const before = Number(await badge.innerText())
    await page.keyboard.press('b')
    await expect.poll(async () => Number(await badge.innerText())).toBe(before + 2)
    await page.keyboard.press('h')
    await page.getByRole('button', { name: 'Place hold', exact: true }).click()
    const held = page.getByText(/on hold for you\.$/)
    await held
      .or(page.getByText(/could not be held/))
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keys of the table', exact: true }).waitFor()
    expect(await violationsOn(page)).toEqual([])
    await page.keyboard.press('Escape')
    const sku = await row(2).getByRole('link').innerText()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain(`/stones/${sku}`)
  })
})

describe('the rows of a table that exist', () => {
  const size = fc.record({
    total: fc.integer({ min: 1, max: 2_000_000 }),
    rowPx: fc.constantFrom(32, 44),
  })

  it('fill the view wherever it is scrolled to, and are few', () => {
    fc.assert(
      fc.property(
        size,
        fc.integer({ min: 100, max: 2_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (table, viewPx, part) => {
          const { heightPx } = windowAt(table, { topPx: 0, viewPx })
          const topPx = Math.max(0, heightPx - viewPx) * part
          const { first, last, shiftPx } = windowAt(table, { topPx, viewPx })
          expect(heightPx).toBeLessThan(17_000_000)
          expect(last - first).toBeLessThan(100)
          const isAtStart = first === 0
          expect(isAtStart || shiftPx - topPx <= table.rowPx).toBe(true)
          const endPx = shiftPx + (last - first) * table.rowPx - topPx
          expect(last === table.total || endPx >= viewPx).toBe(true)
        },
      ),
    )
  })

  it.each([100_000, 1_000_000])('end with the last of %i at the end of the list', (total) => {
    const table = { total, rowPx: 44 }
    const { heightPx } = windowAt(table, { topPx: 0, viewPx: 700 })
    const { first, last, shiftPx } = windowAt(table, { topPx: heightPx - 700, viewPx: 700 })
    expect(last).toBe(total)
    expect(shiftPx + (last - first) * 44).toBeCloseTo(heightPx, 3)
  })
})

describe.skipIf(!hasChromium)('the search in German', { timeout: TIMEOUT_MS }, () => {
  let german: Tab
  beforeAll(async () => {
    german = await market.signIn(market.keys.merchantKey, { ...WIDE, locale: 'de-DE' })
  }, TIMEOUT_MS)

  it('reads German words, and has no English text in table, dialogs and palette', async () => {
    const { page } = german
    await visit(german, '/search?view=table')
    await page
      .getByRole('searchbox', { name: 'Suche', exact: true })
      .fill('rund ab 0,5 Karat bis 9.000')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toMatch(/shape=round&weight=0.5-&retail_price=-9000/)
    await page.getByText('Karat: ab 0,5', { exact: false }).waitFor()
    await settled(german)
    expect(await untranslatedOn(page)).toEqual([])
    const cut = `[...document.querySelectorAll('.stone-head > *, .stone-row .tools')]
      .filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)`
    expect(await page.evaluate(cut)).toEqual([])
    for (const key of ['?', 'Control+k']) {
      await page.keyboard.press(key)
      await page.getByRole('dialog').waitFor()
      expect(await untranslatedOn(page)).toEqual([])
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: 'Spalten', exact: true }).click()
    await page.getByRole('button', { name: 'Farbe nach vorn', exact: true }).waitFor()
    expect(await untranslatedOn(page)).toEqual([])
    await page.getByRole('button', { name: 'Fertig', exact: true }).click()
  })

  it('explains what was chosen, and what would be found', async () => {
    const { page } = german
    for (const path of [
      '/curated',
      '/curated?pair=yes&shape=oval',
      '/search?shape=calf&weight=9-10',
    ]) {
      await visit(german, path)
      await settled(german)
      expect(await untranslatedOn(page)).toEqual([])
      expect(await page.locator('main [lang=en]').count()).toBe(0)
    }
    await page
      .getByText('Mit einer dieser Änderungen finden Sie welche:', { exact: true })
      .waitFor()
    await visit(german, '/parcels')
    await page.locator('.parcel-cell').first().click()
    await page.getByRole('dialog').waitFor()
    expect(await untranslatedOn(page)).toEqual([])
    expect(german.problems).toEqual([])
  })
})

describe.skipIf(!hasChromium)('the filters', { timeout: TIMEOUT_MS }, () => {
  it('count shapes, have 3EX, open the group that is in use, and are cleared together', async () => {
    const { page } = merchant
    await visit(merchant, '/search?ratio=1.3-1.5&girdle_min=MD')
    await settled(merchant)
    await page.getByText(/^Best value first: /).waitFor()
    expect(await page.getByLabel('Length-to-width ratio from').inputValue()).toBe('1.3')
    await page.getByText('Girdle, thinnest part: Medium').waitFor()
    await page.getByRole('button', { name: 'Clear all', exact: true }).click()
    await expect.poll(() => page.url()).not.toContain('ratio')
    await settled(merchant)
    const round = await page
      .getByLabel(/^Round/)
      .first()
      .locator('..')
      .innerText()
    const count = Number(round.replaceAll(/\D/g, ''))
    await page
      .getByLabel(/^Round/)
      .first()
      .check({ force: true })
    const shown = async () =>
      Number((await page.locator('.results-count').innerText()).replaceAll(/\D/g, ''))
    await expect.poll(shown).toBe(count)
    await page.getByLabel(/^3EX/).check()
    await expect
      .poll(() => page.url())
      .toContain('cut_grade=IDL%2CEX&polish_grade=EX&symmetry_grade=EX')
    await page.getByLabel(/^Sort by/).selectOption('created_on')
    await page.getByRole('button', { name: '↑ Ascending', exact: true }).click()
    await page.getByText('The newest on the market first', { exact: true }).waitFor()
  })

  it('are a sheet on a phone, which says what it would show', async () => {
    const phone = await market.signIn(market.keys.merchantKey, NARROW)
    const { page } = phone
    await visit(phone, '/search')
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByLabel(/^Oval/).first().check({ force: true })
    const show = page.getByRole('button', { name: /^Show \d/ })
    await expect.poll(() => page.locator('.results-count').innerText()).not.toContain(',')
    const total = await page.locator('.results-count').innerText()
    await expect.poll(() => show.innerText()).toBe(`Show ${total}`)
    await settled(phone)
    expect(await violationsOn(page)).toEqual([])
    await show.click()
    await page.getByRole('button', { name: 'Filters 1', exact: true }).waitFor()
    expect(phone.problems).toEqual([])
    await phone.context.close()
  })
})
