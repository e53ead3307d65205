import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  hasChromium,
  type Look,
  NARROW,
  openConsoleMarket,
  WIDE,
} from '../support/browser.ts'

/**
 * The elements of the shop window on a page of another origin, under a strict content security
 * policy. With SCREENSHOTS=<folder> it writes screenshots.
 */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SCREENSHOTS = process.env.SCREENSHOTS
const TIMEOUT_MS = 240_000
/** 40 kB, as the contract says. */
const BYTES_MAX = 40_000

let market: ConsoleMarket
let shop: Server
let origin: string
let key: string
let sku: string

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket(600)
  shop = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://shop')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', policy())
    response.end(searchParams.get('page') ?? '')
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  const { adminKey, merchantKey } = market.keys
  const merchants = await json(adminKey, 'GET', '/api/v3/session', undefined, merchantKey)
  const created = await json(adminKey, 'POST', '/api/operator/tokens', {
    type: 'publishable',
    merchant_uuid: merchants.merchant.uuid,
    origins: [origin],
  })
  key = created.token
  const filters = { shape: ['round'], has_media: true }
  const path = '/api/v3/diamonds/merchant_search'
  sku = (await json(merchantKey, 'POST', path, { filters, limit: 1 })).gems[0].sku
}, TIMEOUT_MS)
afterAll(async () => {
  shop?.close()
  await market?.close()
})

async function json(own: string, method: string, path: string, body?: unknown, as = own) {
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  return (await market.call(as, method, path, body)).json() as Promise<any>
}

/** No inline script, no inline style. Pictures of the demo market have the address without a port. */
function policy(): string {
  const { address } = market
  return `default-src 'none'; script-src ${address}; connect-src ${address}; img-src ${address} http://127.0.0.1`
}

function pageWith(body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark"><title>Our diamonds</title>
    <script type="module" src="${market.address}/window.js"></script></head>
    <body><main><h1>Our diamonds</h1>${body}</main></body></html>`
}

interface Visit {
  page: Page
  /** Violations of the policy and failed scripts; must stay empty. */
  problems: string[]
  /** What the server returned to the page. */
  responses: string[]
  close: () => Promise<void>
}

function visit(body: string, look?: Look): Promise<Visit> {
  return visitPage(pageWith(body), look)
}

/** Opens a whole page of the shop. */
async function visitPage(text: string, look: Look = WIDE): Promise<Visit> {
  const { page, context } = await market.open(look)
  const problems: string[] = []
  const responses: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    const isResponse = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isResponse) problems.push(message.text())
  })
  page.on('response', async (response) => {
    if (response.url().includes('/api/')) responses.push(await response.text().catch(() => ''))
  })
  await page.route('http://127.0.0.1/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    const picture = await fetch(market.address + pathname)
    const contentType = picture.headers.get('content-type') ?? ''
    await route.fulfill({ body: Buffer.from(await picture.arrayBuffer()), contentType })
  })
  await page.goto(`${origin}/?page=${encodeURIComponent(text)}`)
  await page.evaluate(`globalThis.seen = []
    for (const name of ['pavilion:select', 'pavilion:enquire']) {
      addEventListener(name, (event) => seen.push([name, event.detail.sku]))
    }`)
  return { page, problems, responses, close: () => context.close() }
}

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE)
  const violations = await page.evaluate(`axe.run(document).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ').slice(0, 300)))`)
  expect(violations).toEqual([])
}

async function shoot(page: Page, name: string, { colorScheme, width }: Look): Promise<void> {
  if (!SCREENSHOTS) return
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: `${SCREENSHOTS}/window-${name}-${colorScheme}-${width}.png` })
}

/** The text of a label includes that of its options. */
const selectNamed = (page: Page, label: string) =>
  page.locator('label', { hasText: label }).locator('select')

const isWithin = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= innerWidth')

