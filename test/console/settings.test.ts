import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

/** The settings of a merchant in a real browser: webhooks with their log, addresses, templates. */
const TIMEOUT_MS = 240_000
const SCREENSHOTS = process.env.SCREENSHOTS
const HOOK = 'https://shop.example/hooks'
let market: ConsoleMarket
let tab: Tab

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  const { merchantKey } = market.keys
  await market.call(merchantKey, 'POST', '/api/v3/webhooks', { url: HOOK })
  await addDeliveries()
  tab = await market.signIn(merchantKey, { colorScheme: 'light', width: 1440 })
}, TIMEOUT_MS)
afterAll(() => market?.close())

/** Three events of the demo: one accepted, one given up, and one that is tried again in an hour. */
async function addDeliveries(): Promise<void> {
  await sql`
    with chosen as (
      select event.uuid, event.sequence, endpoint.uuid as endpoint_uuid,
        row_number() over (order by event.sequence) as place
      from webhook_endpoint as endpoint join event on event.merchant_uuid = endpoint.merchant_uuid
      where endpoint.url = ${HOOK} and event.event_type = 'order.create'
        and event.sequence is not null
      order by event.sequence limit 3
    ), delivery as (
      insert into webhook_delivery (endpoint_uuid, event_uuid, sequence, state, attempts, due_on,
        delivered_on)
      select endpoint_uuid, uuid, sequence, (array['delivered', 'failed', 'pending'])[place],
        (array[2, 2, 1])[place], clock_timestamp() + interval '80 minutes',
        case when place = 1 then clock_timestamp() end
      from chosen returning uuid, state
    )
    insert into webhook_attempt (delivery_uuid, number, duration_ms, status, error)
    select uuid, number, 120, case when state = 'delivered' and number = 2 then 200
        when state = 'failed' then 500 end,
      case when state = 'failed' or (state = 'delivered' and number = 2) then null
        else 'no response within 10 seconds' end
    from delivery, generate_series(1, case when state = 'pending' then 1 else 2 end) as number
  `.execute(market.database.db)
}

describe.skipIf(!hasChromium)('the settings', { timeout: TIMEOUT_MS }, () => {
  it('tell what became of every event that was sent to a webhook', async () => {
    const { page } = tab
    await visit(tab, '/settings/webhooks')
    const log = page.getByRole('list', { name: `Deliveries to ${HOOK}`, exact: true })
    await log.waitFor()
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/webhooks.png`, fullPage: true })
    const text = await log.innerText()
    expect(text).toContain('Order placed')
    expect(text).toContain('After 2 attempts: The receiver accepted it with status 200 in 120 ms.')
    expect(text).toContain('The receiver refused it with status 500 in 120 ms. After 2 attempts')
    expect(text).toContain('The receiver did not answer: no response within 10 seconds.')
    expect(text).toContain('The next attempt is due in 1 hour.')
    await page.getByText('All attempts', { exact: true }).first().click()
    const again = page.getByRole('button', { name: 'Send again: Order placed', exact: true })
    await again.last().click()
    await page.getByText('The event will be sent again.', { exact: true }).waitFor()
    expect(await violationsOn(page)).toEqual([])
  })

  it('add, change and remove an address, and a template', async () => {
    const { page } = tab
    await visit(tab, '/settings/addresses')
    await page.getByRole('button', { name: 'Add address', exact: true }).click()
    const fields = [
      ['Name', 'Setting bench'],
      ['Street and number', '3 Pavilion Row'],
      ['Postal code', '10036'],
      ['City', 'New York'],
      ['Country code (two letters)', 'US'],
    ]
    for (const [label, value] of fields) await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Setting bench', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove Setting bench', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    const heading = page.getByRole('heading', { name: 'Setting bench', exact: true })
    await expect.poll(() => heading.count()).toBe(0)
    await visit(tab, '/settings/templates')
    await page.getByLabel('Group', { exact: true }).fill('Window')
    await page.getByLabel('Label', { exact: true }).fill('Aurora')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Template Aurora has been added.', { exact: true }).waitFor()
  })

  it('have no buttons for somebody who may only read them', async () => {
    const scopes = ['search', 'orders:read', 'settings:read', 'inventory:read']
    const { merchantKey } = market.keys
    const body = { name: 'reader', scopes }
    const made = await market.call(merchantKey, 'POST', '/api/v3/tokens', body)
    const { token } = (await made.json()) as { token: string }
    const reader = await market.signIn(token)
    const buttons = {
      '/settings': 'Save',
      '/settings/addresses': 'Add address',
      '/settings/templates': 'Add',
      '/settings/webhooks': 'Add webhook',
    }
    for (const [path, name] of Object.entries(buttons)) {
      for (const [each, count] of [
        [tab, 1],
        [reader, 0],
      ] as const) {
        await visit(each, path)
        await settled(each)
        const button = each.page.getByRole('button', { name, exact: true })
        expect(await button.count(), path).toBe(count)
      }
    }
    expect(reader.problems).toEqual([])
  })

  it('are German and fit on a phone, dialogs included', async () => {
    const phone = await market.signIn(market.keys.merchantKey, GERMAN_NARROW)
    const { page } = phone
    const buttons: Record<string, string | undefined> = {
      '/settings': undefined,
      '/settings/templates': undefined,
      '/settings/addresses': 'Adresse hinzufügen',
      '/settings/keys': 'Schlüssel erstellen',
      '/settings/webhooks': 'Webhook hinzufügen',
      '/settings/users': 'Benutzer einladen',
    }
    for (const [path, button] of Object.entries(buttons)) {
      await visit(phone, path)
      await settled(phone)
      if (button) await page.getByRole('button', { name: button, exact: true }).click()
      const name = path.replaceAll(/[^a-z0-9]+/g, '-')
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/phone${name}.png` })
      expect(await untranslatedOn(page), path).toEqual([])
      expect(await violationsOn(page), path).toEqual([])
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width, path).toBeLessThanOrEqual(360)
      if (button) await page.keyboard.press('Escape')
    }
    expect(phone.problems).toEqual([])
    expect(tab.problems).toEqual([])
  })
})
