import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOf, filterTexts } from '../../console/src/search/saved/filters.ts'
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
const SEARCH = '/search?shape=round&weight=0.5-3&with=has_media'
let market: ConsoleMarket
let tab: Tab
let demo: { uuid: string; name: string }[]

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  const { saved_searches } = await request('GET', '/api/v3/saved_searches')
  demo = saved_searches
  tab = await market.signIn(market.keys.merchantKey, { colorScheme: 'light', width: 1440 })
}, TIMEOUT_MS)
afterAll(() => market?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
async function request(method: string, path: string, body?: unknown): Promise<any> {
  const response = await market.call(market.keys.merchantKey, method, path, body)
  expect(response.status, `${method} ${path}`).toBeLessThan(300)
  return response.json()
}

const button = (name: string) => tab.page.getByRole('button', { name, exact: true })
const main = () => tab.page.locator('main').innerText()

describe.skipIf(!hasChromium)('saved searches', () => {
  it(
    'are saved in the search, listed in words, opened, changed and deleted',
    async () => {
      const { page } = tab
      await visit(tab, '/saved')
      for (const { name } of demo) {
        await button(`Delete ${name}`).click()
        const question = page.getByRole('dialog')
        await question.getByRole('button', { name: 'Delete', exact: true }).click()
        await button(`Delete ${name}`).waitFor({ state: 'detached' })
      }
      await expect.poll(main).toContain('You have not saved a search yet')
      await visit(tab, SEARCH)
      await button('Save this search').click()
      const dialog = page.getByRole('dialog')
      expect(await dialog.innerText()).toContain('Carat: 0.5 – 3')
      expect(await violationsOn(page)).toEqual([])
      await dialog.getByLabel('Name', { exact: true }).fill('Ring for Ms. Weiß')
      const when = dialog.getByRole('combobox', { name: 'Tell me of new stones', exact: true })
      await when.selectOption('daily')
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })

      await visit(tab, '/saved')
      const { total } = await request('POST', '/api/v3/diamonds/merchant_search', {
        filters: { shape: ['round'], weight_min: 0.5, weight_max: 3, has_media: true },
      })
      await expect.poll(main).toContain(`${total} stones`)
      expect(await main()).toContain('Shape: Round · Carat: 0.5 – 3 · With pictures or video')
      expect(await violationsOn(page)).toEqual([])

      const alert = page.getByRole('combobox', { name: 'Alert Ring for Ms. Weiß', exact: true })
      expect(await alert.inputValue()).toBe('daily')
      await alert.selectOption('instant')
      const stored = async () => (await request('GET', '/api/v3/saved_searches')).saved_searches
      await expect.poll(stored).toMatchObject([{ alert: 'instant' }])

      await button('Rename Ring for Ms. Weiß').click()
      await dialog.getByLabel('Name', { exact: true }).fill('Solitaire')
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('link', { name: 'Solitaire', exact: true }).click()
      await page.getByRole('heading', { name: 'Diamonds', exact: true }).waitFor()
      expect(new URL(page.url()).search).toBe('?shape=round&weight=0.5-3&with=has_media')
      // The link of a notice leads to the same page.
      const [{ uuid }] = await stored()
      await visit(tab, `/saved/${uuid}`)
      await expect.poll(() => new URL(page.url()).pathname).toBe('/search')

      await visit(tab, '/saved')
      await button('Delete Solitaire').click()
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
      await expect.poll(main).toContain('You have not saved a search yet')
      expect(await stored()).toEqual([])
    },
    TIMEOUT_MS,
  )

  it(
    'list their stones where the search page lacks a filter, and take gemstones',
    async () => {
      const { page } = tab
      const { gems } = await request('POST', '/api/v3/diamonds/merchant_search', { limit: 2 })
      const skus: string[] = gems.map(({ sku }: { sku: string }) => sku)
      const search = { name: 'Two stones', kind: 'diamond', filters: { sku: skus } }
      await request('POST', '/api/v3/saved_searches', search)
      await visit(tab, '/search')
      await visit(tab, '/saved')
      await page.getByRole('link', { name: 'Two stones', exact: true }).click()
      await page.getByRole('heading', { name: 'Two stones', exact: true }).waitFor()
      for (const sku of skus) await page.locator(`a[href="/stones/${sku}"]`).first().waitFor()

      await visit(tab, '/gemstones?species=ruby&weight_min=1')
      await button('Save this search').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name', { exact: true }).fill(`Rubies${'!'.repeat(200)}`)
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      // Refused in the server's words.
      await dialog.getByText(/200 characters/).waitFor()
      await dialog.getByLabel('Name', { exact: true }).fill('Rubies')
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      await visit(tab, '/saved')
      const link = page.getByRole('link', { name: 'Rubies', exact: true })
      expect(await link.getAttribute('href')).toBe('/gemstones?species=ruby&weight_min=1')
      expect(await main()).toContain('Species: Ruby · Carat: from 1')
      expect(tab.problems).toEqual([])
    },
    TIMEOUT_MS,
  )

  it(
    'fit on a phone and are German for German readers',
    async () => {
      const german = await market.signIn(market.keys.merchantKey, GERMAN_NARROW)
      await visit(german, '/saved')
      await settled(german)
      expect(await untranslatedOn(german.page)).toEqual([])
      expect(await violationsOn(german.page)).toEqual([])
      const width = await german.page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(360)
    },
    TIMEOUT_MS,
  )
})

