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

describe.skipIf(!hasChromium)('the filters', { timeout: TIMEOUT_MS }, () => {
  it('count shapes, have 3EX, open the group that is in use, and are cleared together', async () => {
    const { page } = merchant
    await visit(merchant, '/search?ratio=1.3-1.5&girdle_min=MD')
    await settled(merchant)
    await page.getByText('The lowest price first', { exact: true }).waitFor()
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
