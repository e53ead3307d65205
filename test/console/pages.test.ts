import { readFileSync } from 'node:fs'
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
import { faultsOf, listPages, type PageList, partOf } from './page-list.ts'

/**
 * The pages of every side in a wide light window; german.test.ts has them in a narrow dark one.
 * Every page is visited in one of the two, by `.ci/run` in both.
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

describe.skipIf(!hasChromium)('every page', () => {
  it('that the console has is one of those that are visited', () => {
    const source = readFileSync('console/src/shell/app.tsx', 'utf8')
    const patterns = [...source.matchAll(/^ {2}'(\/[^']+)': /gm)].map(([, pattern]) => pattern)
    expect(patterns.length).toBeGreaterThan(60)
    const { merchant, operator, supplier } = pages
    const paths = [...merchant, ...operator, ...supplier].map((path) => path.split('?')[0])
    const isVisited = (pattern: string) => {
      const shape = new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`)
      return paths.some((path) => shape.test(path))
    }
    expect(patterns.filter((pattern) => !isVisited(pattern))).toEqual([])
  })

  for (const side of ['merchant', 'operator', 'supplier'] as const) {
    it(
      `of the ${side} is accessible and fits`,
      async () => {
        const paths = partOf(pages[side], 'even')
        expect(await faultsOf(market, side, paths, WIDE)).toEqual([])
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
