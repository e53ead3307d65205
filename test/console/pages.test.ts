import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  hasChromium,
  type Look,
  NARROW,
  openConsoleMarket,
  settled,
  type Tab,
  violationsOn,
  visit,
  WIDE,
} from '../support/browser.ts'
import { listPages, type PageList } from './page-list.ts'

/**
 * Every page of every side, in a wide light and a narrow dark window: axe finds no violation, the
 * page is not wider than the window, no script fails, and no other host is called. With
 * SCREENSHOTS=<folder> it writes screenshots.
 */
const SCREENSHOTS = process.env.SCREENSHOTS
const TIMEOUT_MS = 600_000

let market: ConsoleMarket
let pages: PageList

beforeAll(async () => {
  if (!hasChromium) return
  if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true })
  market = await openConsoleMarket()
  pages = await listPages(market)
}, TIMEOUT_MS)
afterAll(() => market?.close())

describe.skipIf(!hasChromium)('every page', () => {
  for (const look of [WIDE, NARROW]) {
    const name = `${look.colorScheme}, ${look.width} pixels wide`

    it(
      `of a merchant is accessible and fits: ${name}`,
      async () => {
        const signedOut = await market.open(look)
        await inspect(signedOut, '/sign-in', look)
        const tab = await market.signIn(market.keys.merchantKey, look)
        for (const path of pages.merchant) {
          await visit(tab, path)
          await inspect(tab, path, look)
        }
        expect(tab.problems).toEqual([])
      },
      TIMEOUT_MS,
    )

    it(
      `of the operator is accessible and fits: ${name}`,
      async () => {
        const tab = await market.signIn(market.keys.adminKey, look)
        for (const path of pages.operator) {
          await visit(tab, path)
          await inspect(tab, path, look)
        }
        expect(tab.problems).toEqual([])
      },
      TIMEOUT_MS,
    )

    it(
      `of a supplier is accessible and fits: ${name}`,
      async () => {
        const tab = await market.signIn(market.keys.supplierKey, look)
        for (const path of pages.supplier) {
          await visit(tab, path)
          await inspect(tab, path, look)
        }
        expect(tab.problems).toEqual([])
      },
      TIMEOUT_MS,
    )
  }
})

async function inspect(tab: Tab, path: string, { colorScheme, width }: Look): Promise<void> {
  const { page } = tab
  // Pictures, counts and plots are loaded after the text.
  await settled(tab)
  if (SCREENSHOTS) {
    const file = `${colorScheme}-${width}${path.replaceAll(/[^a-z0-9]+/gi, '_').slice(0, 60)}.png`
    await page.screenshot({ path: `${SCREENSHOTS}/${file}` })
  }
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth'),
    path,
  ).toBeLessThanOrEqual(width)
  expect(await violationsOn(page), path).toEqual([])
}
