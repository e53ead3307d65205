import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  hasChromium,
  openConsoleMarket,
  type Tab,
  visit,
} from '../support/browser.ts'

/** What somebody has typed or must still read is not lost without a question. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let tab: Tab
let merchantUuid: string

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  tab = await market.signIn(market.keys.adminKey)
  const list = await market.call(market.keys.adminKey, 'GET', '/api/operator/merchants')
  const { merchants } = (await list.json()) as { merchants: { uuid: string }[] }
  merchantUuid = merchants[0].uuid
}, TIMEOUT_MS)
afterAll(() => market?.close())

const button = (name: string) => tab.page.getByRole('button', { name, exact: true })
const field = (name: string) => tab.page.getByLabel(name, { exact: true })

describe.skipIf(!hasChromium)('in the console', { timeout: TIMEOUT_MS }, () => {
  it('saving a part of a merchant keeps what is typed in another', async () => {
    const { page } = tab
    await visit(tab, `/operator/merchants/${merchantUuid}`)
    await field('Phone').fill('+1 212 555 0147')
    await field('Addresses (3 in use)')
      .or(page.getByLabel(/^Addresses/))
      .first()
      .fill('40')
    await button('Save limits').click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    expect(await field('Phone').inputValue()).toBe('+1 212 555 0147')
    await button('Save').click()
    await expect.poll(() => page.getByText('Saved.', { exact: true }).count()).toBeGreaterThan(0)
    await visit(tab, `/operator/merchants/${merchantUuid}/terms`)
    await field('Days to pay').fill('45')
    await field('Mined diamonds, %').fill('-2')
    await button('Save prices').click()
    await button('Change prices').click()
    await page.getByText('Saved.', { exact: true }).last().waitFor()
    expect(await field('Days to pay').inputValue()).toBe('45')
    await field('Days to pay').fill('30')
  })

  it('a key that is shown once stays until its button is pressed', async () => {
    const { page } = tab
    await visit(tab, '/operator/merchants')
    await page.getByRole('link', { name: 'Rates', exact: true }).click()
    await page.getByRole('heading', { name: 'Exchange rates', exact: true }).waitFor()
    await visit(tab, `/operator/merchants/${merchantUuid}`)
    await field('Name of a new key').fill('Till')
    await button('Create key').click()
    const secret = page.locator('.secret code')
    await secret.waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    expect(await secret.count()).toBe(1)
    await page.goBack()
    await button('Keep as it is').click()
    expect(await secret.innerText()).toMatch(/^pav_live_/)
    await button('Done').click()
    await expect.poll(() => secret.count()).toBe(0)
  })

  it('a session that has ended is not listed among the keys', async () => {
    const { page } = tab
    const body = { type: 'api_key', merchant_uuid: merchantUuid, name: 'Ended till' }
    const { adminKey } = market.keys
    const made = await market.call(adminKey, 'POST', '/api/operator/tokens', body)
    const { uuid } = (await made.json()) as { uuid: string }
    const yesterday = new Date(Date.now() - 86_400_000).toISOString()
    const { db } = market.database
    await db.updateTable('token').set({ expires_on: yesterday }).where('uuid', '=', uuid).execute()
    await visit(tab, '/operator/merchants')
    await visit(tab, `/operator/merchants/${merchantUuid}`)
    await page.getByText('Till', { exact: false }).first().waitFor()
    expect(await page.getByText('Ended till', { exact: false }).count()).toBe(0)
  })

  it('the back button answers a question with no', async () => {
    const { page } = tab
    await visit(tab, '/operator/rates')
    await page.getByRole('link', { name: 'Merchants', exact: true }).click()
    await page
      .getByRole('button', { name: /^On – access for/ })
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Exchange rates', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    expect(tab.problems).toEqual([])
  })
})
