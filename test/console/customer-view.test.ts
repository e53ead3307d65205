import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  hasChromium,
  openConsoleMarket,
  settled,
  violationsOn,
  visit,
} from '../support/browser.ts'

const TIMEOUT_MS = 300_000
let market: ConsoleMarket
beforeAll(async () => {
  if (hasChromium) market = await openConsoleMarket()
}, TIMEOUT_MS)
afterAll(() => market?.close())

interface Stone {
  sku: string
  wholesale_price: number
  retail_price: number
}

const dollars = (amount: number) =>
  amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' })

it.skipIf(!hasChromium)(
  'in the customer view no page shows what the merchant pays, and the shop has its own name',
  async () => {
    const { merchantKey } = market.keys
    const tab = await market.signIn(merchantKey)
    const { page } = tab
    const answer = await market.call(merchantKey, 'POST', '/api/v2/diamonds/merchant_search', {
      filters: { weight_min: 1, memo: true },
    })
    const { gems } = (await answer.json()) as { gems: Stone[] }
    const [one, other] = gems
    const button = page.getByRole('button', { name: 'Customer view', exact: true })
    await visit(tab, `/stones/${one.sku}`)
    const text = () => page.locator('body').innerText()
    await expect.poll(text).toContain(dollars(one.wholesale_price))
    await button.click()
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
    const paths = [
      `/stones/${one.sku}`,
      `/compare?sku=${one.sku},${other.sku}`,
      `/find?numbers=${one.sku},${other.sku}`,
    ]
    for (const path of paths) {
      await visit(tab, path)
      await settled(tab)
      await expect.poll(text).toContain(dollars(one.retail_price))
      expect(await page.content()).not.toContain(dollars(one.wholesale_price))
    }
    for (const path of ['/search', '/search?view=table', '/gemstones', '/jewelry', '/curated']) {
      await visit(tab, path)
      await settled(tab)
      expect(await text()).not.toMatch(/wholesale|margin|list price/i)
      expect(await violationsOn(page)).toEqual([])
    }
    const jewelry = await market.call(merchantKey, 'POST', '/api/v3/products/jewelry/query', {})
    const { products } = (await jewelry.json()) as { products: { id: string }[] }
    for (const path of [`/jewelry/${products[0].id}`, '/search?view=pairs']) {
      await visit(tab, path)
      await settled(tab)
      expect(await page.getByRole('button', { name: /^Add/ }).count()).toBe(0)
    }
    expect(await page.locator('.brand').innerText()).toContain('Facet Street Jewelers')
    expect(await page.title()).toMatch(/ · Facet Street Jewelers$/)
    await visit(tab, '/orders')
    await page.getByRole('button', { name: 'Leave the customer view', exact: true }).click()
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor()
    expect(tab.problems).toEqual([])
  },
  TIMEOUT_MS,
)
