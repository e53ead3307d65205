import { mkdirSync } from 'node:fs'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { makeAllNotices } from '../notices/notice-support.ts'
import {
  type ConsoleMarket,
  HEIGHT,
  type Look,
  settled,
  violationsOn,
  visit,
} from '../support/browser.ts'
import { isThorough } from '../support/depth.ts'
import { markedEnglishOn, untranslatedOn } from './untranslated.ts'

const SCREENSHOTS = process.env.SCREENSHOTS

/** The addresses of all pages of each side. */
export interface PageList {
  merchant: string[]
  operator: string[]
  supplier: string[]
}

/** Places and ships an order, so that every page has something to show, and lists the pages. */
export async function listPages(market: ConsoleMarket): Promise<PageList> {
  const request = async (key: string, method: string, path: string, body?: unknown) =>
    // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
    (await market.call(key, method, path, body)).json() as Promise<any>
  const { merchantKey, adminKey, supplierKey } = market.keys
  const filters = { shape: ['round'], weight_min: 0.9, has_media: true, memo: true }
  const search = await request(merchantKey, 'POST', '/api/v2/diamonds/merchant_search', { filters })
  const [sku, other] = search.gems.map((gem: { sku: string }) => gem.sku)
  const order = { order_type: 'memo', line_items: [{ sku: other, quantity: 1 }] }
  const placed = await request(merchantKey, 'POST', '/api/v2/orders/place', order)
  const tracking = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }
  await request(adminKey, 'POST', `/api/operator/orders/${placed.uuid}/fulfill`, tracking)
  const line_items = [{ sku, quantity: 1, offer_price: 100 }]
  const quote = await request(merchantKey, 'POST', '/api/v3/quotes', { line_items })
  const saved = { name: 'One stone', kind: 'diamond', filters: { sku: [sku] } }
  const { uuid: savedUuid } = await request(merchantKey, 'POST', '/api/v3/saved_searches', saved)
  const { products } = await request(merchantKey, 'POST', '/api/v3/products/jewelry/query', {})
  const gemstones = { filters: { species: ['sapphire'] }, limit: 1 }
  const coloured = await request(merchantKey, 'POST', '/api/v3/gemstones/search', gemstones)
  const supplied = await request(supplierKey, 'GET', '/api/supplier/orders?limit=1')
  const own = await request(supplierKey, 'GET', '/api/supplier/imports?limit=1')
  const { imports } = await request(adminKey, 'GET', '/api/operator/imports?limit=1')
  const jewelry = await request(adminKey, 'GET', '/api/operator/jewelry/imports?limit=1')
  const { catalogues } = await request(adminKey, 'GET', '/api/operator/catalogues')
  const { suppliers } = await request(adminKey, 'GET', '/api/operator/suppliers')
  const { merchants } = await request(adminKey, 'GET', '/api/operator/merchants')
  await makeAllNotices(market.database.db)
  const productIds: string[] = products.slice(0, 1).map(({ id }: { id: string }) => id)
  return {
    merchant: [
      ...merchantPages(sku, placed.order_id),
      `/quotes/${quote.uuid}`,
      `/saved/${savedUuid}`,
      ...productIds.map((id) => `/jewelry/${id}`),
      `/stones/${coloured.gems[0].sku}`,
    ],
    operator: [
      ...operatorPages(sku, placed.uuid, merchants[0].uuid),
      ...pagesOfSupplier(suppliers[0].uuid),
      `/operator/quotes/${quote.uuid}`,
      `/operator/imports/${imports[0].uuid}`,
      `/operator/imports/jewelry/${jewelry.imports[0].uuid}`,
      `/operator/catalogues/${catalogues[0].uuid}`,
    ],
    supplier: [
      ...supplierPages(supplied.orders[0].uuid),
      `/supplier/imports/${own.imports[0].uuid}`,
    ],
  }
}

/** Every second page, or all of them where tests are thorough. */
export function partOf(paths: readonly string[], places: 'even' | 'odd'): string[] {
  const rest = places === 'even' ? 0 : 1
  return paths.filter((_, at) => isThorough || at % 2 === rest)
}

const merchantPages = (sku: string, orderId: string) => [
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
  '/gemstones?species=sapphire|ruby&treatment=heated&weight_min=1&media=yes',
  '/jewelry',
  '/jewelry?kind=watch',
  '/saved',
  '/basket',
  '/orders',
  `/orders/${encodeURIComponent(orderId)}`,
  '/quotes',
  '/returns',
  '/memos',
  '/account',
  '/holds',
  '/shares',
  '/watch',
  '/notices',
  '/settings',
  '/settings/templates',
  '/settings/addresses',
  '/settings/keys',
  '/settings/webhooks',
  '/settings/users',
  '/no-such-page',
]

