import { expect } from 'vitest'
import { SCOPES } from '../../src/reference/roles.ts'
import { csvOf, stones } from '../feeds/import-support.ts'
import { openSupplier, type TestSupplier } from '../http/supplier/supplier-support.ts'
import { addStone, type OrderMarket, openOrderMarket } from '../orders/order-support.ts'
import type { TestResponse } from '../support/market.ts'

/** How an operation is called so that it writes something. */
export interface Example {
  token: string
  params?: Record<string, string>
  query?: string
  body?: unknown
  /** The body of an upload, instead of `body`. */
  file?: string
}

/** A market with somebody of each side, and ways to make what the operations need. */
export interface World {
  market: OrderMarket
  admin: string
  /** A key of the merchant that may do everything. */
  shop: string
  merchantUuid: string
  supplier: TestSupplier
  call(method: string, path: string, token: string, body?: unknown): Promise<TestResponse>
  stone(): Promise<string>
  order(fields?: object, sku?: string): Promise<Placed>
  shipped(): Promise<Placed>
  returned(): Promise<string>
  offer(): Promise<{ uuid: string; sku: string }>
  quarantined(): Promise<string>
  upload(path: string, file: string, token?: string): Promise<TestResponse>
  name: () => string
}

interface Placed {
  uuid: string
  line: string
}

export const TRACKING = { tracking_company: 'Facet Express', tracking_number: 'FX-1' }

export async function openWorld(): Promise<World> {
  const market = await openOrderMarket()
  const { db } = market.database
  const merchantUuid = market.buyer.merchant.uuid
  const { token: shop } = await market.token({ merchant_uuid: merchantUuid, scopes: SCOPES })
  const supplier = await openSupplier(market, 'Answering Stones', { confirms: true, ships: true })
  const admin = market.adminKey
  let names = 0
  const name = () => `Name ${++names}`

  async function call(method: string, path: string, token: string, body?: unknown) {
    const given = body === undefined ? {} : { body }
    const response = await market.call(method, path, { token, ...given })
    expect(response.status, `${method} ${path}: ${response.text}`).toBeLessThan(300)
    return response
  }

  const stone = () => addStone(db, { days_to_return: 30, returnable: true })

  async function order(fields: object = {}, sku?: string): Promise<Placed> {
    const skus = [sku ?? (await stone())]
    const { status, body, text } = await market.place(skus, { version: 'v3', body: { ...fields } })
    expect(status, text).toBe(200)
    return { uuid: body.uuid, line: body.line_items[0].uuid }
  }

  async function shipped(): Promise<Placed> {
    const placed = await order()
    await call('POST', `/api/operator/orders/${placed.uuid}/fulfill`, admin, TRACKING)
    return placed
  }

  async function upload(path: string, file: string, token = admin): Promise<TestResponse> {
    const response = await market.app.inject({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      payload: file,
    })
    const { statusCode: status, body: text } = response
    expect(status, `${path}: ${text}`).toBe(200)
    return { status, text, body: response.json(), headers: {} }
  }

  return {
    market,
    admin,
    shop,
    merchantUuid,
    supplier,
    call,
    stone,
    order,
    shipped,
    upload,
    name,
    async returned() {
      const { uuid, line } = await shipped()
      const body = { line_items: [{ uuid: line, quantity: 1 }], reason: 'too large' }
      return (await call('POST', `/api/v3/orders/${uuid}/returns`, shop, body)).body.uuid
    },
    async offer() {
      const sku = await stone()
      const body = { line_items: [{ sku, quantity: 1, offer_price: 1500 }] }
      return { uuid: (await call('POST', '/api/v3/quotes', shop, body)).body.uuid, sku }
    },
    async quarantined() {
      const supplierName = name()
      const rows = stones(60, (each, at) => (at === 7 ? { ...each, perCarat: 40 } : each))
      await upload(`/api/operator/imports?supplier=${supplierName}`, csvOf(rows))
      const { body } = await call('GET', '/api/operator/inventory/quarantine', admin)
      const found = body.rows.find((row: { supplier: string }) => row.supplier === supplierName)
      return found.uuid
    },
  }
}