describe.skipIf(!hasChromium)('the shop window', () => {
  it('is one script of at most 40 kB, cached for a while and open to other origins', async () => {
    const url = `${market.address}/window.js`
    const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
    expect(gzipSync(Buffer.from(await response.arrayBuffer())).length).toBeLessThan(BYTES_MAX)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=\d+/)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const etag = response.headers.get('etag') ?? ''
    const again = await fetch(url, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })

  it.each([WIDE, NARROW, { ...WIDE, colorScheme: 'dark' as const }])(
    'searches, opens a stone and sends an enquiry, at retail prices only, $colorScheme $width',
    async (look) => {
      const { page, problems, responses, close } = await visit(
        `<pavilion-search key="${key}" shape="round"></pavilion-search>`,
        look,
      )
      await page.locator('.cards:not(.waiting) .card').first().waitFor()
      expect(await page.locator('.count').textContent()).toMatch(/^[\d,]+ stones?$/)
      expect(await isWithin(page)).toBe(true)
      await expectAccessible(page)
      await shoot(page, 'search', look)

      const before = await page.locator('.card').count()
      await page.getByRole('button', { name: 'Show more', exact: true }).click()
      await expect.poll(() => page.locator('.card').count()).toBeGreaterThan(before)
      const first = page.locator('.choose').first()
      await first.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      await expectAccessible(page)
      await shoot(page, 'dialog', look)

      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      expect(await dialog.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe(
        'true',
      )
      await dialog.getByLabel('Name', { exact: true }).fill('A visitor')
      await dialog.getByLabel('E-mail', { exact: true }).fill('visitor@mail.example')
      await dialog.getByLabel('Message', { exact: true }).fill('May I see it?')
      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      await dialog.getByText('Thank you. Your question was sent.').waitFor()
      const seen = (await page.evaluate('seen')) as [string, string][]
      expect(seen.map(([name]) => name)).toEqual(['pavilion:select', 'pavilion:enquire'])
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      const { events } = await json(
        market.keys.merchantKey,
        'GET',
        '/api/v3/events?after=0&limit=1000',
      )
      const asked = events.filter(
        (event: { event_type: string }) => event.event_type === 'enquiry.create',
      )
      expect(asked.at(-1).event_data).toMatchObject({
        sku: seen[1][1],
        email: 'visitor@mail.example',
      })
      const markup = String(
        await page.evaluate(`document.querySelector('pavilion-search').shadowRoot.innerHTML`),
      )
      for (const text of [markup, ...responses])
        expect(/wholesale|vendor|supplier/.test(text)).toBe(false)
      expect(problems).toEqual([])
      await close()
    },
    TIMEOUT_MS,
  )

  it(
    'sends an enquiry although its element is removed meanwhile',
    async () => {
      const element = `<pavilion-stone key="${key}" sku="${sku}"></pavilion-stone>`
      const { page, problems, close } = await visit(element)
      const field = (label: string) => page.getByLabel(label, { exact: true })
      await field('Name').fill('A visitor in a hurry')
      await field('E-mail').fill('hurry@mail.example')
      await field('Message').fill('May I see it?')
      await page.route('**/api/v3/enquiries', async (route) => {
        await page.evaluate(`document.querySelector('pavilion-stone').remove()`)
        await route.continue()
      })
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      const emails = async () => {
        const path = '/api/v3/events?after=0&limit=1000'
        const { events } = await json(market.keys.merchantKey, 'GET', path)
        return events.map((event: { event_data: { email?: string } }) => event.event_data.email)
      }
      await expect.poll(emails).toContain('hurry@mail.example')
      expect(problems).toEqual([])
      await close()
    },
    TIMEOUT_MS,
  )

  it(
    'folds the fields of its filters away on a phone, and shows how many restrict the search',
    async () => {
      const { page, problems, close } = await visit(
        `<pavilion-search key="${key}" weight-min="0.5"></pavilion-search>`,
        NARROW,
      )
      await page.locator('.cards:not(.waiting) .card').first().waitFor()
      const fold = page.getByRole('button', { name: 'Filters (1)', exact: true })
      const color = selectNamed(page, 'Color')
      expect(await fold.getAttribute('aria-expanded')).toBe('false')
      expect(await color.isVisible()).toBe(false)
      await fold.click()
      await color.selectOption('F')
      await page.getByRole('button', { name: 'Filters (2)', exact: true, expanded: true }).waitFor()
      await expectAccessible(page)
      await shoot(page, 'filters', NARROW)
      expect(problems).toEqual([])
      await close()
      const wide = await visit(`<pavilion-search key="${key}"></pavilion-search>`)
      await selectNamed(wide.page, 'Color').waitFor()
      expect(await wide.page.locator('.fold').isVisible()).toBe(false)
      await wide.close()
    },
    TIMEOUT_MS,
  )

  it(
    'works on the page of the guide, as it is written there',
    async () => {
      const guide = readFileSync('docs/guides/shop-window.md', 'utf8')
      const copied = /```html\n(<!doctype html>.*?)```/s.exec(guide)?.[1] ?? ''
      expect(copied).toContain('pav_pub_live_…')
      // Only what the guide says to write: the key, and the address of the market.
      const withKey = copied.replace('pav_pub_live_…', key)
      const own = withKey.replace('http://127.0.0.1:8080', market.address)
      const { page, problems, close } = await visitPage(own)
      await page.getByRole('heading', { name: 'Our diamonds', exact: true }).waitFor()
      await page.locator('.cards:not(.waiting) .card').first().waitFor()
      await expectAccessible(page)
      expect(problems).toEqual([])
      await close()
    },
    TIMEOUT_MS,
  )

  it(
    'shows one stone, and curated stones',
    async () => {
      for (const look of [WIDE, NARROW]) {
        const { page, problems, close } = await visit(
          `<pavilion-stone key="${key}" sku="${sku}"></pavilion-stone>
           <pavilion-curated key="${key}" weight="1" shape="round"></pavilion-curated>`,
          look,
        )
        await page.locator('pavilion-stone .facts').waitFor()
        await page.locator('pavilion-curated .cards:not(.waiting) .card').first().waitFor()
        expect(await page.locator('pavilion-stone .facts').textContent()).toContain(sku)
        expect(await isWithin(page)).toBe(true)
        await expectAccessible(page)
        await shoot(page, 'stone', look)
        expect(problems).toEqual([])
        await close()
      }
    },
    TIMEOUT_MS,
  )

  it(
    'says so when nothing matches, when a stone is gone, and when the key is refused',
    async () => {
      const { page, close } = await visit(
        `<pavilion-search key="${key}" weight-min="99"></pavilion-search>
         <pavilion-stone key="${key}" sku="GONE"></pavilion-stone>
         <pavilion-curated key="pav_pub_live_wrong"></pavilion-curated>`,
      )
      await page.getByText('No stone matches these filters.').waitFor()
      await page.getByText('This stone is no longer available.').waitFor()
      await page.getByText('The stones cannot be shown right now.').waitFor()
      await expectAccessible(page)
      await shoot(page, 'states', WIDE)
      await page.getByRole('button', { name: 'Clear filters', exact: true }).click()
      await page.locator('pavilion-search .cards:not(.waiting) .card').first().waitFor()
      await close()
    },
    TIMEOUT_MS,
  )
})
