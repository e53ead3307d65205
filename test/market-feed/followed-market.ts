import { inTransaction } from '../../src/database/transaction.ts'
import { setExchangeRate } from '../../src/pricing/exchange-rates.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'

export const KINDS = ['diamond', 'gemstone', 'melee', 'jewelry', 'watch']

export type Json = Record<string, unknown>

export interface Snapshot {
  sequence: number
  currency_code: string
  products: Map<string, Json>
}

export interface Followed {
  sequence: number
  kind: string
  sku: string | null
  product_type: string | null
  gem: Json | null
}

/** A row of a supplier's file of diamonds and parcels: `stones` makes it a parcel. */
export interface StoneRow {
  stock: string
  perCarat: number
  stones?: number
  certificate?: string
}

export interface GemstoneRow {
  stock: string
  perCarat: number
}

export interface PieceRow {
  stock: string
  parent: string
  type?: 'Rings' | 'Watches'
  title?: string
  price: number
  quantity: number
}

/** A market with suppliers' files and two merchants: other price lists, other currencies. */
export interface FollowedMarket extends TestMarket {
  us: TestMerchant
  german: TestMerchant
  snapshot(token: string, kinds?: readonly string[]): Promise<Snapshot>
  /** All changes after a number. */
  changes(
    token: string,
    after: number,
    kinds?: readonly string[],
  ): Promise<{ changes: Followed[]; next: number }>
  /** Each imports a supplier's whole list, and returns the import's uuid. */
  listStones(supplier: string, rows: readonly StoneRow[]): Promise<string>
  listGemstones(supplier: string, rows: readonly GemstoneRow[]): Promise<string>
  listPieces(supplier: string, rows: readonly PieceRow[], catalogue?: string): Promise<string>
  post(path: string, token: string, body?: unknown): ReturnType<TestMarket['call']>
  order(token: string, sku: string, quantity?: number): ReturnType<TestMarket['call']>
  cancel(orderUuid: string): ReturnType<TestMarket['call']>
}

const CHECKS = 'mode=replace&max_removed=100&max_jumps=100&accept_prices=true&relearn=true'
const STONES = 'Stock #,Shape,Weight,Color,Clarity,Price Per Carat,Parcel Stones,Lab,Report #'
const GEMSTONES = 'Stock #,gemType,Shape,Carat,Color,Treatment,Mine of Origin,Price/Ct'
const PIECES =
  'Stock Number,Parent Stock Number,Jewelry Type,Jewelry Title,Jewelry Description,' +
  'Jewelry Currency,Jewelry Total Price,Jewelry MSRP,Media File Name,Jewelry Material,' +
  'Material Karat,Ring Size,Quantity'

export async function openFollowedMarket(
  ...options: Parameters<typeof openTestMarket>
): Promise<FollowedMarket> {
  const market = await openTestMarket(...options)
  await inTransaction(market.database.db, (tx) => setExchangeRate(tx, 'EUR', '0.9137'))
  const us = await market.merchant()
  const german = await market.merchant({ country_code: 'DE', currency_code: 'EUR' })
  const asked = (kinds?: readonly string[]) => (kinds ? `product_types=${kinds.join()}` : '')

  async function upload(path: string, file: string): Promise<string> {
    const response = await market.app.inject({
      method: 'POST',
      url: `/api/operator/${path}`,
      headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': 'text/csv' },
      payload: file,
    })
    const body = response.json<{ uuid: string; rejected: number }>()
    if (response.statusCode !== 200 || body.rejected > 0) throw new Error(response.body)
    return body.uuid
  }

  const fileOf = (header: string, rows: (string | number)[][]) =>
    [header, ...rows.map((row) => row.join(','))].join('\n')
  const post: FollowedMarket['post'] = (path, token, body) =>
    market.call('POST', path, { token, ...(body !== undefined && { body }) })

  return {
    ...market,
    us,
    german,
    post,
    async snapshot(token, kinds) {
      const path = `/api/v3/inventory/snapshot?${asked(kinds)}`
      const { status, text } = await market.call('GET', path, { token })
      if (status !== 200) throw new Error(text)
      const lines = text.trimEnd().split('\n')
      const [head, ...rest] = lines.map((line) => JSON.parse(line))
      const end = rest.pop()
      const products = new Map<string, Json>(rest.map((line) => [line.sku, line]))
      if (end.kind !== 'end' || end.count !== products.size) throw new Error(JSON.stringify(end))
      return { ...head, products }
    },
    async changes(token, after, kinds) {
      const changes: Followed[] = []
      for (let next = after; ; ) {
        const path = `/api/v3/inventory/changes?after=${next}&limit=50&${asked(kinds)}`
        const { body } = await market.call('GET', path, { token })
        changes.push(...body.changes)
        next = body.next
        if (!body.more) return { changes, next }
      }
    },
    listStones: (supplier, rows) =>
      upload(
        `imports?supplier=${supplier}&${CHECKS}`,
        fileOf(
          STONES,
          rows.map(({ stock, perCarat, stones, certificate }) => [
            stock,
            'Round',
            stones === undefined ? 1.01 : stones / 50,
            'G',
            'VS1',
            perCarat,
            stones ?? 1,
            certificate === undefined || stones !== undefined ? '' : 'GIA',
            stones === undefined ? (certificate ?? '') : '',
          ]),
        ),
      ),
    listGemstones: (supplier, rows) =>
      upload(
        `imports?supplier=${supplier}&${CHECKS}`,
        fileOf(
          GEMSTONES,
          rows.map(({ stock, perCarat }) => [
            ...[stock, 'Sapphire', 'Oval', 1.5, 'Royal Blue', 'Heated', 'Sri Lanka', perCarat],
          ]),
        ),
      ),
    listPieces: (supplier, rows, catalogue) =>
      upload(
        `jewelry/imports?supplier=${supplier}&mode=replace&max_removed=100` +
          (catalogue ? `&catalogue=${catalogue}` : ''),
        fileOf(
          PIECES,
          rows.map(({ stock, parent, type = 'Rings', title = 'Halo', price, quantity }) => [
            ...[stock, parent, type, title, 'A halo', 'USD', price, price * 2],
            ...['https://media.example/1.jpg', 'Yellow Gold', '18K', 6.5, quantity],
          ]),
        ),
      ),
    order(token, sku, quantity = 1) {
      const line_items = [{ sku, quantity }]
      return post('/api/v2/orders/place', token, { order_type: 'invoice', line_items })
    },
    cancel: (uuid) => post(`/api/operator/orders/${uuid}/cancel`, market.adminKey, {}),
  }
}

/** `kind product_type` of every change, and whether it shows the product. */
export function heard(changes: readonly Followed[]): string[] {
  return changes.map(
    ({ kind, product_type, gem }) => `${kind} ${product_type}${gem === null ? '' : ' shown'}`,
  )
}
