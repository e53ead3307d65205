import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  GERMAN_NARROW,
  hasChromium,
  type Look,
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
let skus: string[]

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  const filters = { shape: ['round', 'oval', 'pear'], weight_min: 0.9, has_media: true }
  const found = await request('POST', '/api/v3/diamonds/merchant_search', { filters, limit: 4 })
  skus = found.gems.map(({ sku }: { sku: string }) => sku)
  await market.database.db.deleteFrom('share').execute()
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

async function picture({ page }: Tab, name: string) {
  if (!SCREENSHOTS) return
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true })
}

/** Fills in the dialog and returns the path of the link. */
async function share(fields: { title?: string; note?: string; days?: string }) {
  await button('Share').click()
  const dialog = tab.page.getByRole('dialog')
  const { title = '', note = '', days = '14' } = fields
  await dialog.getByLabel('Heading (optional)', { exact: true }).fill(title)
  await dialog.getByLabel('Note to the customer (optional)', { exact: true }).fill(note)
  const life = dialog.getByRole('combobox', { name: 'The link works for', exact: true })
  await life.selectOption(days)
  expect(await violationsOn(tab.page)).toEqual([])
  await picture(tab, 'share-dialog')
  await dialog.getByRole('button', { name: 'Create link', exact: true }).click()
  const link = dialog.locator('code')
  await link.waitFor()
  await picture(tab, 'share-link')
  const url = await link.innerText()
  expect(await dialog.getByRole('link', { name: 'Open the page' }).getAttribute('href')).toBe(url)
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await dialog.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Done', exact: true }).click()
  return new URL(url).pathname
}

/** Opens a shared page as a customer does, who is not signed in. */
async function openShared(path: string, look: Look) {
  const customer = await market.open(look)
  const opened = await customer.page.goto(market.address + path)
  return { customer, status: opened?.status() }
}

/** Pictures that were not loaded. */
const BROKEN = `[...document.images].filter((image) => image.naturalWidth === 0).length`

describe.skipIf(!hasChromium)('share links', () => {
  it(
    'are made at a stone and in a comparison, opened by a customer, listed and revoked',
    async () => {
      const { page } = tab
      await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await visit(tab, '/shares')
      await expect.poll(main).toContain('You have not shared a stone yet')
      await visit(tab, `/stones/${skus[0]}`)
      const one = await share({ title: 'For Anna', note: 'See you on\nSaturday.', days: '7' })
      await visit(tab, `/compare?sku=${skus.slice(0, 3).join(',')}`)
      const several = await share({})

      const { customer, status } = await openShared(one, { colorScheme: 'light', width: 1440 })
      expect(status).toBe(200)
      const text = await customer.page.locator('body').innerText()
      expect(text).toContain('For Anna')
      expect(text).toContain('See you on\nSaturday.')
      expect(await customer.page.evaluate<number>(BROKEN)).toBe(0)
      expect(customer.problems).toEqual([])

      await visit(tab, '/shares')
      await expect.poll(main).toContain('For Anna')
      expect(await violationsOn(page)).toEqual([])
      await picture(tab, 'shares-list')
      await button('Revoke For Anna').click()
      const question = page.getByRole('dialog')
      expect(await question.innerText()).toContain('Revoke the link to “For Anna”?')
      await question.getByRole('button', { name: 'Revoke', exact: true }).click()
      await button('Revoke For Anna').waitFor({ state: 'detached' })
      await expect.poll(main).toContain('Revoked')
      const gone = await customer.page.goto(market.address + one)
      expect(gone?.status()).toBe(404)
      expect(await violationsOn(customer.page)).toEqual([])
      await picture(customer, 'share-missing')
      const left = await customer.page.goto(market.address + several)
      expect(left?.status()).toBe(200)
    },
    TIMEOUT_MS,
  )

  it(
    'show stones side by side on a desk and below each other on a phone, in light and dark',
    async () => {
      const body = { skus, note: 'All of them are in our safe.' }
      const path = new URL((await request('POST', '/api/v3/shares', body)).url).pathname
      const looks: Look[] = [
        { colorScheme: 'light', width: 1440 },
        { colorScheme: 'dark', width: 1440 },
        { colorScheme: 'light', width: 320, locale: 'de-DE' },
        { colorScheme: 'dark', width: 320, locale: 'de-DE' },
      ]
      for (const look of looks) {
        const { customer } = await openShared(path, look)
        const { page } = customer
        const name = `share-${look.colorScheme}-${look.width}`
        const boxes = await page
          .locator('article')
          .evaluateAll((cards) =>
            cards.map((card) => (card as unknown as { offsetTop: number }).offsetTop),
          )
        expect(new Set(boxes).size, name).toBe(look.width === 320 ? skus.length : 1)
        const drawn = await page.evaluate<number>('document.documentElement.scrollWidth')
        expect(drawn, name).toBeLessThanOrEqual(look.width)
        expect(await violationsOn(page), name).toEqual([])
        expect(await page.evaluate<number>(BROKEN), name).toBe(0)
        expect(customer.problems, name).toEqual([])
        await picture(customer, name)
        if (look.locale) {
          expect(await page.locator('dt').allInnerTexts()).toContain('Reinheit')
        }
      }
    },
    TIMEOUT_MS,
  )

  it(
    'fit on a phone and are German for German readers',
    async () => {
      const german = await market.signIn(market.keys.merchantKey, GERMAN_NARROW)
      for (const path of ['/shares', `/stones/${skus[0]}`]) {
        await visit(german, path)
        await settled(german)
        if (path !== '/shares') {
          await german.page.getByRole('button', { name: 'Teilen', exact: true }).click()
          await german.page.getByRole('dialog').waitFor()
        }
        if (path === '/shares') {
          await german.page.getByText('Sitzung der Konsole', { exact: true }).first().waitFor()
        }
        expect(await untranslatedOn(german.page)).toEqual([])
        expect(await violationsOn(german.page)).toEqual([])
        const width = await german.page.evaluate<number>('document.documentElement.scrollWidth')
        expect(width).toBeLessThanOrEqual(360)
        await picture(german, `shares-german${path.length}`)
      }
    },
    TIMEOUT_MS,
  )
})
