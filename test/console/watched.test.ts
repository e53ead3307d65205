import { mkdirSync } from 'node:fs'
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

const TIMEOUT_MS = 240_000
const SCREENSHOTS = process.env.SCREENSHOTS
let market: ConsoleMarket
let tab: Tab
let sku: string

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  const filters = { shape: ['round'], weight_min: 0.9, has_media: true }
  const body = { filters, limit: 1 }
  const found = await market.call(
    market.keys.merchantKey,
    'POST',
    '/api/v3/diamonds/merchant_search',
    body,
  )
  sku = (await found.json()).gems[0].sku
  await market.database.db.deleteFrom('watched_stone').execute()
  tab = await market.signIn(market.keys.merchantKey, { colorScheme: 'light', width: 1440 })
}, TIMEOUT_MS)
afterAll(() => market?.close())

const button = (name: string) => tab.page.getByRole('button', { name, exact: true })
const main = () => tab.page.locator('main').innerText()

async function picture({ page }: Tab, name: string) {
  if (!SCREENSHOTS) return
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` })
}

describe.skipIf(!hasChromium)('the watch list', () => {
  it(
    'has stones that were marked on their page or in the table, and what happened to them',
    async () => {
      const { page } = tab
      await visit(tab, '/watch')
      await expect.poll(main).toContain('You watch no stone yet')
      await visit(tab, `/stones/${sku}`)
      await button('Watch').click()
      await button('✓ Watching').waitFor()
      await market.database.db
        .updateTable('gem')
        .set({ wholesale_price_us: 100, wholesale_price: 100 })
        .where('sku', '=', sku)
        .execute()
      await visit(tab, '/watch')
      await expect.poll(main).toMatch(/\d % less/)
      expect(await main()).toContain(sku)
      expect(await main()).toContain('Available')
      expect(await violationsOn(page)).toEqual([])
      await picture(tab, 'watch-light-1440')

      await visit(tab, '/search?view=table&shape=oval')
      await page.getByRole('checkbox').nth(2).waitFor()
      await button('Select all').or(button('Select the first 1,000')).first().waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      await button('Watch').click()
      await expect
        .poll(() => page.locator('.toast').allInnerTexts())
        .toContain('1 stone on your watch list.')
      await visit(tab, '/watch')
      await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
      await button(`Remove ${sku}`).click()
      const question = page.getByRole('dialog')
      await question.getByRole('button', { name: 'Remove', exact: true }).click()
      await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    },
    TIMEOUT_MS,
  )

  it(
    'fits on a phone and is German for German readers',
    async () => {
      const german = await market.signIn(market.keys.merchantKey, GERMAN_NARROW)
      await visit(german, '/watch')
      await settled(german)
      expect(await untranslatedOn(german.page)).toEqual([])
      expect(await violationsOn(german.page)).toEqual([])
      const width = await german.page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(360)
      await picture(german, 'watch-german-360')
    },
    TIMEOUT_MS,
  )
})
