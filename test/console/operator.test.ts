import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConsoleMarket,
  hasChromium,
  openConsoleMarket,
  type Tab,
  visit,
} from '../support/browser.ts'

/** What the operator does in a real browser, what the merchant sees of it, and failures. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let tab: Tab
let merchant: Tab

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  tab = await market.signIn(market.keys.adminKey)
  merchant = await market.signIn(market.keys.merchantKey)
}, TIMEOUT_MS)
afterAll(() => market?.close())

interface Stone {
  sku: string
}

async function stones(filters: Record<string, unknown>): Promise<Stone[]> {
  const path = '/api/v2/diamonds/merchant_search'
  const response = await market.call(market.keys.merchantKey, 'POST', path, { filters })
  return ((await response.json()) as { gems: Stone[] }).gems
}

async function place(sku: string): Promise<{ uuid: string; order_id: string }> {
  const body = { order_type: 'invoice', line_items: [{ sku, quantity: 1 }] }
  const response = await market.call(market.keys.merchantKey, 'POST', '/api/v2/orders/place', body)
  return (await response.json()) as { uuid: string; order_id: string }
}

const FEED = `Stock #,Shape,Weight,Color,Clarity,Cut Grade,Polish,Symmetry,Fluorescence,Measurements,Depth %,Table %,Lab,Certificate #,Price Per Carat
C-1,Round,1.01,F,VS1,EX,EX,EX,None,6.45-6.48x3.98,61.5,57,GIA,2141438171,6100
C-2,Oval,1.50,G,VS2,,EX,VG,Faint,8.80x6.20x3.80,61.3,58,GIA,2141438172,7200
C-3,Emerald,1.02,E,VVS2,,EX,EX,None,6.60x4.90x3.20,65.3,63,GIA,2141438175,6900
C-4,Blob,1.00,D,IF,,EX,EX,None,6.4x6.4x3.9,60,57,GIA,2141438173,9000
`

describe.skipIf(!hasChromium)('the operator in the console', { timeout: TIMEOUT_MS }, () => {
  it('sees an overview of the market', async () => {
    await visit(tab, '/operator')
    await tab.page.getByText('All systems normal', { exact: true }).waitFor()
    await tab.page.getByRole('heading', { name: 'Stock by supplier', exact: true }).waitFor()
  })

  it('ships an order and records its payment; the merchant sees both', async () => {
    const [stone] = await stones({ shape: ['oval'] })
    const { uuid, order_id } = await place(stone.sku)
    const { page } = tab
    await visit(tab, `/operator/orders/${uuid}`)
    await page.getByRole('button', { name: 'Ship', exact: true }).click()
    await page.getByLabel('Carrier', { exact: true }).fill('Facet Express')
    await page.getByLabel('Tracking number', { exact: true }).fill('FX-77')
    await page.getByRole('button', { name: 'Confirm shipment', exact: true }).click()
    await page.getByText('Facet Express FX-77', { exact: true }).waitFor()
    const slip = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Packing slip PS-/ }).click()
    expect((await slip).suggestedFilename()).toMatch(/^PS-\d{6}\.pdf$/)
    await page.getByRole('button', { name: 'Record payment', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Record payment', exact: true }).click()
    await page.getByText('closed', { exact: true }).waitFor()
    await visit(merchant, `/orders/${encodeURIComponent(order_id)}`)
    const download = merchant.page.waitForEvent('download')
    await merchant.page.getByRole('button', { name: /^Invoice INV-/ }).click()
    expect((await download).suggestedFilename()).toMatch(/^INV-\d{4}-\d{6}\.pdf$/)
    const timeline = await merchant.page.locator('.timeline').innerText()
    expect(timeline).toMatch(/Placed[\s\S]*Shipped[\s\S]*FX-77[\s\S]*Paid/)
  })

  it('cancels an order, and the stone is for sale again', async () => {
    const [stone] = await stones({ shape: ['pear'] })
    const { uuid } = await place(stone.sku)
    const { page } = tab
    await visit(tab, `/operator/orders/${uuid}`)
    await page.getByRole('button', { name: 'Cancel order', exact: true }).click()
    await page.getByLabel('Reason', { exact: true }).fill('ordered twice')
    await page.getByRole('button', { name: 'Cancel items', exact: true }).click()
    await page.getByText('cancelled', { exact: true }).waitFor()
    await expect.poll(async () => (await stones({ sku: [stone.sku] })).length).toBe(1)
  })

  it('checks a file, imports it and undoes the import', async () => {
    const { page } = tab
    await visit(tab, '/operator/imports')
    const file = { name: 'stock.csv', mimeType: 'text/csv', buffer: Buffer.from(FEED) }
    await page.getByLabel('Choose a file', { exact: true }).setInputFiles(file)
    await page.getByLabel('Supplier (a new name creates one)', { exact: true }).fill('Console Gems')
    await page.getByRole('button', { name: 'Check file', exact: true }).click()
    await page.getByText('Column mapping', { exact: true }).waitFor()
    expect(await page.getByLabel('Field for Weight', { exact: true }).inputValue()).toBe('weight')
    expect(await page.locator('main').innerText()).toContain('Blob')
    expect(await stones({ cert_num: ['2141438171'] })).toEqual([])
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const link = page.getByRole('link', { name: 'stock.csv', exact: true }).first()
    await link.waitFor()
    await expect.poll(async () => (await stones({ cert_num: ['2141438171'] })).length).toBe(1)
    await link.click()
    await page.getByRole('button', { name: 'Undo import', exact: true }).click()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('undone', { exact: true }).waitFor()
    await expect.poll(async () => (await stones({ cert_num: ['2141438171'] })).length).toBe(0)
  })

  it('corrects a column, and keeps what else the supplier has in its mapping', async () => {
    const { page } = tab
    const admin = market.keys.adminKey
    await market.call(admin, 'POST', '/api/operator/suppliers', {
      name: 'Mapped Gems',
      mapping: { country_code: { value: 'IND' }, Weight: 'weight', Absent: 'lab' },
    })
    await visit(tab, '/operator/imports')
    const buffer = Buffer.from(FEED)
    await page
      .getByLabel('Choose a file', { exact: true })
      .setInputFiles({ name: 'form.csv', mimeType: 'text/csv', buffer })
    await page.getByLabel('Supplier (a new name creates one)', { exact: true }).fill('Mapped Gems')
    await page.getByRole('button', { name: 'Check file', exact: true }).click()
    await page.getByText('Column mapping', { exact: true }).waitFor()
    await page.getByLabel('Field for Color', { exact: true }).selectOption('color')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('link', { name: 'form.csv', exact: true }).first().waitFor()
    const response = await market.call(admin, 'GET', '/api/operator/suppliers')
    const { suppliers } = (await response.json()) as { suppliers: { name: string }[] }
    expect(suppliers.find(({ name }) => name === 'Mapped Gems')).toMatchObject({
      mapping: { country_code: { value: 'IND' }, Weight: 'weight', Color: 'color' },
    })
  })

  it('sets a rate and adds a merchant with a key', async () => {
    const { page } = tab
    await visit(tab, '/operator/rates')
    await page.getByRole('textbox', { name: 'Currency', exact: true }).fill('EUR')
    await page.getByRole('textbox', { name: 'Rate', exact: true }).fill('0.9123')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByRole('cell', { name: '0.9123', exact: true }).waitFor()
    await visit(tab, '/operator/merchants')
    await page.getByRole('button', { name: 'Add merchant', exact: true }).click()
    await page.getByLabel('Trading name', { exact: true }).fill('Window Jewels')
    await page.getByLabel('Email', { exact: true }).fill('window@jewels.example')
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('heading', { name: 'Window Jewels', exact: true }).waitFor()
    await page.getByLabel('Name of a new key', { exact: true }).fill('till')
    await page.getByRole('button', { name: 'Create key', exact: true }).click()
    const key = await page.locator('.secret code').innerText()
    expect((await market.call(key, 'GET', '/api/v3/session')).status).toBe(200)
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    await page.getByLabel('Live holds (0 in use)', { exact: true }).fill('3')
    await page.getByRole('button', { name: 'Save limits', exact: true }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    const stored = market.database.db.selectFrom('merchant').select('max_holds')
    const shop = await stored.where('email', '=', 'window@jewels.example').executeTakeFirst()
    expect(shop?.max_holds).toBe(3)
    expect(tab.problems).toEqual([])
  })
})

describe.skipIf(!hasChromium)(
  'when something goes wrong in the console',
  { timeout: TIMEOUT_MS },
  () => {
    it('names a stone that was sold meanwhile, and replaces it with a similar one', async () => {
      const { page } = merchant
      await visit(merchant, '/search?shape=round&type=mined&weight=0.3-1.2')
      const add = page.getByRole('button', { name: /^Add to basket/ }).first()
      const sku = (await add.innerText()).split(/\s+/).at(-1) ?? ''
      await add.click()
      await place(sku)
      await page.getByRole('link', { name: /^Basket/ }).click()
      const note = page.getByRole('alert').filter({ hasText: sku })
      await note.waitFor()
      await note
        .getByRole('button', { name: /^Choose this one/ })
        .first()
        .click()
      await page.getByText('All items available', { exact: true }).waitFor()
      await page
        .getByRole('button', { name: /^Remove/ })
        .first()
        .click()
    })

    it('shows that the connection is lost, and continues when it is back', async () => {
      const { page, context } = merchant
      await visit(merchant, '/holds')
      await visit(merchant, '/orders')
      await context.setOffline(true)
      await page.getByRole('link', { name: 'Holds', exact: true }).click()
      await page.getByText('Connection lost').waitFor()
      await context.setOffline(false)
      await page
        .getByText(/You have no stones on hold|Release/)
        .first()
        .waitFor()
      await expect.poll(() => page.getByText('Connection lost').count()).toBe(0)
    })

    it('asks to sign in again when the session has ended, and returns to the page', async () => {
      const { page } = merchant
      await visit(merchant, '/parcels')
      const { db } = market.database
      await db
        .updateTable('token')
        .set({ revoked_on: new Date().toISOString() })
        .where('is_session', '=', true)
        .where('type', '=', 'merchant')
        .execute()
      await expect
        .poll(
          async () => {
            await revisit('/orders')
            return page.getByRole('heading', { name: 'Sign in to Pavilion', exact: true }).count()
          },
          { timeout: 30_000 },
        )
        .toBe(1)
      expect(await page.locator('.note').innerText()).toContain('revoked')
      await page.getByLabel('Your key', { exact: true }).fill(market.keys.merchantKey)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor()
      expect(merchant.problems).toEqual([])
    })
  },
)

async function revisit(path: string): Promise<void> {
  const there = `history.pushState(null, '', '${path}?q=' + Math.random())`
  await merchant.page.evaluate(`${there}; dispatchEvent(new PopStateEvent('popstate'))`)
  await merchant.page.waitForTimeout(300)
}

describe.skipIf(!hasChromium)('a user in the console', { timeout: TIMEOUT_MS }, () => {
  it('is invited, sets a password and signs in with it', async () => {
    const { page } = tab
    await visit(tab, '/operator/users')
    await page.getByRole('button', { name: 'Invite a user', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail address', { exact: true }).fill('new@market.example')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    const link = await page.locator('.secret code').innerText()
    const guest = await market.open()
    await guest.page.goto(link.replace(/^.*\/sign-in/, `${market.address}/sign-in`))
    await guest.page.getByRole('banner').waitFor()
    await visit(guest, '/operator/users')
    const password = 'a polished table facet'
    await guest.page.getByLabel('New password, at least 12 characters').fill(password)
    await guest.page.getByRole('button', { name: 'Set password', exact: true }).click()
    await guest.page.getByText('Your password is set.', { exact: false }).waitFor()
    const again = await market.open()
    await again.page.getByLabel('E-mail address', { exact: true }).fill('new@market.example')
    await again.page.getByLabel('Password', { exact: true }).fill(password)
    await again.page.getByRole('button', { name: 'Sign in with password', exact: true }).click()
    await again.page.getByRole('banner').waitFor()
    expect([...guest.problems, ...again.problems]).toEqual([])
  })
})
