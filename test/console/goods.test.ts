import { mkdirSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  GERMAN_NARROW,
  hasChromium,
  openConsoleMarket,
  type Tab,
  visit,
  WIDE,
} from '../support/browser.ts'

/** What goods are called, in English and in German. */
const TIMEOUT_MS = 240_000
const SCREENSHOTS = process.env.SCREENSHOTS
let market: ConsoleMarket

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
}, TIMEOUT_MS)
afterAll(() => market?.close())

const request = async (method: string, path: string, body?: unknown) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  (await market.call(market.keys.merchantKey, method, path, body)).json() as Promise<any>

async function open(look = GERMAN_NARROW): Promise<Tab> {
  return market.signIn(market.keys.merchantKey, look)
}

async function shoot({ page }: Tab, name: string): Promise<void> {
  if (!SCREENSHOTS) return
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true })
}

describe.skipIf(!hasChromium)('goods', { timeout: TIMEOUT_MS }, () => {
  it('on memo are described, in the language of the reader, and lead to their page', async () => {
    const filters = { shape: ['round'], type: ['mined'], memo: true, weight_min: 0.5 }
    const { gems } = await request('POST', '/api/v3/diamonds/merchant_search', { filters })
    const [gem] = gems
    const line_items = [{ sku: gem.sku, quantity: 1 }]
    const order = await request('POST', '/api/v2/orders/place', { order_type: 'memo', line_items })
    const english = await open(WIDE)
    await visit(english, '/memos?sort=-ordered_on')
    const link = english.page.locator(`a[href="/stones/${gem.sku}"]`)
    expect(await link.innerText()).toBe(order.line_items[0].description)
    expect(await english.page.locator('main').innerText()).not.toContain('Gem ')
    await shoot(english, 'memos-en')
    const german = await open()
    await visit(german, '/memos?sort=-ordered_on')
    const text = await german.page.locator(`a[href="/stones/${gem.sku}"]`).innerText()
    const weight = gem.weight.toLocaleString('de-DE', { minimumFractionDigits: 2 })
    expect(text).toBe(
      [
        `${weight} ct rund, Brillantschliff, natürlich`,
        [gem.color, gem.clarity].filter(Boolean).join(' '),
        `${gem.lab} ${gem.cert_num}`,
      ].join(', '),
    )
    await shoot(german, 'memos-de')
  })

  it('of jewelry are called by their title and options, and lead to their page', async () => {
    const { products } = await request('POST', '/api/v3/products/jewelry/query', { limit: 500 })
    const { rows } = await sql<{ sku: string; product_id: string }>`
      select sku, product_id from variant where memo and quantity > 0 order by sku`.execute(
      market.database.db,
    )
    const known = new Set(products.map(({ id }: { id: string }) => id))
    const [{ sku, product_id }] = rows.filter((row) => known.has(row.product_id))
    const order = { order_type: 'memo', line_items: [{ sku, quantity: 1 }] }
    const placed = await request('POST', '/api/v2/orders/place', order)
    const tab = await open(WIDE)
    await visit(tab, '/memos?sort=-ordered_on')
    const link = tab.page.locator(`a[href="/jewelry/${product_id}"]`)
    expect(await link.innerText()).toBe(placed.line_items[0].name)
  })

  it('from a country are found by its German name', async () => {
    const { facets } = await request('POST', '/api/v3/gemstones/search', {
      filters: { origin: ['Brazil'] },
      include: ['facets'],
    })
    const [{ count }] = facets.origin
    const german = await open({ ...WIDE, locale: 'de-DE' })
    const { page } = german
    await visit(german, '/gemstones?origin=Brazil')
    await expect.poll(() => page.locator('.results-count').innerText()).toContain(String(count))
    await page.getByRole('checkbox', { name: /^Brasilien/ }).waitFor()
    await page.getByRole('button', { name: /^Herkunftsland: Brasilien/ }).waitFor()
    await page.locator('.card-name').first().click()
    const facts = page.locator('dl.facts').first()
    await expect.poll(() => facts.innerText()).toMatch(/Herkunftsland\s+Brasilien/)
    await shoot(german, 'gemstone-de')
  })

  it('have lengths in German', async () => {
    const { products } = await request('POST', '/api/v3/products/jewelry/query', { limit: 500 })
    const [chain] = products.filter(
      ({ variants }: { variants: { variant_options: { length?: string } }[] }) =>
        variants[0]?.variant_options.length?.endsWith(' in'),
    )
    const german = await open()
    await visit(german, `/jewelry/${chain.id}`)
    const variant = german.page.locator('li.note').first()
    expect(await variant.innerText()).toMatch(/Länge\s+[\d,]+ Zoll/)
    await shoot(german, 'jewelry-de')
  })
})
