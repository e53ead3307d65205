import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLink } from '../../src/people/sign-in-link.ts'
import {
  type ConsoleMarket,
  hasChromium,
  NARROW,
  openConsoleMarket,
  settled,
  type Tab,
  visit,
} from '../support/browser.ts'

/** What a merchant does, in a real browser: from the sign-in link to the order. */
const TIMEOUT_MS = 240_000
let market: ConsoleMarket
let tab: Tab

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  tab = await market.signIn(market.keys.merchantKey)
}, TIMEOUT_MS)
afterAll(() => market?.close())

const number = (text: string | null) => Number((text ?? '').replaceAll(/[^0-9]/g, ''))
/** Waits until the list shows the search in the address, with no request pending. */
async function searched(): Promise<void> {
  await settled(tab)
  await tab.page.locator('section[aria-busy="false"]').waitFor()
}
const searchedFor = (what: string) =>
  tab.page.locator('.page-head .muted', { hasText: what }).waitFor()
const found = async () => number(await tab.page.locator('.results-count').first().innerText())

describe.skipIf(!hasChromium)('a merchant in the console', { timeout: TIMEOUT_MS }, () => {
  it('signs in with a link that works once and whose code does not stay in the address', async () => {
    const { db } = market.database
    const { uuid } = await db.selectFrom('merchant').select('uuid').executeTakeFirstOrThrow()
    const link = await createLink(db, market.address, { merchant_uuid: uuid, supplier_uuid: null })
    const guest = await market.open(NARROW)
    await guest.page.goto(link.url)
    await guest.page.getByRole('heading', { name: 'Diamonds', exact: true }).waitFor()
    expect(guest.page.url()).toBe(`${market.address}/search`)
    const late = await market.open()
    await late.page.goto(link.url)
    await late.page.getByRole('alert').waitFor()
    expect(await late.page.getByRole('alert').innerText()).toContain('was used already')
    expect([...guest.problems, ...late.problems]).toEqual([])
  })

  it('stores no key in the browser, and nothing that outlasts the session', async () => {
    const stored = await tab.page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, document.cookie])',
    )
    expect(stored).not.toContain('pav_')
    const session = await tab.page.evaluate<string>('JSON.stringify({ ...sessionStorage })')
    expect(session).not.toContain(market.keys.merchantKey)
  })

  it('searches by shape, grade and slider, all in the address, and goes back step by step', async () => {
    const { page } = tab
    await visit(tab, '/search')
    await expect.poll(found).toBeGreaterThan(1000)
    const all = await found()
    await page.getByLabel(/^Oval/).first().check({ force: true })
    await expect.poll(found).toBeLessThan(all)
    const ovals = await found()
    await expect.poll(() => page.url()).toContain('shape=oval')
    await page
      .getByLabel(/^F\s*\d/)
      .first()
      .check({ force: true })
    await expect.poll(found).toBeLessThan(ovals)
    await page.getByLabel('Carat, from', { exact: true }).focus()
    for (let press = 0; press < 12; press++) await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.url()).toMatch(/weight=\d/)
    await searched()
    const shared = page.url()
    const count = await found()
    // A drag of the slider is one step for the back button, or a few when it is slow.
    // The address changes with the page's next task, so each step is waited for.
    for (let left = page.url(); left.includes('weight='); left = page.url()) {
      await page.goBack()
      await expect.poll(() => page.url()).not.toBe(left)
    }
    expect(page.url()).toMatch(/shape=oval.*color=F|color=F.*shape=oval/)
    await page.goBack()
    await expect.poll(() => page.url()).not.toContain('color=F')
    expect(page.url()).toContain('shape=oval')
    const fresh = await market.signIn(market.keys.merchantKey)
    await visit(fresh, shared.replace(market.address, ''))
    const again = fresh.page.locator('.results-count').first()
    await expect.poll(async () => number(await again.innerText())).toBe(count)
  })

  it('scrolls the table to its last row, and sorts it', async () => {
    const { page } = tab
    await visit(tab, '/search?view=table')
    await searched()
    await page.locator('.stone-row a').first().waitFor()
    const total = await found()
    await page.evaluate("document.querySelector('.virtual').scrollTo(0, 1e9)")
    const last = page.locator(`[aria-rowindex="${total + 1}"] a`)
    await last.waitFor()
    await page.getByRole('button', { name: 'Carat', exact: true }).click()
    await expect.poll(() => page.url()).toContain('sort=weight')
    const first = page.locator('[aria-rowindex="2"]')
    const lightest = await first.innerText()
    await page.getByRole('button', { name: 'Carat', exact: true }).click()
    await expect.poll(() => first.innerText()).not.toBe(lightest)
  })

  it('is offered wider searches when no stone matches', async () => {
    const { page } = tab
    await visit(tab, '/search?shape=round&weight=1-1.5&clarity=FL&cut_grade=P&lab=GCAL')
    await page.getByText('No stones match your search', { exact: true }).waitFor()
    await visit(tab, '/search?shape=round&price=1-2&retail_price=1-2')
    await page
      .getByRole('button', { name: /^price: /i })
      .first()
      .click()
    await expect.poll(found).toBeGreaterThan(0)
  })

  it('views a stone, places a hold and releases it', async () => {
    const { page } = tab
    await visit(tab, '/search?shape=round&type=mined&with=has_media&weight=0.9-')
    await page.locator('.card-name').first().click()
    await page.getByText('Your customer pays', { exact: true }).waitFor()
    await page.getByLabel('Drawing', { exact: true }).check({ force: true })
    expect(await page.locator('svg.stone-drawing').textContent()).toContain('crown')
    const hold = page.getByRole('button', { name: 'Hold', exact: true })
    if (await hold.isVisible()) {
      await hold.click()
      await page.getByRole('button', { name: 'Place hold', exact: true }).click()
      const end = page.getByRole('button', { name: /Release hold/ })
      await end.waitFor()
      await end.click()
      await page.getByRole('button', { name: 'Hold', exact: true }).waitFor()
    }
  })

  it('compares stones side by side', async () => {
    const { page } = tab
    await visit(tab, '/search?shape=round&sort=weight&order=desc')
    await page
      .getByRole('button', { name: /^Compare/ })
      .nth(0)
      .click()
    await page
      .getByRole('button', { name: /^Compare/ })
      .nth(0)
      .click()
    await page.getByRole('link', { name: /Compare 2/ }).click()
    await page.getByRole('heading', { name: 'Compare stones', exact: true }).waitFor()
    await expect.poll(() => page.locator('.compare thead th').count()).toBe(2)
  })

  it('sees curated stones with reasons', async () => {
    const { page } = tab
    await visit(tab, '/curated?shape=round&weight=1')
    await expect.poll(() => page.locator('.card').count()).toBeGreaterThan(0)
    await page
      .getByText(/lie within|at least/)
      .first()
      .waitFor()
  })

  it('fills a basket whose items are checked, and places one order on a double click', async () => {
    const { page } = tab
    await visit(tab, '/parcels')
    await page.locator('.parcel-cell').first().click()
    await page.getByLabel('Pieces', { exact: true }).fill('3')
    await page.getByRole('button', { name: 'Add to basket', exact: true }).click()
    await visit(tab, '/search?shape=princess&type=mined')
    await page
      .getByRole('button', { name: /^Add to basket/ })
      .first()
      .click()
    await page.getByRole('link', { name: /^Basket/ }).click()
    await page.getByText('All items available', { exact: true }).waitFor()
    await page.getByLabel('Your reference', { exact: true }).fill('Ring for a window')
    await page.getByRole('button', { name: 'Place order', exact: true }).dblclick()
    await page.getByRole('heading', { name: /^Order / }).waitFor()
    const { rows } = await orders('Ring for a window')
    expect(rows).toHaveLength(1)
    expect(rows[0].order_channel).toBe('console')
    await visit(tab, '/orders')
    await page.getByLabel('Search orders', { exact: true }).fill('ring window')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  })

  it('changes margins after a preview, and creates a key that is shown once', async () => {
    const { page } = tab
    await visit(tab, '/settings')
    await page.getByLabel('Mined %, tier 1', { exact: true }).fill('99')
    await page.getByText('Median change', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Your new margins are now in effect.', { exact: true }).waitFor()
    await visit(tab, '/settings/keys')
    await page.getByRole('button', { name: 'Create a key', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('till')
    await page.getByRole('button', { name: 'Create key', exact: true }).click()
    const key = await page.locator('.secret code').innerText()
    expect((await market.call(key, 'GET', '/api/v3/session')).status).toBe(200)
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    await page.getByRole('button', { name: 'Revoke till', exact: true }).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await expect
      .poll(async () => (await market.call(key, 'GET', '/api/v3/session')).status)
      .toBe(401)
  })

  it('creates a key for the pages of a shop, with the snippet that shows the market there', async () => {
    const { page } = tab
    await visit(tab, '/settings/keys')
    await page.getByRole('button', { name: 'Create a key', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('shop page')
    // The text of the label includes that of the options.
    const usedBy = page.locator('label', { hasText: 'Used by' }).locator('select')
    await usedBy.selectOption('publishable')
    await page.getByLabel('Origin of the pages', { exact: true }).fill('https://shop.example')
    await page.getByRole('button', { name: 'Create key', exact: true }).click()
    const snippet = await page.locator('.secret code').innerText()
    expect(snippet).toContain(`src="${market.address}/window.js"`)
    expect(snippet).toMatch(/<pavilion-search key="pav_pub_live_\w{42}">/)
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    await page.getByText('https://shop.example', { exact: false }).first().waitFor()
  })

  it('creates a key with a budget, and shows it', async () => {
    const { page } = tab
    await visit(tab, '/settings/keys')
    await page.getByRole('button', { name: 'Create a key', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('agent')
    await page.getByLabel('Orders a day', { exact: true }).fill('20')
    await page.getByLabel('US dollars an order', { exact: true }).fill('10000')
    await page.getByRole('button', { name: 'Create key', exact: true }).click()
    const secret = page.locator('.secret code')
    await secret.waitFor()
    // What is shown once stays until it is put away.
    await page.keyboard.press('Escape')
    const key = await secret.innerText()
    expect((await market.call(key, 'GET', '/api/v3/session')).status).toBe(200)
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    await page.getByText('20 orders a day, $10,000.00 an order', { exact: true }).waitFor()
  })

  it('finds gemstones by what makes their price, with counts, and sees it at the stone', async () => {
    const { page } = tab
    const search = async (filters: object) => {
      const body = { filters, limit: 1, include: ['facets'] }
      const response = await market.call(
        market.keys.merchantKey,
        'POST',
        '/api/v3/gemstones/search',
        body,
      )
      // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
      return response.json() as Promise<any>
    }
    const species = ['sapphire']
    const { facets } = await search({ species })
    const heated = facets.treatment.find(({ value }: { value: string }) => value === 'heated')
    const { facets: left } = await search({ species, treatment: ['heated'] })
    const origin = left.origin.find(({ value }: { value: string | null }) => value !== null)
    await visit(tab, '/gemstones?species=sapphire')
    await page.getByRole('checkbox', { name: `Heated ${heated.count}`, exact: true }).check()
    await expect.poll(() => page.url()).toContain('treatment=heated')
    await page.getByRole('checkbox', { name: new RegExp(`^${origin.value} `) }).check()
    const filters = { species, treatment: ['heated'], origin: [origin.value] }
    const matches = await search(filters)
    await expect.poll(found).toBe(matches.total)
    expect(matches.total).toBeGreaterThan(0)
    // A filter that is used says what its other values would find.
    const others = await search({ ...filters, species: undefined })
    const rubies = others.facets.species.find(
      ({ value }: { value: string }) => value !== 'sapphire',
    )
    const label = rubies.value.charAt(0).toUpperCase() + rubies.value.slice(1)
    await page.getByRole('checkbox', { name: `${label} ${rubies.count}`, exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Sort by', exact: true }).selectOption('Carat')
    await page.getByRole('button', { name: '↑ Ascending', exact: true }).click()
    await page.getByText('The heaviest first', { exact: true }).waitFor()
    await page.locator('.card-name').first().click()
    const facts = page.locator('dl.facts').first()
    await expect.poll(() => facts.innerText()).toContain(origin.value)
    expect(await facts.innerText()).toMatch(/Treatment\s+Heated/)
    await page.goBack()
    await page.getByRole('button', { name: 'Clear all', exact: true }).click()
    const { total } = await search({})
    await expect.poll(found).toBe(total)
  })

  it('filters jewelry by price, and watches by movement', async () => {
    const { page } = tab
    const total = async () => number(await page.locator('.page-head .muted').innerText())
    await visit(tab, '/jewelry')
    await searchedFor('products')
    const all = await total()
    await page.getByLabel('Wholesale up to', { exact: true }).fill('500')
    await page.keyboard.press('Tab')
    await expect.poll(total).toBeLessThan(all)
    await page.getByRole('link', { name: 'Clear all filters', exact: true }).click()
    await expect.poll(total).toBe(all)
    await visit(tab, '/jewelry?kind=watch')
    await searchedFor('products')
    const watches = await total()
    const movement = page.getByRole('combobox', { name: 'Movement', exact: true })
    const option = movement.locator('option', { hasText: /^quartz/ })
    const quartz = number(/\((\d+)\)/.exec(await option.innerText())?.[1] ?? '')
    await movement.selectOption('quartz')
    await expect.poll(total).toBeLessThan(watches)
    expect(quartz).toBeGreaterThan(0)
  })

  it('signs out, and nothing of the session remains', async () => {
    const token = await tab.page.evaluate<string>("JSON.parse(sessionStorage['pavilion-session'])")
    await tab.page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await tab.page.getByText('You have signed out.', { exact: true }).waitFor()
    expect((await market.call(token, 'GET', '/api/v3/session')).status).toBe(401)
    expect(await tab.page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain(
      'pav_',
    )
    expect(tab.problems).toEqual([])
  })
})

async function orders(reference: string) {
  const rows = await market.database.db
    .selectFrom('orders')
    .select(['uuid', 'order_channel'])
    .where('order_reference', '=', reference)
    .execute()
  return { rows }
}
