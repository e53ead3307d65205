import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { numberChanges } from '../../src/events/number-changes.ts'
import { undoImport } from '../../src/feeds/importing/applying/undo-import.ts'
import { runImport } from '../../src/feeds/importing/run-import.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { inPieces } from './feed-support.ts'
import { csvOf, stones } from './import-support.ts'

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
  const rate = { currency_code: 'INR', rate: 83.117 }
  await market.call('POST', '/api/operator/exchange_rates', { token: market.adminKey, body: rate })
})
afterAll(() => market.close())

const run = (supplier: string, content: string, currency?: string) =>
  runImport(market.database, {
    supplier,
    mode: 'update',
    bytes: inPieces(Buffer.from(content), 65_536),
    currency,
    acceptPrices: true,
  })

async function setMarkup(supplier: string, settings: object) {
  const { db } = market.database
  const { uuid } = await db
    .selectFrom('supplier')
    .select('uuid')
    .where('name', '=', supplier)
    .executeTakeFirstOrThrow()
  return market.call('PATCH', `/api/operator/suppliers/${uuid}`, {
    token: market.adminKey,
    body: settings,
  })
}

async function pricesOf(supplier: string) {
  const { rows } = await market.database.pool.query(
    `select vendor_sku, cost, wholesale_price, wholesale_price_us from gem
     where supplier_id = (select id from supplier where name = $1) order by vendor_sku`,
    [supplier],
  )
  return rows
}

describe("a supplier's markup", () => {
  it.each([
    ['USD', 'Dollar Stones', 1],
    ['INR', 'Rupee Stones', 83],
  ])('applies at once as an import would, to the cent, in %s', async (currency, supplier, rate) => {
    const content = csvOf(
      stones(130, (stone, n) => ({
        ...stone,
        weight: 0.31 + n / 100,
        perCarat: Math.round((3_001.37 + n * 7.13) * rate * 100) / 100,
        ...(n % 40 === 7 && { weight: 2.03, stones: 101 }),
      })),
    )
    await run(supplier, content, currency)
    const { status, body } = await setMarkup(supplier, { markup: 7.35, markup_us: 12.5 })
    expect([status, body.changed, body.markup]).toEqual([200, 130, 7.35])
    const applied = await pricesOf(supplier)
    expect(applied[0].wholesale_price).not.toBe(applied[0].cost)
    const again = await run(supplier, content, currency)
    expect(again).toMatchObject({ changed: 0, unchanged: 130 })
    await market.database.db.updateTable('gem').set({ wholesale_price: 1 }).execute()
    await run(supplier, `${content}\n`, currency)
    await market.database.db.updateTable('gem').set({ feed_hash: null }).execute()
    await run(supplier, content, currency)
    expect(await pricesOf(supplier)).toEqual(applied)
    expect((await setMarkup(supplier, { markup: 7.35 })).body.changed).toBe(0)
    expect((await setMarkup(supplier, { returnable: false })).body.changed).toBe(0)
  })

  it('shows in the next search and in the changes, and leaves sold stones alone', async () => {
    const { key } = await market.merchant({ country_code: 'DE' })
    await run('Quick Stones', csvOf(stones(3, (stone) => ({ ...stone, shape: 'Heart' }))))
    await market.app.services.catchUp()
    const search = async () => {
      const body = { filters: { shape: ['heart'] }, sort_col: 'weight' }
      return (await market.call('POST', '/api/v2/diamonds/merchant_search', { token: key, body }))
        .body.gems
    }
    const before = await search()
    const order = {
      order_type: 'invoice',
      line_items: [{ sku: before[0].sku, quantity: 1 }],
    }
    const { body: address } = await market.call('POST', '/api/v3/merchant_addresses', {
      token: key,
      body: { name: 'S', address_1: 'A', city: 'C', postal_code: '1', country_code: 'DE' },
    })
    expect(address.uuid).toBeDefined()
    await market.call('POST', '/api/v2/orders/place', { token: key, body: order })
    expect((await setMarkup('Quick Stones', { markup: 50 })).body.changed).toBe(2)
    const after = await search()
    expect(after.map((gem: { wholesale_price: number }) => gem.wholesale_price)).toEqual(
      before.slice(1).map((gem: { wholesale_price: number }) => gem.wholesale_price * 1.5),
    )
    await numberChanges(market.database.db)
    const { rows } = await market.database.pool.query(
      `select kind from change order by sequence desc limit 2`,
    )
    expect(rows).toEqual([{ kind: 'price' }, { kind: 'price' }])
  })

  it('holds for a stone that was on memo, and not for its order', async () => {
    const { key } = await market.merchant({ country_code: 'DE' })
    await run('Memo Stones', csvOf(stones(1, (stone) => ({ ...stone, shape: 'Pear' }))))
    const { db } = market.database
    const gems = () =>
      db.selectFrom('gem').select(['sku', 'wholesale_price']).where('shape', '=', 'pear')
    await db.updateTable('gem').set({ memo: true }).where('shape', '=', 'pear').execute()
    const { sku, wholesale_price } = await gems().executeTakeFirstOrThrow()
    const body = { order_type: 'memo', line_items: [{ sku, quantity: 1 }] }
    const { body: memo } = await market.call('POST', '/api/v2/orders/place', { token: key, body })
    expect((await setMarkup('Memo Stones', { markup: 50 })).body.changed).toBe(0)
    const returned = await market.call('POST', `/api/operator/orders/${memo.uuid}/return`, {
      token: market.adminKey,
    })
    expect(returned.body.line_items[0].price).toBe(Number(wholesale_price))
    const after = await gems().executeTakeFirstOrThrow()
    expect(Number(after.wholesale_price)).toBe(Number(wholesale_price) * 1.5)
  })

  it('also holds for what undoing an older import restores', async () => {
    const first = stones(4)
    await run('Undone Stones', csvOf(first))
    const { uuid } = await run(
      'Undone Stones',
      csvOf(first.map((stone) => ({ ...stone, perCarat: stone.perCarat + 100 }))),
    )
    await setMarkup('Undone Stones', { markup: 10 })
    await undoImport(market.database, uuid)
    for (const { cost, wholesale_price } of await pricesOf('Undone Stones')) {
      expect(Number(wholesale_price)).toBeCloseTo(Number(cost) * 1.1, 2)
    }
  })

  it('needs decimals of the cost that a dry run does not show', async () => {
    await run('Dry Stones', csvOf([{ stock: 'D-1', weight: 1.01, perCarat: 3_001.37 }]))
    const report = await runImport(market.database, {
      supplier: 'Dry Stones',
      mode: 'update',
      dryRun: true,
      bytes: inPieces(
        Buffer.from(csvOf([{ stock: 'D-1', weight: 1.01, perCarat: 3_101.38 }])),
        65_536,
      ),
    })
    expect(Object.keys(report.diff?.changed[0].fields ?? {})).toEqual([
      'cost',
      'wholesale_price',
      'wholesale_price_us',
    ])
  })

  it('is refused when it is wrong, and nothing changes', async () => {
    await run('Firm Stones', csvOf(stones(2)))
    const before = await pricesOf('Firm Stones')
    expect((await setMarkup('Firm Stones', { markup: -100 })).status).toBe(422)
    expect(await pricesOf('Firm Stones')).toEqual(before)
  })
})
