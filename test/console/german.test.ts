import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  GERMAN_NARROW,
  hasChromium,
  openConsoleMarket,
  violationsOn,
  visit,
} from '../support/browser.ts'
import { faultsOf, listPages, type PageList, partOf } from './page-list.ts'

/**
 * The pages of every side in German, in a narrow dark window: its longer words fit, nothing is left
 * in English, and axe finds no violation. Those that are not here are in pages.test.ts.
 */
const TIMEOUT_MS = 600_000
let market: ConsoleMarket
let pages: PageList

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  pages = await listPages(market)
}, TIMEOUT_MS)
afterAll(() => market?.close())

describe.skipIf(!hasChromium)('in German', () => {
  for (const side of ['merchant', 'operator', 'supplier'] as const) {
    it(
      `the pages of the ${side} are translated, accessible and fit`,
      async () => {
        const paths = partOf(pages[side], 'odd')
        expect(await faultsOf(market, side, paths, GERMAN_NARROW)).toEqual([])
      },
      TIMEOUT_MS,
    )
  }

  it(
    'numbers and dates are German, and English is a choice that stays',
    async () => {
      const tab = await market.signIn(market.keys.merchantKey, GERMAN_NARROW)
      const { page } = tab
      expect(await page.evaluate('document.documentElement.lang')).toBe('de')
      await visit(tab, '/search')
      const prices = page.locator('.card-price strong')
      await expect.poll(() => prices.first().innerText()).toMatch(/^\d{1,3}(\.\d{3})*,\d\d\s/)
      await page.getByLabel('Sprache', { exact: true }).selectOption('en')
      await page.getByLabel('Language', { exact: true }).waitFor()
      await expect.poll(() => prices.first().innerText()).toMatch(/^\$\d{1,3}(,\d{3})*\.\d\d$/)
      await page.reload()
      await page.getByLabel('Language', { exact: true }).waitFor()
      expect(await page.evaluate('document.documentElement.lang')).toBe('en')
      expect(await violationsOn(page)).toEqual([])
    },
    TIMEOUT_MS,
  )
})
