import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  hasChromium,
  NARROW,
  openConsoleMarket,
  settled,
  violationsOn,
  WIDE,
} from '../support/browser.ts'
import { faultsOf, listPages, type PageList } from './page-list.ts'

/** Every page of every side, in a wide light window; german.test.ts has them in a narrow dark one. */
const TIMEOUT_MS = 600_000
let market: ConsoleMarket
let pages: PageList

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  pages = await listPages(market)
}, TIMEOUT_MS)
afterAll(() => market?.close())

describe.skipIf(!hasChromium)('every page', () => {
  for (const side of ['merchant', 'operator', 'supplier'] as const) {
    it(
      `of the ${side} is accessible and fits`,
      async () => {
        expect(await faultsOf(market, side, pages[side], WIDE)).toEqual([])
      },
      TIMEOUT_MS,
    )
  }

  it.each([WIDE, NARROW])(
    'for signing in is accessible and fits: $width pixels wide',
    async (look) => {
      const tab = await market.open(look)
      await settled(tab)
      expect(await violationsOn(tab.page)).toEqual([])
      const width = await tab.page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(look.width)
    },
  )
})
