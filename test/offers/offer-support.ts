import { buildApp } from '../../src/http/app.ts'
import type { App } from '../../src/http/route.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { indexed } from '../support/stocked.ts'

/** A market with two nodes, a merchant of each price list, and suppliers that list one stone. */
export interface OfferMarket extends TestMarket {
  /** A second node on the same database. */
  second: App
  us: TestMerchant
  german: TestMerchant
  /** Imports a supplier's whole list; returns the import's uuid. */
  list(supplier: string, rows: Row[]): Promise<string>
  /** The SKU of a supplier's stone. */
  skuOf(supplier: string, stock: string): Promise<string>
  post(path: string, token: string, body?: unknown): ReturnType<TestMarket['call']>
  hold(token: string, sku: string, minutes?: number): ReturnType<TestMarket['call']>
  order(
    token: string,
    skus: string[],
    more?: Record<string, unknown>,
  ): ReturnType<TestMarket['call']>
  /** The stones of these certificates that a merchant finds, by SKU, with whether they are held. */
  found(token: string, certificates: string[]): Promise<Record<string, boolean>>
  snapshot(token: string): Promise<{ sequence: number; gems: Map<string, Json> }>
  changes(token: string, after: number): Promise<{ changes: FollowedChange[]; next: number }>
}

export type Json = Record<string, unknown>

interface FollowedChange {
  kind: string
  sku: string
  gem: Json | null
}

export interface Row {
  stock: string
  certificate?: string
  lab?: string
  perCarat: number
  weight?: number
  color?: string
}

const HEADER = 'Stock #,Shape,Weight,Color,Clarity,Price Per Carat,Lab,Report #\n'

export async function openOfferMarket(): Promise<OfferMarket> {
  const market = await openTestMarket()
  const second = await buildApp(market.deps)
  await second.ready()
  const us = await market.merchant()
  const german = await market.merchant({ country_code: 'DE' })
  const post: OfferMarket['post'] = (path, token, body) =>
    market.call('POST', path, { token, body })

  return {
    ...market,
    second,
    us,
    german,
    post,
    async list(supplier, rows) {
      const lines = rows.map((row) => {
        const { stock, weight = 1.01, color = 'G', perCarat } = row
        const certificate = row.certificate ?? ''
        const lab = row.lab ?? (certificate === '' ? '' : 'GIA')
        return [stock, 'Round', weight, color, 'VS1', perCarat, lab, certificate].join(',')
      })
      const checks = 'max_removed=100&max_jumps=100&accept_prices=true&relearn=true'
      const response = await market.app.inject({
        method: 'POST',
        url: `/api/operator/imports?supplier=${encodeURIComponent(supplier)}&mode=replace&${checks}`,
        headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': 'text/csv' },
        payload: HEADER + lines.join('\n'),
      })
      if (response.statusCode !== 200) throw new Error(response.body)
      await caughtUp()
      return response.json<{ uuid: string }>().uuid
    },
    async skuOf(supplier, stock) {
      const { sku } = await market.database.db
        .selectFrom('gem')
        .innerJoin('supplier', 'supplier.id', 'gem.supplier_id')
        .select('gem.sku')
        .where('supplier.name', '=', supplier)
        .where('gem.vendor_sku', '=', stock)
        .executeTakeFirstOrThrow()
      return sku
    },
    hold: (token, sku, minutes = 10) => post('/api/v3/inventory/holds', token, { sku, minutes }),
    order(token, skus, more = {}) {
      const line_items = skus.map((sku) => ({ sku, quantity: 1 }))
      return post('/api/v2/orders/place', token, { order_type: 'invoice', line_items, ...more })
    },
    async found(token, certificates) {
      await caughtUp()
      const { body } = await post('/api/v2/diamonds/merchant_search', token, {
        filters: { cert_num: certificates },
        limit: 100,
      })
      return Object.fromEntries(
        body.gems.map(({ sku, on_hold }: { sku: string; on_hold: boolean }) => [sku, on_hold]),
      )
    },
    async snapshot(token) {
      const { text } = await market.call('GET', '/api/v3/inventory/snapshot', { token })
      const lines = text.trimEnd().split('\n')
      const gems = lines.slice(1, -1).map((line) => JSON.parse(line) as Json)
      return {
        sequence: JSON.parse(lines[0]).sequence,
        gems: new Map(gems.map((gem) => [String(gem.sku), gem])),
      }
    },
    async changes(token, after) {
      const changes: FollowedChange[] = []
      for (let next = after; ; ) {
        const path = `/api/v3/inventory/changes?after=${next}`
        const { body } = await market.call('GET', path, { token })
        changes.push(...body.changes)
        next = body.next
        if (!body.more) return { changes, next }
      }
    },
    async close() {
      await second.close()
      await market.close()
    },
  }

  /** Both nodes know everything that is committed. */
  async function caughtUp(): Promise<void> {
    for (const app of [market.app, second]) await indexed({ app })
  }
}

/** `kind sku` of every change. */
export function kindsOf(changes: readonly FollowedChange[]): string[] {
  return changes.map(({ kind, sku, gem }) => `${kind} ${sku}${gem === null ? '' : ' shown'}`)
}