/** What the operator has on a supplier, by tab. */
const pagesOfSupplier = (uuid: string) =>
  ['', '?tab=sources', '?tab=imports', '?tab=score', '?tab=people'].map(
    (tab) => `/operator/suppliers/${uuid}${tab}`,
  )

const operatorPages = (sku: string, orderUuid: string, merchantUuid: string) => [
  '/operator',
  '/operator/figures?range=90',
  '/operator/suppliers',
  '/operator/audit',
  '/operator/seller',
  `/operator/find?q=${sku}`,
  '/operator/imports',
  '/operator/imports/jewelry',
  '/operator/catalogues',
  '/operator/stock',
  `/operator/stock/${sku}`,
  '/operator/conflicts',
  '/operator/quarantine',
  '/operator/merchants',
  `/operator/merchants/${merchantUuid}`,
  ...['terms', 'addresses', 'users', 'order'].map(
    (part) => `/operator/merchants/${merchantUuid}/${part}`,
  ),
  '/operator/orders',
  `/operator/orders/${orderUuid}`,
  '/operator/quotes',
  '/operator/memos',
  '/operator/returns?status=all',
  '/operator/rates',
  '/operator/notices',
  '/operator/users',
]

const supplierPages = (orderUuid: string) => [
  '/supplier/orders',
  `/supplier/orders/${orderUuid}`,
  '/supplier/stock',
  '/supplier/imports',
  '/supplier/scorecard',
  '/supplier/notices',
  '/supplier/users',
]

const KEYS = { merchant: 'merchantKey', operator: 'adminKey', supplier: 'supplierKey' } as const

/**
 * Visits every page of a side and returns what is wrong: violations that axe finds, pages wider
 * than the window, in the narrowest or the widest one too, text that is not in the browser's
 * language, scripts that fail, and other hosts that are called. With SCREENSHOTS=<folder> it writes
 * screenshots.
 */
export async function faultsOf(
  market: ConsoleMarket,
  side: keyof PageList,
  paths: readonly string[],
  look: Look,
): Promise<string[]> {
  const { colorScheme, width, locale } = look
  const tab = await market.signIn(market.keys[KEYS[side]], look)
  const { page } = tab
  const faults: string[] = []
  const names = await namesOf(market)
  for (const path of paths) {
    await visit(tab, path)
    // Pictures, counts and plots are loaded after the text.
    await settled(tab)
    if (SCREENSHOTS) {
      mkdirSync(SCREENSHOTS, { recursive: true })
      const name = path.replaceAll(/[^a-z0-9]+/gi, '_').slice(0, 60)
      await page.screenshot({ path: `${SCREENSHOTS}/${colorScheme}-${width}${name}.png` })
    }
    faults.push(...(await tooWide(page, path, width)))
    const left = locale === 'de-DE' ? await englishOn(page, path, names) : []
    faults.push(...[...left, ...(await violationsOn(page))].map((each) => `${path}: ${each}`))
    // The narrowest and the widest window that the console is made for.
    const other = width < 900 ? 320 : 2560
    await page.setViewportSize({ width: other, height: HEIGHT })
    await settled(tab)
    faults.push(...(await tooWide(page, path, other)))
    await page.setViewportSize({ width, height: HEIGHT })
  }
  return [...faults, ...tab.problems]
}

/** Pages that show titles and stories of goods, which their sellers wrote in English. */
const ENGLISH_GOODS = /^\/(jewelry|orders|quotes|basket|operator\/(orders|quotes|catalogues))/

async function englishOn(page: Page, path: string, names: readonly string[]): Promise<string[]> {
  const marked = ENGLISH_GOODS.test(path) ? [] : await markedEnglishOn(page)
  return [...(await untranslatedOn(page, names)), ...marked]
}

/** What people and companies of the market are called, and what they wrote. */
async function namesOf({ database }: ConsoleMarket): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from supplier
    union select unnest(array[legal_dba, first_name, last_name]) from merchant
    union select unnest(array[name, address_1, address_2, city]) from merchant_address
    union select name from app_user
    union select label from charge_rule
    union select unnest(array["group", label]) from merchant_template
    union select name from catalogue`.execute(database.db)
  // The group of templates that every merchant has.
  const names = ['DEFAULT', ...rows.map(({ name }) => name).filter((name) => name !== '')]
  return names.sort((a, b) => b.length - a.length)
}

async function tooWide(page: Page, path: string, width: number): Promise<string[]> {
  const drawn = await page.evaluate<number>('document.documentElement.scrollWidth')
  return drawn > width ? [`${path} is ${drawn} pixels wide in a window of ${width}`] : []
}
