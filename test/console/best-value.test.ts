import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQuery, searchUrl } from '../../console/src/search/query.ts'
import {
  type ConsoleMarket,
  hasChromium,
  openConsoleMarket,
  settled,
  type Tab,
  visit,
} from '../support/browser.ts'

/** What the diamond search is sorted by where nobody has chosen. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let tab: Tab

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  tab = await market.signIn(market.keys.merchantKey)
}, TIMEOUT_MS)
afterAll(() => market?.close())

interface Stone {
  sku: string
  off_rap_percentage: number | null
}

async function search(filters: object, sort_col: string): Promise<Stone[]> {
  const path = '/api/v3/diamonds/merchant_search'
  const body = { filters, sort_col, sort_order: 'asc', limit: 1000 }
  const response = await market.call(market.keys.merchantKey, 'POST', path, body)
  return ((await response.json()) as { gems: Stone[] }).gems
}

const skus = (stones: readonly Stone[]) => stones.slice(0, 12).map(({ sku }) => sku)

/** The first stones of the list, by the links of its rows. */
async function listed(): Promise<string[]> {
  await settled(tab)
  const rows = tab.page.locator('.stone-row [href^="/stones/"]')
  const links = await rows.evaluateAll((found) => found.map((each) => each.getAttribute('href')))
  return [...new Set(links)].slice(0, 12).map((href) => (href ?? '').replace('/stones/', ''))
}

const sortedBy = () => tab.page.getByRole('combobox', { name: 'Sort by', exact: true })

describe.skipIf(!hasChromium)('the diamond search', { timeout: TIMEOUT_MS }, () => {
  it('lists the best value first, in the order of the interface, and says what that is', async () => {
    const { page } = tab
    const stones = await search({ shape: ['round'] }, 'off_rap_percentage')
    expect(stones[0].off_rap_percentage).toBeLessThan(0)
    await visit(tab, '/search?view=table&shape=round')
    expect(await listed()).toEqual(skus(stones))
    expect(await sortedBy().locator('option:checked').innerText()).toBe('Best value')
    await page
      .getByText('Best value first: furthest below the list price; stones without one come last')
      .waitFor()
    await sortedBy().selectOption('Price')
    await expect.poll(() => page.url()).toContain('sort=retail_price')
    expect(await listed()).toEqual(skus(await search({ shape: ['round'] }, 'retail_price')))
    await page.goBack()
    await expect.poll(() => page.url()).not.toContain('sort=')
    expect(await listed()).toEqual(skus(stones))
  })

  it('lists the lowest price first where no stone has a list price, and says why', async () => {
    const { page } = tab
    const stones = await search({ is_fancy: true }, 'retail_price')
    expect(stones.length).toBeGreaterThan(12)
    expect(stones.every((stone) => stone.off_rap_percentage === null)).toBe(true)
    await visit(tab, '/search?view=table&fancy=yes')
    expect(await listed()).toEqual(skus(stones))
    await page
      .getByText('The lowest price first: none of these stones has a list price', { exact: true })
      .waitFor()
    // Rows further down are in the same order.
    await page.evaluate("document.querySelector('.virtual').scrollTo(0, 1e9)")
    const last = page.locator(`[aria-rowindex="${stones.length + 1}"] a`)
    await expect.poll(() => last.first().getAttribute('href')).toBe(`/stones/${stones.at(-1)?.sku}`)
    expect(tab.problems).toEqual([])
  })
})

describe('the address of a search', () => {
  const sortOf = (address: string) => {
    const { sort, order } = parseQuery(new URLSearchParams(address))
    return `${sort} ${order}`
  }

  it('without an order means the best value, and keeps every other order that it names', () => {
    expect(sortOf('shape=round')).toBe('off_rap_percentage asc')
    expect(sortOf('sort=weight&order=desc')).toBe('weight desc')
    expect(sortOf('sort=unknown')).toBe('off_rap_percentage asc')
  })

  it('from when the lowest price was the default still means a price', () => {
    expect(sortOf('shape=round&order=desc')).toBe('retail_price desc')
  })

  it('is read back as the same order', () => {
    for (const sort of ['off_rap_percentage', 'retail_price', 'weight']) {
      for (const order of ['asc', 'desc'] as const) {
        const query = { ...parseQuery(new URLSearchParams()), sort, order }
        const url = new URL(searchUrl(query), 'http://pavilion.test')
        expect(parseQuery(url.searchParams)).toEqual(query)
      }
    }
  })
})
