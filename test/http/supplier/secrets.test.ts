import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../../src/http/docs/operations.ts'
import { csvOf, stones } from '../../feeds/import-support.ts'
import { makeAllNotices } from '../../notices/notice-support.ts'
import {
  addParcel,
  addStone,
  type OrderMarket,
  openOrderMarket,
} from '../../orders/order-support.ts'
import { openSupplier, type TestSupplier } from './supplier-support.ts'

/**
 * Every response that a supplier can get is searched for everything that it must not learn. The
 * operations come from the list of what is served, so a new one is searched without another line;
 * one that has no example below fails the test.
 */
let market: OrderMarket
let own: TestSupplier
let rival: TestSupplier
/** Figures and words that occur nowhere else. */
const SECRETS = {
  "a merchant's name": 'Zephyrglass Jewellers',
  "a merchant's first name": 'Quillon',
  "a merchant's email": 'buyer@zephyrglass.example',
  "a merchant's order number": 'ZEPHYR-ORDER',
  "a merchant's reference": 'zephyr reference',
  "a merchant's notes": 'zephyr notes',
  'a wholesale price': '7013.37',
  'a US wholesale price': '7117.19',
  'a list price of the operator': '9319.71',
  'a margin': '37.31',
  // What the buyer is shown; set when it has ordered.
  'a retail price': '',
  'a stock number of another supplier': 'RIVAL-STOCK-1',
  'the name of another supplier': 'Rival Quarry',
  'the price of another supplier': '6623.47',
  "the operator's note": 'zephyr stone note',
}

/** Markups that make wholesale prices of the prices in files. */
const terms = { confirms: true, markup: 13.37, markup_us: 17.71 }

beforeAll(async () => {
  market = await openOrderMarket()
  const { db } = market.database
  own = await openSupplier(market, 'Own Quarry', { ...terms, ships: true })
  rival = await openSupplier(market, SECRETS['the name of another supplier'], terms)
  const buyer = await market.merchant({
    legal_dba: SECRETS["a merchant's name"],
    first_name: SECRETS["a merchant's first name"],
    email: SECRETS["a merchant's email"],
  })
  const mine = {
    supplier_id: own.id,
    cost: '5000.00',
    wholesale_price: SECRETS['a wholesale price'],
    wholesale_price_us: SECRETS['a US wholesale price'],
    list_price: SECRETS['a list price of the operator'],
    list_price_from_grid: true,
  }
  const skus = [
    await addStone(db, { ...mine, vendor_sku: 'MINE-1', note: SECRETS["the operator's note"] }),
    await addStone(db, { ...mine, vendor_sku: 'MINE-2' }),
    await addStone(db, {
      supplier_id: rival.id,
      vendor_sku: SECRETS['a stock number of another supplier'],
      cost: SECRETS['the price of another supplier'],
    }),
  ]
  await addParcel(db, 100, { ...mine, vendor_sku: 'MINE-3' })
  const margins = await market.call('PUT', '/api/v3/profit_margins', {
    token: buyer.key,
    body: {
      product_type: 'diamond',
      mode: 'weight',
      tiers: [{ min: 0, max: 99.99, mined_percent: 37.31, lab_percent: 37.31 }],
    },
  })
  expect(margins.status, margins.text).toBe(200)
  for (const order of [skus.slice(0, 1).concat(skus[2]), [skus[1]]]) {
    const { status, text, body } = await market.place(order, {
      by: buyer.key,
      body: {
        order_id: `${SECRETS["a merchant's order number"]}-${order[0]}`,
        order_reference: `${SECRETS["a merchant's reference"]} ${order[0]}`,
        notes: SECRETS["a merchant's notes"],
      },
    })
    expect(status, text).toBe(200)
    const { retail_price } = body.line_items[0].product_data.fields
    expect(retail_price).toBeGreaterThan(9_000)
    SECRETS['a retail price'] = String(retail_price)
  }
  await rival.upload('', csvOf(stones(5)))
})
afterAll(() => market.close())

function operations(): Operation[] {
  return market.app.services.operations.filter(({ path }) => path.startsWith('/api/supplier/'))
}

