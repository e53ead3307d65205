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

/** The operator's overview and figures in a real browser. */
const TIMEOUT_MS = 240_000
const SCREENSHOTS = process.env.SCREENSHOTS
let market: ConsoleMarket
let tab: Tab

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  tab = await market.signIn(market.keys.adminKey, { colorScheme: 'light', width: 1440 })
}, TIMEOUT_MS)
afterAll(() => market?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
async function read(path: string): Promise<any> {
  return (await market.call(market.keys.adminKey, 'GET', path)).json()
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

async function photograph({ page }: Tab, name: string): Promise<void> {
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true })
}

async function widthOf({ page }: Tab): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth')
}

describe.skipIf(!hasChromium)('the overview of the operator', { timeout: TIMEOUT_MS }, () => {
  it('says first what waits, each with its number and the list of that length', async () => {
    const { page } = tab
    await visit(tab, '/operator')
    await settled(tab)
    await photograph(tab, 'overview-light-1440')
    const { waiting } = await read('/api/operator/overview')
    const headings = await page.locator('main h2').allInnerTexts()
    expect(headings[0]).toBe('What needs you now')
    const link = page.getByRole('link', {
      name: `${waiting.orders_to_ship} Orders with something left to ship`,
      exact: true,
    })
    await link.click()
    await page.getByText(`${waiting.orders_to_ship} orders`, { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?unshipped=yes')
  })

  it('counts every task as its list does', async () => {
    const { waiting } = await read('/api/operator/overview')
    const lists: [string, string][] = [
      ['orders_to_confirm', '/api/operator/orders?unconfirmed=true&limit=1'],
      ['orders_to_ship', '/api/operator/orders?has_unfulfilled=true&limit=1'],
      ['overdue_memos', '/api/operator/orders?overdue=true&limit=1'],
      ['overdue_invoices', '/api/operator/orders?past_due=true&limit=1'],
      ['quotes_requested', '/api/operator/quotes?status=requested&limit=1'],
      ['returns_requested', '/api/operator/returns?status=requested&limit=1'],
      ['returns_to_receive', '/api/operator/returns?status=approved&limit=1'],
      ['quarantined_rows', '/api/operator/inventory/quarantine?limit=1'],
      ['conflicts', '/api/operator/inventory/conflicts?limit=1'],
    ]
    for (const [name, path] of lists) {
      expect((await read(path)).total, path).toBe(waiting[name])
    }
  })

  it('says so when nothing waits', async () => {
    const { page } = tab
    await page.route('**/api/operator/overview', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      for (const name of Object.keys(body.waiting)) body.waiting[name] = 0
      await route.fulfill({ response, json: body })
    })
    await visit(tab, '/operator/notices')
    await visit(tab, '/operator')
    await page.getByRole('heading', { name: 'Nothing needs you now', exact: true }).waitFor()
    await page.unroute('**/api/operator/overview')
  })
})

describe.skipIf(!hasChromium)('the figures', { timeout: TIMEOUT_MS }, () => {
  it('are charts whose values the arrow keys and the pointer say', async () => {
    const { page } = tab
    await visit(tab, '/operator/figures')
    await settled(tab)
    await photograph(tab, 'figures-light-1440')
    const { days } = await read('/api/operator/figures')
    const chart = page.getByRole('slider', {
      name: 'Goods sold: choose a day with the arrow keys',
      exact: true,
    })
    await chart.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    const value = dollars.format(days[28].sold)
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain(`: ${value}, before `)
    expect(await chart.getAttribute('aria-valuenow')).toBe('29')
    const panel = page.getByRole('region', { name: 'Goods sold', exact: true })
    expect(await panel.innerText()).toContain(value)
    await page.keyboard.press('Tab')
    const box = await chart.boundingBox()
    if (!box) throw new Error('the chart is not shown')
    await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2)
    await expect.poll(() => chart.getAttribute('aria-valuenow')).toBe('30')
    await expect.poll(() => panel.innerText()).toContain(dollars.format(days[29].sold))
  })

  it('have a table and a CSV file of the same numbers, and a range of their own', async () => {
    const { page } = tab
    await page.getByLabel('7 days', { exact: true }).check()
    await settled(tab)
    const week = await read(`/api/operator/figures?from=${dayBefore(6)}`)
    expect(week.days).toHaveLength(7)
    const rows = page.getByRole('region', { name: 'All figures', exact: true }).locator('tr')
    await expect.poll(() => rows.count()).toBe(1 + 7 + 2)
    const total = await rows.nth(8).innerText()
    expect(total).toContain(dollars.format(week.totals.sold))
    expect(total).toContain(dollars.format(week.totals.margin))
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV', exact: true }).click()
    const file = await download
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(8)
    expect(lines[7].split(',').slice(0, 3)).toEqual([
      week.to,
      String(week.days[6].orders),
      String(week.days[6].sold),
    ])
    await page.getByLabel('Own dates', { exact: true }).check()
    await page.getByLabel('First day', { exact: true }).fill(dayBefore(9))
    await page.getByLabel('Last day', { exact: true }).fill(dayBefore(7))
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(1 + 3 + 2)
    await page.getByLabel('Compare with the period before', { exact: true }).uncheck()
    await expect.poll(() => rows.count()).toBe(1 + 3 + 1)
    await page.goBack()
    await expect.poll(() => rows.count()).toBe(1 + 3 + 2)
  })

  it('add up weeks over a year', async () => {
    const { page } = tab
    await page.getByLabel('Year', { exact: true }).check()
    await settled(tab)
    const chart = page.getByRole('slider').first()
    expect(await chart.getAttribute('aria-valuemax')).toBe('53')
    const year = await read(`/api/operator/figures?from=${dayBefore(364)}`)
    const table = page.getByRole('region', { name: 'All figures', exact: true })
    expect(await table.locator('tfoot').innerText()).toContain(dollars.format(year.totals.sold))
  })

  it('fit on a phone in German, and axe finds nothing', async () => {
    const phone = await market.signIn(market.keys.adminKey, GERMAN_NARROW)
    for (const path of ['/operator', '/operator/figures', '/operator/figures?range=365']) {
      await visit(phone, path)
      await settled(phone)
      await photograph(phone, `phone${path.replaceAll(/[^a-z0-9]+/g, '-')}`)
      expect(await widthOf(phone), path).toBeLessThanOrEqual(360)
      expect(await untranslatedOn(phone.page), path).toEqual([])
      expect(await violationsOn(phone.page), path).toEqual([])
    }
    expect(phone.problems).toEqual([])
    expect(tab.problems).toEqual([])
  })
})

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
