import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  GERMAN_NARROW,
  hasChromium,
  openConsoleMarket,
  settled,
  violationsOn,
  visit,
} from '../support/browser.ts'
import { listPages, type PageList } from './page-list.ts'
import { untranslatedOn } from './untranslated.ts'

/** Every page of every side in German, in a narrow window, where its longer words must fit, too. */
const TIMEOUT_MS = 600_000
let market: ConsoleMarket
let pages: PageList

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  pages = await listPages(market)
}, TIMEOUT_MS)
afterAll(() => market?.close())

const SIDES = [
  ['merchant', 'merchantKey'],
  ['operator', 'adminKey'],
  ['supplier', 'supplierKey'],
] as const

describe.skipIf(!hasChromium)('in German', () => {
  for (const [side, key] of SIDES) {
    it(
      `every page of the ${side} is translated and fits`,
      async () => {
        const tab = await market.signIn(market.keys[key], GERMAN_NARROW)
        const left: Record<string, string[]> = {}
        const wide: string[] = []
        for (const path of pages[side]) {
          await visit(tab, path)
          await settled(tab)
          const texts = await untranslatedOn(tab.page)
          if (texts.length > 0) left[path] = texts
          const width = await tab.page.evaluate<number>('document.documentElement.scrollWidth')
          if (width > GERMAN_NARROW.width) wide.push(`${path}: ${width}`)
        }
        expect({ left, wide }).toEqual({ left: {}, wide: [] })
        expect(tab.problems).toEqual([])
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
