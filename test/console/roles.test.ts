import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  hasChromium,
  openConsoleMarket,
  settled,
  type Tab,
  visit,
} from '../support/browser.ts'
import { listPages, type PageList } from './page-list.ts'

/** What users see who may not do everything: no button that the server would refuse. */
const TIMEOUT_MS = 300_000
let market: ConsoleMarket
let pages: PageList

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  pages = await listPages(market)
}, TIMEOUT_MS)
afterAll(() => market?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
type Json = any

async function request(key: string, method: string, path: string, body?: unknown): Promise<Json> {
  const response = await market.call(key, method, path, body)
  expect(response.status, `${method} ${path}`).toBeLessThan(300)
  return response.json()
}

interface User extends Tab {
  /** What the console asked for and was refused. */
  refused: string[]
}

/** Invites a user, who signs in with the link of the invitation. */
async function userOf(side: 'merchant' | 'operator', role: string): Promise<User> {
  const { merchantKey, adminKey } = market.keys
  const [key, path] =
    side === 'merchant' ? [merchantKey, '/api/v3/users'] : [adminKey, '/api/operator/users']
  const { link } = await request(key, 'POST', path, { email: `${role}@roles.example`, role })
  const tab = await market.open()
  const refused: string[] = []
  tab.page.on('response', (response) => {
    if (response.status() === 403) refused.push(new URL(response.url()).pathname)
  })
  const { pathname, hash } = new URL(link)
  await tab.page.goto(market.address + pathname + hash)
  await tab.page.getByRole('banner').waitFor()
  return { ...tab, refused }
}

/** The names of the buttons in the page, without those of the frame around it. */
async function buttonsOn({ page }: Tab): Promise<string[]> {
  const buttons = page.locator('main').getByRole('button')
  return (await buttons.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
}

async function expectWithout(tab: User, path: string, names: RegExp): Promise<void> {
  await visit(tab, path)
  await settled(tab)
  expect([path, (await buttonsOn(tab)).filter((name) => names.test(name))]).toEqual([path, []])
}

/** What the user may not save cannot be typed either: it would be lost. */
async function expectNoFields(tab: User, path: string, within = 'main'): Promise<void> {
  await visit(tab, path)
  await settled(tab)
  const fields = tab.page.locator(within).locator('.input, input[type="checkbox"]')
  expect(await fields.count(), path).toBeGreaterThan(0)
  const enabled = await fields.evaluateAll((all) =>
    all.filter((each) => each.matches(':enabled')).map((each) => each.outerHTML),
  )
  expect([path, enabled]).toEqual([path, []])
}

async function firstStones(): Promise<string[]> {
  const body = { filters: { on_hold: false, shape: ['oval'] } }
  const found = await request(
    market.keys.merchantKey,
    'POST',
    '/api/v2/diamonds/merchant_search',
    body,
  )
  return found.gems.map(({ sku }: { sku: string }) => sku)
}

describe.skipIf(!hasChromium)('a viewer of a merchant', { timeout: TIMEOUT_MS }, () => {
  let viewer: User
  beforeAll(async () => {
    viewer = await userOf('merchant', 'viewer')
  }, TIMEOUT_MS)

  it('is told in the basket that it may not order, and has no button to fill it', async () => {
    const { page } = viewer
    const [sku] = await firstStones()
    const toOrder = /Add to basket|Hold|Place order|Ask for a quote/
    for (const path of [`/stones/${sku}`, '/search', `/compare?sku=${sku}`, '/search?view=pairs']) {
      await expectWithout(viewer, path, toOrder)
    }
    await visit(viewer, '/search?view=table')
    await settled(viewer)
    await page.getByRole('button', { name: /^Select (all|the first)/ }).click()
    await page.getByText(/^[\d,]+ selected$/).waitFor()
    expect((await buttonsOn(viewer)).filter((name) => toOrder.test(name))).toEqual([])
    expect(await page.locator('.basket-link').count()).toBe(0)
    await visit(viewer, '/basket')
    await page.getByText('You may look at everything, but not order', { exact: true }).waitFor()
  })

  it('reads quotes and orders without the steps of a buyer', async () => {
    const { merchantKey } = market.keys
    const [, bought, quoted] = await firstStones()
    const line_items = [{ sku: bought, quantity: 1 }]
    const body = { order_type: 'invoice', line_items }
    const order = await request(merchantKey, 'POST', '/api/v2/orders/place', body)
    const quote = await request(merchantKey, 'POST', '/api/v3/quotes', {
      line_items: [{ sku: quoted, quantity: 1 }],
    })
    await expectWithout(viewer, `/orders/${order.order_id}`, /Cancel|return/)
    await expectWithout(viewer, `/quotes/${quote.uuid}`, /Withdraw|Place order/)
  })

  it('reads the margins in fields that cannot be typed in', async () => {
    await expectNoFields(viewer, '/settings')
  })

  it('opens every page without a refusal', async () => {
    for (const path of pages.merchant) {
      await visit(viewer, path)
      await settled(viewer)
    }
    expect([...viewer.refused, ...viewer.problems]).toEqual([])
  })
})

describe.skipIf(!hasChromium)('a user of the operator', { timeout: TIMEOUT_MS }, () => {
  it('who looks after the stock does not work orders', async () => {
    const user = await userOf('operator', 'stock')
    const { adminKey } = market.keys
    const { orders } = await request(adminKey, 'GET', '/api/operator/orders?unconfirmed=true')
    const { orders: all } = await request(adminKey, 'GET', '/api/operator/orders')
    const steps =
      /Confirm|Ship|payment|Charges|invoice|Decline|Cancel|Extend|Approve|Receive|Accept/
    for (const { uuid } of [...orders, ...all].slice(0, 3)) {
      await expectWithout(user, `/operator/orders/${uuid}`, steps)
    }
    for (const path of ['/operator/returns?status=all', '/operator/quotes', '/operator/memos']) {
      await expectWithout(user, path, steps)
    }
    await expectWithout(user, '/operator/merchants', /Add merchant/)
    await expectWithout(user, '/operator/rates', /^Set$/)
    const { merchants } = await request(adminKey, 'GET', '/api/operator/merchants')
    const merchant = `/operator/merchants/${merchants[0].uuid}`
    await expectNoFields(user, merchant)
    await expectNoFields(user, `${merchant}/terms`)
    await expectNoFields(user, '/operator/seller', 'form[aria-label="On documents"]')
    for (const path of pages.operator) {
      await visit(user, path)
      await settled(user)
    }
    expect([...user.refused, ...user.problems]).toEqual([])
  })

  it('who sells does not change the stock', async () => {
    const user = await userOf('operator', 'sales')
    const [sku] = await firstStones()
    await expectWithout(user, `/operator/stock/${sku}`, /^(Set|Note|Disable|Enable|End the hold)/)
    await expectWithout(user, '/operator/conflicts', /Keep this one|different stones/)
    await expectWithout(user, '/operator/quarantine', /Release|Dismiss/)
    await expectWithout(user, '/operator/catalogues', /Create/)
    for (const name of ['catalogues', 'suppliers']) {
      const { [name]: rows } = await request(market.keys.adminKey, 'GET', `/api/operator/${name}`)
      await expectNoFields(user, `/operator/${name}/${rows[0].uuid}`)
    }
    for (const path of pages.operator) {
      await visit(user, path)
      await settled(user)
    }
    await visit(user, '/operator/imports')
    expect(await user.page.getByLabel('Choose a file', { exact: true }).count()).toBe(0)
    expect([...user.refused, ...user.problems]).toEqual([])
  })
})