describe.skipIf(!hasChromium)('prices and stones that change', () => {
  it(
    'has earlier prices on the page of a stone, except for customers',
    async () => {
      const { page } = tab
      const { gems } = await request('POST', '/api/v3/diamonds/merchant_search', { limit: 1 })
      const [{ sku }] = gems
      await visit(tab, `/stones/${sku}`)
      await settled(tab)
      expect(await main()).not.toContain('Earlier prices')
      await sql`
        update gem set wholesale_price = wholesale_price * 2,
          wholesale_price_us = wholesale_price_us * 2
        where sku = ${sku}`.execute(market.database.db)
      await visit(tab, '/saved')
      await visit(tab, `/stones/${sku}`)
      await page.getByRole('heading', { name: 'Earlier prices', exact: true }).waitFor()
      expect(await main()).toContain('then 100 % more')
      await button('Customer view').click()
      await expect.poll(() => button('Customer view').getAttribute('aria-pressed')).toBe('true')
      await settled(tab)
      expect(await main()).not.toContain('Earlier prices')
      await button('Customer view').click()
      await expect.poll(() => button('Customer view').getAttribute('aria-pressed')).toBe('false')
    },
    TIMEOUT_MS,
  )

  it(
    'says that stones of the list were held meanwhile, and shows them again',
    async () => {
      const { page } = tab
      await page.clock.install()
      await visit(tab, '/search?shape=oval&with=available&sort=retail_price')
      const { gems } = await request('POST', '/api/v3/diamonds/merchant_search', {
        filters: { shape: ['oval'], on_hold: false },
        limit: 5,
      })
      const [{ sku }] = gems.filter(({ can_hold }: { can_hold: boolean }) => can_hold)
      await page.locator(`a[href="/stones/${sku}"]`).first().waitFor()
      await request('POST', '/api/v3/inventory/holds', { sku, minutes: 60 })
      await expect
        .poll(async () => {
          await page.clock.fastForward(61_000)
          return main()
        })
        .toContain('Sold, held or with another price by now: 1 stone of this list.')
      await button('Show again').click()
      await expect.poll(() => page.locator(`a[href="/stones/${sku}"]`).count()).toBe(0)
      await expect.poll(main).not.toContain('by now')
    },
    TIMEOUT_MS,
  )
})

describe('the filters of a saved search', () => {
  const saved = (filters: Record<string, string[] | number | boolean>) =>
    ({ kind: 'diamond', filters, max_retail_price: null }) as const

  it('become the address of the search page, with the lower of two prices', () => {
    expect(addressOf(saved({}))).toBe('/search')
    expect(addressOf(saved({ color: ['E', 'D'], is_fancy: false }))).toBe('/search?color=D%2CE')
    expect(addressOf({ ...saved({ retail_price_max: 9000 }), max_retail_price: 8000 })).toBe(
      '/search?retail_price=-8000',
    )
    expect(addressOf(saved({ is_fancy: true, color: ['YL'], on_hold: false }))).toBe(
      '/search?color=YL&with=available&fancy=yes',
    )
  })

  it('have no address where the page would lose one of them', () => {
    expect(addressOf(saved({ sku: ['A'] }))).toBeUndefined()
    expect(addressOf(saved({ on_hold: true }))).toBeUndefined()
    expect(addressOf(saved({ treatment: ['a,b'] }))).toBeUndefined()
    expect(filterTexts(saved({ shape: ['round'], sku: ['A', 'B'] }))).toEqual([
      'Shape: Round',
      'SKU: A, B',
    ])
    expect(filterTexts(saved({}))).toEqual(['All diamonds'])
    expect(filterTexts(saved({ on_hold: true, has_image: false, memo: true }))).toEqual([
      'Available on memo',
      'On hold',
      'Without “With a picture”',
    ])
  })
})
