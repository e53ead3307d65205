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

/**
 * Every page of every side, in a wide light and a narrow dark window: axe finds no violation, the
 * page is not wider than the window, no script fails, and no other host is called. With
 * SCREENSHOTS=<folder> it writes screenshots.
 */
const SCREENSHOTS = process.env.SCREENSHOTS
const TIMEOUT_MS = 600_000

let market: ConsoleMarket
let sku: string
let orderId: string
let orderUuid: string
let productId: string | undefined
let merchantUuid: string
/** An order of the supplier that can sign in. */
let suppliedUuid: string

beforeAll(async () => {
  if (!hasChromium) return
  if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true })
  market = await openConsoleMarket()
  const request = async (key: string, method: string, path: string, body?: unknown) =>
    // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
    (await market.call(key, method, path, body)).json() as Promise<any>
  const { merchantKey, adminKey } = market.keys
  const filters = { shape: ['round'], weight_min: 0.9, has_media: true, memo: true }
  const search = await request(merchantKey, 'POST', '/api/v2/diamonds/merchant_search', { filters })
  sku = search.gems[0].sku
  const other = search.gems[1].sku
  const order = { order_type: 'memo', line_items: [{ sku: other, quantity: 1 }] }
  const placed = await request(merchantKey, 'POST', '/api/v2/orders/place', order)
  ;({ order_id: orderId, uuid: orderUuid } = placed)
  const tracking = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }
  await request(adminKey, 'POST', `/api/operator/orders/${orderUuid}/fulfill`, tracking)
  const products = await request(merchantKey, 'POST', '/api/v3/products/jewelry/query', {})
  productId = products.products[0]?.id
  const { supplierKey } = market.keys
  const supplied = await request(supplierKey, 'GET', '/api/supplier/orders?limit=1')
  suppliedUuid = supplied.orders[0].uuid
  merchantUuid = (await request(adminKey, 'GET', '/api/operator/merchants')).merchants[0].uuid
}, TIMEOUT_MS)
afterAll(() => market?.close())

const merchantPages = () => [
  '/search',
  '/search?view=table&shape=oval',
  '/search?shape=calf&weight=9-10&color=D',
  '/search?view=pairs&shape=round&unread=shiny',
  `/find?numbers=${sku},NOSUCHSTONE`,
  `/stones/${sku}`,
  '/stones/NOSUCHSTONE',
  `/compare?sku=${sku}`,
  '/curated?pair=yes',
  '/parcels',
  '/gemstones',
  '/jewelry',
  ...(productId ? [`/jewelry/${productId}`] : []),
  '/basket',
  '/orders',
  `/orders/${encodeURIComponent(orderId)}`,
  '/holds',
  '/notices',
  '/settings',
  '/settings/templates',
  '/settings/addresses',
  '/settings/keys',
  '/settings/webhooks',
  '/no-such-page',
]
const operatorPages = () => [
  '/operator',
  `/operator/find?q=${sku}`,
  '/operator/imports',
  '/operator/conflicts',
  '/operator/merchants',
  `/operator/merchants/${merchantUuid}`,
  '/operator/orders',
  `/operator/orders/${orderUuid}`,
  '/operator/rates',
  '/operator/notices',
]

const supplierPages = () => [
  '/supplier/orders',
  `/supplier/orders/${suppliedUuid}`,
  '/supplier/stock',
  '/supplier/imports',
  '/supplier/scorecard',
  '/supplier/notices',
]

describe.skipIf(!hasChromium)('every page', () => {
  for (const look of [WIDE, NARROW]) {
    const name = `${look.colorScheme}, ${look.width} pixels wide`

    it(
      `of a merchant is accessible and fits: ${name}`,
      async () => {
        const signedOut = await market.open(look)
        await inspect(signedOut, '/sign-in', look)
        const tab = await market.signIn(market.keys.merchantKey, look)
        for (const path of merchantPages()) {
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
        for (const path of operatorPages()) {
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
        for (const path of supplierPages()) {
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