/** The calls of an operation: with everything that the supplier sees and with what it does not. */
async function callsOf({ method, path }: Operation): Promise<(() => Promise<{ text: string }>)[]> {
  const call = (suffix: string, body?: object) => () => own.call(method, suffix, body)
  const orders = await own.call('GET', '/orders')
  const imports = await own.call('GET', '/imports')
  const uuids = (rows: { uuid: string }[]) => rows.map(({ uuid }) => uuid)
  const foreign = (await rival.call('GET', '/imports')).body.imports[0].uuid as string
  const name = path.replace('/api/supplier', '')
  const each = (list: string[], body?: object) =>
    [...list, foreign].map((uuid) => call(name.replace(':uuid', uuid), body))
  const tracking = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }
  const known = new Map<string, () => (() => Promise<{ text: string }>)[]>([
    [
      'GET /inventory',
      () => ['', '?state=sold', '?q=RIVAL', '?q=MINE&limit=1'].map((query) => call(name + query)),
    ],
    [
      'POST /imports',
      () => {
        const changed = csvOf(stones(3, (stone) => ({ ...stone, perCarat: stone.perCarat + 1 })))
        const replacing = csvOf(stones(1))
        return [
          () => own.upload('dry_run=true', csvOf(stones(3))),
          () => own.upload('', csvOf(stones(3))),
          () => own.upload('dry_run=true', changed),
          () => own.upload('dry_run=true&mode=replace&max_removed=100', replacing),
          () => own.upload('supplier=Rival%20Quarry', csvOf(stones(3))),
          () => own.upload('', 'no file\n'),
        ]
      },
    ],
    ['GET /imports', () => [call(name)]],
    ['GET /imports/:uuid', () => each(uuids(imports.body.imports))],
    ['POST /imports/:uuid/undo', () => each(uuids(imports.body.imports))],
    ['GET /orders', () => ['', '?q=Zephyrglass', '?unconfirmed=true'].map((q) => call(name + q))],
    ['GET /orders/:uuid', () => each(uuids(orders.body.orders))],
    ['POST /orders/:uuid/confirm', () => each(uuids(orders.body.orders).slice(0, 1))],
    [
      'POST /orders/:uuid/decline',
      () => each(uuids(orders.body.orders), { reason: 'sold elsewhere' }),
    ],
    ['POST /orders/:uuid/fulfill', () => each(uuids(orders.body.orders), tracking)],
    ['GET /scorecard', () => [call(name)]],
    ['GET /notices', () => ['', '?limit=1'].map((query) => call(name + query))],
    ['GET /notifications', () => [call(name)]],
    ['PUT /notifications', () => [call(name, {})]],
    ['GET /users', () => ['', '?q=Zephyrglass', '?limit=1'].map((q) => call(name + q))],
    ['POST /users', () => [call(name, { email: 'own@quarry.example', role: 'viewer' })]],
    ['PATCH /users/:uuid', () => each([], { role: 'viewer' })],
    ['DELETE /users/:uuid', () => each([])],
  ])
  const calls = known.get(`${method} ${name}`)
  if (!calls) throw new Error(`no example for ${method} ${path}`)
  return calls()
}

describe('what a supplier can read', () => {
  it('has no secret of a merchant, of the operator or of another supplier', async () => {
    await makeAllNotices(market.database.db)
    const served = operations()
    expect(served.length).toBeGreaterThanOrEqual(10)
    const responses: string[] = []
    for (const operation of served) {
      for (const call of await callsOf(operation)) {
        // The margin could be the seconds of a time.
        const text = (await call()).text.replaceAll(/:\d\d\.\d+/g, ':00')
        responses.push(text)
        for (const [what, secret] of Object.entries(SECRETS)) {
          const found = text.toLowerCase().includes(secret.toLowerCase())
          expect(found, `${operation.method} ${operation.path} shows ${what}: ${text}`).toBe(false)
        }
        expect(text, operation.path).not.toMatch(/wholesale|retail|margin|merchant_uuid/)
      }
    }
    const all = responses.join('\n')
    expect(all).toContain('MINE-1')
    expect(all).toContain('"event_uuid"')
    expect(all).toContain('5000')
  })

  it('would be found: the operator sees every secret', async () => {
    const texts: string[] = []
    for (const path of ['orders', 'inventory/gems', 'suppliers', 'merchants']) {
      const { text } = await market.call('GET', `/api/operator/${path}`, {
        token: market.adminKey,
      })
      texts.push(text)
    }
    const { db } = market.database
    const gems = await db.selectFrom('gem').selectAll().execute()
    texts.push(JSON.stringify(gems))
    const all = texts.join('\n').toLowerCase()
    for (const [what, secret] of Object.entries(SECRETS)) {
      expect(all.includes(secret.toLowerCase()), what).toBe(true)
    }
  })
})
