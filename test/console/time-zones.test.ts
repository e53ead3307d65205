import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleMarket, hasChromium, openConsoleMarket, visit } from '../support/browser.ts'

const TIMEOUT_MS = 240_000
let market: ConsoleMarket
beforeAll(async () => {
  if (hasChromium) market = await openConsoleMarket()
}, TIMEOUT_MS)
afterAll(() => market?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
async function request(key: string, method: string, path: string, body?: unknown): Promise<any> {
  const response = await market.call(key, method, path, body)
  expect(response.status, `${method} ${path}`).toBeLessThan(300)
  return response.json()
}

const dayText = (day: string) =>
  new Date(`${day}T00:00Z`).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

it.skipIf(!hasChromium)(
  'days on which something is paid or due are the same in every time zone',
  async () => {
    const { merchantKey, adminKey } = market.keys
    const search = { filters: { on_hold: false }, limit: 1 }
    const found = await request(merchantKey, 'POST', '/api/v2/diamonds/merchant_search', search)
    const line_items = [{ sku: found.gems[0].sku, quantity: 1 }]
    const body = { order_type: 'invoice', line_items }
    const { uuid } = await request(merchantKey, 'POST', '/api/v2/orders/place', body)
    const path = `/api/operator/orders/${uuid}`
    await request(adminKey, 'POST', `${path}/invoice`, {})
    await request(adminKey, 'POST', `${path}/payments`, { amount: 1, paid_on: '2026-01-31' })
    const { due_on } = await request(adminKey, 'GET', path)
    const tab = await market.signIn(adminKey)
    const devtools = await tab.context.newCDPSession(tab.page)
    for (const timezoneId of ['America/Los_Angeles', 'Asia/Tokyo']) {
      await devtools.send('Emulation.setTimezoneOverride', { timezoneId })
      await tab.page.reload()
      await tab.page.getByRole('banner').waitFor()
      await visit(tab, `/operator/orders/${uuid}`)
      const account = tab.page.getByRole('region', { name: 'Account', exact: true })
      await account.getByText(`Due on ${dayText(due_on)}.`, { exact: false }).waitFor()
      await account.getByText('Paid on Jan 31, 2026', { exact: false }).waitFor()
    }
    expect(tab.problems).toEqual([])
  },
  TIMEOUT_MS,
)
