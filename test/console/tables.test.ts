import { readFileSync } from 'node:fs'
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

/** Lists of all three sides: sorted by the server, selected, decided about at once, exported. */
const TIMEOUT_MS = 240_000
const DESK = { colorScheme: 'light', width: 1440 } as const
let market: ConsoleMarket
let operator: Tab
let merchant: Tab
let supplier: Tab

beforeAll(async () => {
  if (!hasChromium) return
  market = await openConsoleMarket()
  const { adminKey, merchantKey, supplierKey } = market.keys
  operator = await market.signIn(adminKey, DESK)
  merchant = await market.signIn(merchantKey, DESK)
  supplier = await market.signIn(supplierKey, DESK)
}, TIMEOUT_MS)
afterAll(() => market?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
type Row = any

async function request(key: string, method: string, path: string, body?: unknown): Promise<Row> {
  const response = await market.call(key, method, path, body)
  expect(response.status, `${method} ${path}`).toBeLessThan(300)
  return response.json()
}
const asOperator = (path: string) => request(market.keys.adminKey, 'GET', path)

const button = ({ page }: Tab, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

/** Clicks the head of a column in the table of this name. */
async function sortBy(tab: Tab, table: string, name: string, order: 'ascending' | 'descending') {
  const area = tab.page.getByRole('region', { name: table, exact: true })
  const head = area.getByRole('columnheader', { name, exact: true })
  await head.getByRole('button').click()
  await expect.poll(() => head.getAttribute('aria-sort')).toBe(order)
  await settled(tab)
}

/** The addresses that the links of one column lead to, in the order of the rows. */
async function links({ page }: Tab, place: number): Promise<(string | null)[]> {
  const found = page.locator(`tbody tr > td:nth-child(${place}) > a`)
  // All at once: one that the list loses meanwhile would be waited for.
  return found.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
}

async function saved(tab: Tab, name: string): Promise<string[]> {
  const download = tab.page.waitForEvent('download')
  await button(tab, name).click()
  const text = readFileSync(await (await download).path(), 'utf8')
  return text.trimEnd().split('\r\n').slice(1)
}

/** Confirms what a button for selected rows asks. */
async function decide(tab: Tab, name: string, done: string) {
  await button(tab, name).click()
  const dialog = tab.page.getByRole('dialog', { name: `${name}?`, exact: true })
  await dialog.getByRole('button', { name, exact: true }).click()
  await tab.page.getByText(done, { exact: true }).waitFor()
}

describe.skipIf(!hasChromium)('the operator', { timeout: TIMEOUT_MS }, () => {
  it('sorts returns, and approves all that wait at once', async () => {
    const { page } = operator
    await visit(operator, '/operator/returns?status=all')
    await sortBy(operator, 'Returns', 'Total', 'descending')
    const { returns } = await asOperator('/api/operator/returns?sort_col=total&sort_order=desc')
    const orders = returns.map((each: Row) => `/operator/orders/${each.order_uuid}`)
    expect(await links(operator, 3)).toEqual(orders)
    await visit(operator, '/operator/returns?status=requested')
    const waiting = returns.filter(({ status }: Row) => status === 'requested')
    expect(waiting.length).toBeGreaterThan(0)
    await page.getByLabel('Select all rows of this page', { exact: true }).check()
    expect(await violationsOn(page)).toEqual([])
    const named = waiting.length === 1 ? '1 return' : `${waiting.length} returns`
    await decide(operator, `Approve ${named}`, `Done: ${waiting.length} of ${waiting.length}`)
    await page.getByRole('heading', { name: 'No returns found', exact: true }).waitFor()
    const after = await asOperator('/api/operator/returns?status=requested')
    expect(after.total).toBe(0)
  })

  it('sorts both lists of quotes, and accepts several at once', async () => {
    const { page } = operator
    const { merchantKey } = market.keys
    const found = await request(merchantKey, 'POST', '/api/v2/diamonds/merchant_search', {
      filters: { shape: ['oval'], on_hold: false },
    })
    for (const { sku } of found.gems.slice(0, 2)) {
      const line_items = [{ sku, quantity: 1, offer_price: 100 }]
      await request(merchantKey, 'POST', '/api/v3/quotes', { line_items })
    }
    await visit(operator, '/operator/quotes')
    await sortBy(operator, 'Other quotes', 'Total', 'descending')
    const sorted = '?sort_col=total&sort_order=desc&limit=50&status='
    const waiting = await asOperator(`/api/operator/quotes${sorted}requested`)
    const others = await asOperator(
      `/api/operator/quotes${sorted}open&status=ordered&status=declined&status=expired`,
    )
    const uuids = [...waiting.quotes, ...others.quotes].map(({ uuid }: Row) => uuid)
    expect(await links(operator, 2)).toEqual(uuids.map((uuid) => `/operator/quotes/${uuid}`))
    const area = page.getByRole('region', { name: 'Waiting for your answer', exact: true })
    await area.getByLabel('Select all rows of this page', { exact: true }).check()
    const { total } = waiting
    expect(total).toBeGreaterThan(1)
    await decide(operator, `Accept ${total} quotes`, `Done: ${total} of ${total}`)
    await page.getByText('No merchant waits for an answer.', { exact: true }).waitFor()
    const { uuid } = waiting.quotes[0]
    await expect.poll(() => links(operator, 2)).toContain(`/operator/quotes/${uuid}`)
    const accepted = await asOperator(`/api/operator/quotes/${uuid}`)
    expect(accepted.status).toBe('open')
  })

  it('keeps what could not be done selected, and says why', async () => {
    const { page } = operator
    const { merchantKey } = market.keys
    const found = await request(merchantKey, 'POST', '/api/v2/diamonds/merchant_search', {
      filters: { shape: ['pear'], on_hold: false },
    })
    const asked: Row[] = []
    for (const { sku } of found.gems.slice(0, 2)) {
      const line_items = [{ sku, quantity: 1, offer_price: 100 }]
      asked.push(await request(merchantKey, 'POST', '/api/v3/quotes', { line_items }))
    }
    await visit(operator, '/operator/quotes')
    const area = page.getByRole('region', { name: 'Waiting for your answer', exact: true })
    await area.getByLabel('Select all rows of this page', { exact: true }).check()
    // The first one that is decided about is the one that waits longest.
    const { adminKey } = market.keys
    await request(adminKey, 'POST', `/api/operator/quotes/${asked[1].uuid}/decline`, {})
    await decide(operator, 'Decline 2 quotes', 'Done: 1 of 2')
    await page.getByRole('alert').filter({ hasText: 'declined' }).waitFor()
    await page.getByText('1 selected', { exact: true }).waitFor()
    await button(operator, 'Clear').click()
  })

  it('sorts rows in quarantine, and dismisses all at once', async () => {
    const { page } = operator
    await visit(operator, '/operator/quarantine')
    await sortBy(operator, 'Quarantine', 'Row', 'ascending')
    const { rows } = await asOperator('/api/operator/inventory/quarantine?sort_col=row')
    const shown = page.locator('tbody tr > td:nth-child(3)')
    expect(await shown.allInnerTexts()).toEqual(rows.map(({ row }: Row) => String(row)))
    const lines = await saved(operator, 'Export CSV')
    expect(lines).toHaveLength(rows.length)
    await page.getByLabel('Select all rows of this page', { exact: true }).check()
    const named = rows.length === 1 ? '1 row' : `${rows.length} rows`
    await decide(operator, `Dismiss ${named}`, `Done: ${rows.length} of ${rows.length}`)
    await page.getByRole('heading', { name: 'No rows in quarantine', exact: true }).waitFor()
  })

  it('chooses the order of conflicts, and saves one row for each listing', async () => {
    const { page } = operator
    await visit(operator, '/operator/conflicts')
    const order = page.getByRole('combobox', { name: 'Order of the list', exact: true })
    await order.selectOption('Newest listing first')
    await settled(operator)
    const list = '/api/operator/inventory/conflicts?sort_col=listed_on&sort_order=desc'
    const { conflicts } = await asOperator(list)
    const headings = page.locator('main h2')
    const numbers = conflicts.map(({ lab, cert_num }: Row) => `${lab} ${cert_num}`)
    expect(await headings.allInnerTexts()).toEqual(numbers)
    const listings = conflicts.flatMap(({ stones }: Row) => stones)
    expect(await saved(operator, 'Export CSV')).toHaveLength(listings.length)
  })

  it('selects conflicts, saves their listings, and sells them apart at once', async () => {
    const { page } = operator
    await visit(operator, '/operator/conflicts')
    const list = '/api/operator/inventory/conflicts'
    const { conflicts, total } = await asOperator(list)
    const [first, second] = conflicts
    const nameOf = ({ lab, cert_num }: Row) => `${lab} ${cert_num}`
    await page.getByLabel(`Select ${nameOf(first)}`, { exact: true }).check()
    await page.getByLabel(`Select ${nameOf(second)}`, { exact: true }).check()
    const skus = [...first.stones, ...second.stones].map(({ sku }: Row) => sku)
    const lines = await saved(operator, `Export ${skus.length} rows as CSV`)
    expect(lines.map((line) => line.split(',')[3])).toEqual(skus)
    await page.getByLabel(`Select ${nameOf(second)}`, { exact: true }).uncheck()
    expect(await violationsOn(page)).toEqual([])
    await decide(operator, 'Sell the listings of 1 certificate apart', 'Done: 1 of 1')
    await page.getByLabel(`Select ${nameOf(first)}`, { exact: true }).waitFor({ state: 'detached' })
    expect((await asOperator(list)).total).toBe(total - 1)
  })

  it('filters merchants by a part of their name and by access', async () => {
    const { page } = operator
    const { merchants } = await asOperator('/api/operator/merchants')
    const { legal_dba, uuid } = merchants.at(-1)
    await visit(operator, '/operator/merchants')
    const box = page.getByRole('searchbox', { name: /^Search by name/ })
    await box.fill(legal_dba.slice(1).toLowerCase())
    await box.press('Enter')
    await expect.poll(() => links(operator, 2)).toEqual([`/operator/merchants/${uuid}`])
    await page.getByRole('combobox', { name: 'Access', exact: true }).selectOption('off')
    await page.getByRole('heading', { name: 'No merchants found', exact: true }).waitFor()
    await page.goBack()
    await expect.poll(() => links(operator, 2)).toEqual([`/operator/merchants/${uuid}`])
  })

  it('sorts what was found under a number', async () => {
    const { orders } = await asOperator('/api/operator/orders?limit=1')
    const q = orders[0].merchant.legal_dba.split(' ')[0]
    await visit(operator, `/operator/find?q=${encodeURIComponent(q)}`)
    await sortBy(operator, 'Orders', 'Total', 'descending')
    const list = `/api/operator/orders?q=${encodeURIComponent(q)}&limit=25&sort_col=total`
    const sorted = await asOperator(`${list}&sort_order=desc`)
    const pages = sorted.orders.map(({ uuid }: Row) => `/operator/orders/${uuid}`)
    expect(new Set(pages).size).toBeGreaterThan(1)
    expect(await links(operator, 1)).toEqual(pages)
  })

  it('reads the audit log from its beginning, and saves selected entries', async () => {
    const { page } = operator
    await visit(operator, '/operator/audit')
    await sortBy(operator, 'Entries', 'Time', 'ascending')
    const { entries } = await asOperator('/api/operator/audit?sort_order=asc&limit=100')
    const actions = entries.map(({ action }: Row) => action)
    const shown = async () =>
      (await links(operator, 4)).map((href) => new URL(href ?? '', market.address).searchParams)
    expect((await shown()).map((params) => params.get('action'))).toEqual(actions.slice(0, 50))
    await page.getByRole('link', { name: 'More entries →', exact: true }).click()
    await expect
      .poll(async () => (await shown()).map((params) => params.get('action')))
      .toEqual(actions.slice(50, 100))
    const boxes = page.locator('tbody input[type=checkbox]')
    await boxes.nth(0).check()
    await boxes.nth(2).click({ modifiers: ['Shift'] })
    const lines = await saved(operator, 'Export 3 rows as CSV')
    expect(lines.map((line) => line.split(',')[3])).toEqual(actions.slice(50, 53))
    await sortBy(operator, 'Entries', 'What', 'ascending')
    expect(page.url()).not.toContain('cursor')
    await sortBy(operator, 'Entries', 'Who', 'ascending')
    const byActor = await asOperator('/api/operator/audit?sort_col=actor&sort_order=asc&limit=50')
    const whose = byActor.entries.map(({ actor }: Row) => actor.uuid ?? actor.kind)
    const names = await links(operator, 3)
    expect(
      names.map((href) => new URL(href ?? '', market.address).searchParams.get('actor')),
    ).toEqual(whose)
  })

  it('sorts imports of jewelry', async () => {
    await visit(operator, '/operator/imports/jewelry')
    await sortBy(operator, 'Import history', 'New', 'descending')
    const list = '/api/operator/jewelry/imports?sort_col=added&sort_order=desc'
    const { imports } = await asOperator(list)
    const pages = imports.map(({ uuid }: Row) => `/operator/imports/jewelry/${uuid}`)
    expect(await links(operator, 2)).toEqual(pages)
    expect(await saved(operator, 'Export CSV')).toHaveLength(imports.length)
    expect(operator.problems).toEqual([])
  })
})

describe.skipIf(!hasChromium)('the merchant', { timeout: TIMEOUT_MS }, () => {
  const own = (path: string) => request(market.keys.merchantKey, 'GET', path)

  it('sorts goods on memo and saves some of them', async () => {
    const { page } = merchant
    await visit(merchant, '/memos')
    await sortBy(merchant, 'On memo', 'Value', 'descending')
    const { memos } = await own('/api/v3/memos?sort_col=value&sort_order=desc')
    const stones = memos.map(({ sku }: Row) => `/stones/${sku}`)
    expect(await links(merchant, 2)).toEqual(stones)
    await page.getByLabel(`Select ${memos[0].sku}`, { exact: true }).check()
    const lines = await saved(merchant, 'Export 1 row as CSV')
    expect(lines.map((line) => line.split(',')[2])).toEqual([memos[0].sku])
  })

  it('sorts what is to be paid, and its quotes', async () => {
    await visit(merchant, '/account')
    await sortBy(merchant, 'To be paid', 'Total', 'descending')
    const unpaid = 'order_type=invoice&payment_status=unpaid&limit=20'
    const { orders } = await own(`/api/v3/orders/list?${unpaid}&sort_col=total&sort_order=desc`)
    const ids = orders.map((each: Row) => `/orders/${encodeURIComponent(each.external_order_id)}`)
    // Orders that were cancelled as a whole are not paid either, and not shown.
    const shown = await links(merchant, 2)
    expect(shown.length).toBeGreaterThan(1)
    expect(shown).toEqual(ids.filter((id: string) => shown.includes(id)))
    for (const [name, column, order] of [
      ['Balance', 'balance', 'descending'],
      ['Due', 'due_on', 'ascending'],
    ] as const) {
      await sortBy(merchant, 'To be paid', name, order)
      const sort = `sort_col=${column}&sort_order=${order.replace('ending', '')}`
      const owed = await own(`/api/v3/orders/list?owed=true&limit=20&${sort}`)
      expect(await links(merchant, 2)).toEqual(
        owed.orders.map((each: Row) => `/orders/${encodeURIComponent(each.external_order_id)}`),
      )
    }
    await merchant.page.getByLabel('Only what is overdue', { exact: true }).check()
    await settled(merchant)
    const late = await own('/api/v3/orders/list?past_due=true&limit=20')
    expect(late.total).toBe(0)
    await merchant.page
      .getByRole('heading', { name: 'There is nothing to pay here', exact: true })
      .waitFor()
    await visit(merchant, '/quotes')
    await sortBy(merchant, 'Quotes', 'Total', 'descending')
    const { quotes } = await own('/api/v3/quotes?limit=25&sort_col=total&sort_order=desc')
    expect(await links(merchant, 2)).toEqual(quotes.map(({ uuid }: Row) => `/quotes/${uuid}`))
    expect(await violationsOn(merchant.page)).toEqual([])
    expect(merchant.problems).toEqual([])
  })
})

describe.skipIf(!hasChromium)('every list', { timeout: TIMEOUT_MS }, () => {
  const LISTS = {
    operator: [
      '/operator/suppliers',
      '/operator/audit',
      '/operator/imports',
      '/operator/imports/jewelry',
      '/operator/catalogues',
      '/operator/stock',
      '/operator/conflicts',
      '/operator/merchants',
      '/operator/orders',
      '/operator/quotes',
      '/operator/memos',
      '/operator/returns?status=all',
      '/operator/rates',
      '/operator/users',
    ],
    merchant: [
      '/saved',
      '/watch',
      '/orders',
      '/quotes',
      '/returns',
      '/memos',
      '/account',
      '/holds',
      '/shares',
      '/settings/templates',
      '/settings/keys',
      '/settings/users',
    ],
    supplier: ['/supplier/orders', '/supplier/stock', '/supplier/imports', '/supplier/users'],
  }

  beforeAll(async () => {
    if (!hasChromium) return
    const { merchantKey, adminKey, supplierKey } = market.keys
    const search = { filters: { shape: ['emerald'], on_hold: false } }
    const found = await request(merchantKey, 'POST', '/api/v2/diamonds/merchant_search', search)
    const [{ sku }, other] = found.gems
    const post = (path: string, body: unknown, key = merchantKey) =>
      request(key, 'POST', path, body)
    for (const name of ['Ring for an anniversary', 'Studs']) {
      await post('/api/v3/saved_searches', { name, kind: 'diamond', filters: { sku: [sku] } })
    }
    await post('/api/v3/watched', { skus: [sku, other.sku] })
    await post('/api/v3/shares', { skus: [sku] })
    await post('/api/v3/inventory/holds', { sku })
    await post('/api/v3/users', { email: 'one@shop.example', name: 'One', role: 'buyer' })
    const user = { email: 'one@desk.example', name: 'One', role: 'sales' }
    await post('/api/operator/users', user, adminKey)
    await post('/api/supplier/users', { ...user, role: 'owner' }, supplierKey)
    const { sources } = await asOperator('/api/operator/sources?limit=1')
    const { suppliers } = await asOperator('/api/operator/suppliers')
    const { uuid } = suppliers.find(({ name }: Row) => name === sources[0].supplier)
    LISTS.operator.push(
      `/operator/suppliers/${uuid}?tab=sources`,
      `/operator/suppliers/${uuid}?tab=imports`,
      `/operator/stock/${sku}`,
    )
  })

  it.each(['operator', 'merchant', 'supplier'] as const)(
    'of the %s sorts, filters, selects and exports',
    async (side) => {
      const tab = { operator, merchant, supplier }[side]
      const main = tab.page.getByRole('main')
      for (const path of LISTS[side]) {
        await visit(tab, path)
        await settled(tab)
        const sorts = main.locator('th .sort-button, select[aria-label="Order of the list"]')
        const orders = main.getByRole('combobox', { name: 'Order of the list', exact: true })
        expect((await sorts.count()) + (await orders.count()), `${path} sorts`).toBeGreaterThan(0)
        const filters = main.locator('select, input[type=search], label.check input')
        expect(await filters.count(), `${path} filters`).toBeGreaterThan(0)
        const all = main.getByLabel('Select all rows of this page', { exact: true }).first()
        await all.check()
        await main
          .getByText(/^[\d,]+ selected$/)
          .first()
          .waitFor()
        const csv = main.getByRole('button', { name: /^Export [\d,]+ rows? as CSV$/ })
        const xlsx = main.getByRole('button', { name: /^Export [\d,]+ rows? as XLSX$/ })
        expect([await csv.count(), await xlsx.count()], `${path} exports`).toEqual([1, 1])
        await all.uncheck()
      }
      expect(tab.problems).toEqual([])
    },
  )

  it('that the page has as a whole is filtered by every word, sorted and saved', async () => {
    const { page } = merchant
    await visit(merchant, '/saved')
    const filter = page.getByRole('searchbox', { name: 'Filter the list', exact: true })
    const names = page.locator('tbody .saved-name > a')
    await expect.poll(() => names.count()).toBeGreaterThan(1)
    await filter.fill('ANNIV ring')
    await expect.poll(() => names.allInnerTexts()).toEqual(['Ring for an anniversary'])
    expect(await saved(merchant, 'Export CSV')).toHaveLength(1)
    await filter.fill('nothing like it')
    await page.getByRole('heading', { name: 'Nothing contains what you typed' }).waitFor()
    await filter.fill('')
    await sortBy(merchant, 'Saved searches', 'Search', 'ascending')
    const up = await names.allInnerTexts()
    expect(up).toEqual(up.toSorted((one, other) => one.localeCompare(other, 'en-US')))
    await sortBy(merchant, 'Saved searches', 'Search', 'descending')
    expect(await names.allInnerTexts()).toEqual(up.toReversed())
    await page.getByLabel('Select Studs', { exact: true }).check()
    await decide(merchant, 'Delete 1 search', 'Done: 1 of 1')
    await expect.poll(() => names.allInnerTexts()).not.toContain('Studs')
  })
})

describe.skipIf(!hasChromium)('the supplier', { timeout: TIMEOUT_MS }, () => {
  const own = (path: string) => request(market.keys.supplierKey, 'GET', path)

  it('sorts its stock by price, and saves selected stones', async () => {
    const { page } = supplier
    await visit(supplier, '/supplier/stock')
    await sortBy(supplier, 'Stones', 'Your price', 'descending')
    const { stones } = await own('/api/supplier/inventory?limit=50&sort_col=price&sort_order=desc')
    const numbers = page.locator('tbody tr > td:nth-child(2) > button')
    expect(await numbers.allInnerTexts()).toEqual(stones.map((stone: Row) => stone.vendor_sku))
    await page.getByLabel(`Select ${stones[1].vendor_sku}`, { exact: true }).check()
    const lines = await saved(supplier, 'Export 1 row as CSV')
    expect(lines.map((line) => line.split(',')[1])).toEqual([stones[1].sku])
  })

  it('confirms several orders at once', async () => {
    const { page } = supplier
    const { stones } = await own('/api/supplier/inventory?state=available&product_type=diamond')
    for (const { sku } of stones.slice(0, 2)) {
      await request(market.keys.merchantKey, 'POST', '/api/v2/orders/place', {
        order_type: 'invoice',
        line_items: [{ sku, quantity: 1 }],
      })
    }
    await visit(supplier, '/supplier/orders?waiting=yes')
    await sortBy(supplier, 'Orders', 'Ordered', 'ascending')
    const { orders, total } = await own('/api/supplier/orders?unconfirmed=true&sort_order=asc')
    const pages = orders.map(({ uuid }: Row) => `/supplier/orders/${uuid}`)
    expect(await links(supplier, 2)).toEqual(pages.slice(0, 25))
    expect(total).toBeLessThanOrEqual(25)
    await page.getByLabel('Select all rows of this page', { exact: true }).check()
    expect(await violationsOn(page)).toEqual([])
    await decide(supplier, `Confirm ${total} orders`, `Done: ${total} of ${total}`)
    await page.getByRole('heading', { name: 'No orders found', exact: true }).waitFor()
    expect((await own('/api/supplier/orders?unconfirmed=true')).total).toBe(0)
    expect(supplier.problems).toEqual([])
  })
})

describe.skipIf(!hasChromium)('the history', { timeout: TIMEOUT_MS }, () => {
  it("of a source is filtered by outcome, sorted, and saved from the source's page", async () => {
    const { page } = operator
    const { sources } = await asOperator('/api/operator/sources?limit=1')
    const [{ uuid, url, supplier: name }] = sources
    const add = (outcome: string, minutes: number) =>
      sql`insert into feed_source_run (uuid, source_uuid, started_by, outcome, code, failure,
          started_on, finished_on)
        values (gen_random_uuid(), ${uuid}, 'operator', ${outcome}, ${
          outcome === 'failed' ? 'unknown_host' : null
        }, ${outcome === 'failed' ? 'There is no such host.' : null},
          market_clock() - make_interval(mins => ${minutes}), market_clock())`.execute(
        market.database.db,
      )
    for (const minutes of [10, 20, 30]) await add('failed', minutes)
    for (let minutes = 40; minutes < 70; minutes++) await add('unchanged', minutes)
    const { suppliers } = await asOperator('/api/operator/suppliers')
    const owner = suppliers.find((each: Row) => each.name === name)
    await visit(operator, `/operator/suppliers/${owner.uuid}?tab=sources`)
    const { total } = await asOperator(`/api/operator/sources/${uuid}`)
    await page.getByText(`${total} runs`, { exact: true }).waitFor()
    await page.getByText(`1–25 of ${total}`, { exact: true }).waitFor()
    await sortBy(operator, `Runs of ${url}`, 'Outcome', 'ascending')
    const outcomes = page.locator('tbody tr > td:nth-child(4)')
    expect((await outcomes.allInnerTexts()).slice(0, 3)).toEqual(['failed', 'failed', 'failed'])
    await page.getByRole('combobox', { name: 'Outcome', exact: true }).selectOption('failed')
    await expect.poll(() => outcomes.count()).toBe(3)
    expect(await saved(operator, 'Export CSV')).toHaveLength(3)
    await page.getByRole('combobox', { name: 'Started by', exact: true }).selectOption('Scheduled')
    await page.getByRole('heading', { name: 'No runs found', exact: true }).waitFor()
    expect(operator.problems).toEqual([])
  })

  it('of a stone is filtered by what was typed, sorted, and saved', async () => {
    const { page } = operator
    const { merchantKey, adminKey } = market.keys
    const search = { filters: { shape: ['princess'], on_hold: false } }
    const found = await request(merchantKey, 'POST', '/api/v2/diamonds/merchant_search', search)
    const { sku } = found.gems.find(({ can_hold, memo }: Row) => can_hold && memo)
    await request(merchantKey, 'POST', '/api/v3/inventory/holds', { sku })
    await request(adminKey, 'PATCH', `/api/operator/inventory/gems/${sku}`, { memo: false })
    const { history } = await asOperator(`/api/operator/inventory/gems/${sku}`)
    await visit(operator, `/operator/stock/${sku}`)
    const rows = page.getByRole('region', { name: 'History', exact: true }).locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(history.length)
    const times = () => rows.locator('td:nth-child(2)').allInnerTexts()
    const newest = await times()
    await sortBy(operator, 'History', 'When', 'ascending')
    expect(await times()).toEqual(newest.toReversed())
    const filter = page.getByRole('searchbox', { name: 'Filter the list', exact: true })
    await filter.fill('by hand')
    await expect.poll(() => rows.count()).toBe(1)
    expect(await rows.first().innerText()).toContain('yes → no')
    expect(await saved(operator, 'Export CSV')).toHaveLength(1)
    expect(operator.problems).toEqual([])
  })

  it("of a supplier's own imports is filtered by the name of the file and by status", async () => {
    const { page } = supplier
    const { imports } = await request(market.keys.supplierKey, 'GET', '/api/supplier/imports')
    const [{ uuid, file_name }] = imports
    await visit(supplier, '/supplier/imports')
    const box = page.getByRole('searchbox', { name: 'Search by file name', exact: true })
    await box.fill(file_name.slice(2).toUpperCase())
    await box.press('Enter')
    await expect.poll(() => links(supplier, 2)).toContain(`/supplier/imports/${uuid}`)
    await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('Failed')
    await page.getByRole('heading', { name: 'No imports found', exact: true }).waitFor()
    await page.goBack()
    await expect.poll(() => links(supplier, 2)).toContain(`/supplier/imports/${uuid}`)
    expect(supplier.problems).toEqual([])
  })
})

describe.skipIf(!hasChromium)('in German on a phone', { timeout: TIMEOUT_MS }, () => {
  const PAGES = {
    adminKey: [
      '/operator/quotes?sort=-total',
      '/operator/returns?status=all&sort=merchant_legal_dba',
      '/operator/conflicts?sort=-listed_on',
      '/operator/quarantine?sort=row',
      '/operator/audit?sort=actor',
      '/operator/merchants?q=a&access=on',
      '/operator/rates?filter=e',
      '/operator/imports?sort=-added&status=done',
      '/operator/imports/jewelry?sort=-added&q=.csv',
    ],
    merchantKey: [
      '/quotes?sort=-total',
      '/memos?sort=-value',
      '/account?sort=-balance',
      '/returns?sort=-total',
    ],
    supplierKey: [
      '/supplier/users',
      '/supplier/orders?sort=ordered_on',
      '/supplier/stock?sort=-price',
      '/supplier/imports?sort=-added&q=.csv',
    ],
  }

  it.each(Object.entries(PAGES))('the lists fit with %s', async (key, paths) => {
    const phone = await market.signIn(market.keys[key as keyof typeof PAGES], GERMAN_NARROW)
    const { page } = phone
    for (const path of paths) {
      await visit(phone, path)
      await settled(phone)
      const boxes = page.locator('tbody input[type=checkbox]')
      for (const box of (await boxes.all()).slice(0, 2)) await box.check()
      expect(await untranslatedOn(page), path).toEqual([])
      expect(await violationsOn(page), path).toEqual([])
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width, path).toBeLessThanOrEqual(GERMAN_NARROW.width)
    }
    expect(phone.problems).toEqual([])
    await phone.context.close()
  })

  it('a page whose rows were worked off leads to the last one', async () => {
    const { page } = operator
    for (const path of ['/operator/orders', '/operator/returns?status=all', '/operator/stock']) {
      await visit(operator, `${path}${path.includes('?') ? '&' : '?'}offset=5000`)
      await page.getByText('The list has become shorter', { exact: false }).waitFor()
      await page.getByRole('link', { name: 'To the last page', exact: true }).click()
      await page.locator('tbody tr').first().waitFor()
      expect(await page.getByText('The list has become shorter').count()).toBe(0)
    }
  })

  it('in the narrowest window no amount is cut off, and export is one row of buttons', async () => {
    const look = { ...GERMAN_NARROW, width: 320 }
    const { supplierKey, merchantKey } = market.keys
    const cutOff = async ({ page }: Tab, name: string) => {
      await page.getByRole('region', { name, exact: true }).waitFor()
      const area = `document.querySelector('section[aria-label="${name}"]')`
      return page.evaluate<number>(`${area}.scrollWidth - ${area}.clientWidth`)
    }
    const phone = await market.signIn(supplierKey, look)
    await visit(phone, '/supplier/scorecard')
    expect(await cutOff(phone, 'Zahlen nach Zeitraum')).toBe(0)
    await visit(phone, '/supplier/stock')
    await phone.page.locator('tbody input[type=checkbox]').first().check()
    const buttons = [/^1 Zeile als CSV/, /^1 Zeile als XLSX/].map((name) => button(phone, name))
    const boxes = await Promise.all(buttons.map((each) => each.boundingBox()))
    expect(boxes[0]?.y).toBe(boxes[1]?.y)
    const { orders } = await request(merchantKey, 'GET', '/api/v3/orders/list?limit=1')
    const buyer = await market.signIn(merchantKey, look)
    await visit(buyer, `/orders/${encodeURIComponent(orders[0].external_order_id)}`)
    expect(await cutOff(buyer, 'Bestellte Artikel')).toBe(0)
    await buyer.page.locator('td[data-head="Preis je Stück"]').first().waitFor()
    expect([...phone.problems, ...buyer.problems]).toEqual([])
  })
})
