/** What merchants call: searches, orders, holds, settings and reads. */
import { queriesWith } from '../search/queries.ts'
import { bodyOf, type Send } from './caller.ts'
import { between, pick, pickByShare } from './chance.ts'
import type { SoakMarket, SoakMerchant } from './market.ts'

/** A client of a merchant: its key, and what it remembers of earlier answers. */
export interface Shop {
  merchant: SoakMerchant
  key: string
  market: SoakMarket
  /** Stones that its last searches found. */
  skus: string[]
  holds: string[]
  webhooks: string[]
  /** Shared by all shops: every order that was acknowledged. */
  orders: string[]
}

type MerchantCall = (send: Send, shop: Shop) => Promise<unknown>

const SEARCHES = Object.values(queriesWith([])).slice(0, 6)
const SHAPES = ['round', 'oval', 'pear', 'emerald', 'princess']
const REMEMBERED_SKUS = 200
const HOLDS_MAX = 20

const search: MerchantCall = async (send, shop) => {
  const version = pick(['v2', 'v3'])
  const body = { ...pick(SEARCHES), offset: Math.floor(between(0, 2_000)) }
  const path = `/api/${version}/diamonds/merchant_search`
  const answer = await send('search', { method: 'POST', path, key: shop.key, body })
  const skus = answer?.status === 200 ? answer.text.matchAll(/"sku":"([^"]+)"/g) : []
  shop.skus.push(...[...skus].map(([, sku]) => sku))
  shop.skus.splice(0, shop.skus.length - REMEMBERED_SKUS)
}

const facets: MerchantCall = (send, { key }) => {
  const body = { filters: { shape: [pick(SHAPES)] }, include: ['facets'] }
  return send('facets', { method: 'POST', path: '/api/v3/diamonds/merchant_search', key, body })
}

const curated: MerchantCall = (send, { key }) =>
  send('curated search', {
    method: 'POST',
    path: '/api/v3/diamonds/get_diamonds_by_merchant_templates',
    key,
    body: {
      types: ['mined', 'lab grown'],
      shape: pick(SHAPES),
      weight: pick([0.5, 1, 1.5, 2]),
      count_per_grade: pick([1, 1, 2]),
    },
  })

const order: MerchantCall = async (send, shop) => {
  const { market, key, orders } = shop
  const isParcel = Math.random() < 0.6
  const chosen = isParcel
    ? [pick(market.parcels), pick(market.parcels)]
    : [shop.skus.pop(), shop.skus.pop()]
  const skus = [...new Set(chosen.filter((sku) => sku !== undefined))]
  if (skus.length === 0) return
  const body = {
    order_type: Math.random() < 0.1 ? 'memo' : 'invoice',
    line_items: skus.map((sku) => ({ sku, quantity: isParcel ? 1 + skus.length : 1 })),
  }
  const placed = await send('order', { method: 'POST', path: '/api/v2/orders/place', key, body })
  const uuid = bodyOf<{ uuid: string }>(placed)?.uuid
  if (uuid !== undefined) orders.push(uuid)
}

/** The stone that every shop wants: one gets it, the others are refused with substitutes. */
const rush: MerchantCall = async (send, shop) => {
  const sku = shop.skus.at(-1)
  if (sku === undefined) return
  const body = { order_type: 'invoice', line_items: [{ sku, quantity: 1 }] }
  const call = { method: 'POST', path: '/api/v2/orders/place', body } as const
  const buyers = shop.market.merchants.map(({ keys }) => keys[0])
  const answers = await Promise.all(buyers.map((key) => send('rush', { ...call, key })))
  for (const answer of answers) {
    const uuid = bodyOf<{ uuid: string }>(answer)?.uuid
    if (uuid !== undefined) shop.orders.push(uuid)
  }
}

const dryRun: MerchantCall = (send, { key, skus, market }) => {
  const lines = [...skus.slice(0, 5), pick(market.parcels)]
  const line_items = [...new Set(lines)].map((sku) => ({ sku, quantity: 1 }))
  const body = { order_type: 'invoice', external_order_id: 'dry', dry_run: true, line_items }
  return send('dry run', { method: 'POST', path: '/api/v3/orders/place', key, body })
}

const hold: MerchantCall = async (send, { key, skus, holds }) => {
  const sku = skus.pop()
  if (sku === undefined) return
  // Some expire while the soak runs.
  const body = { sku, minutes: pick([0.05, 0.5, 60]) }
  const path = '/api/v3/inventory/holds'
  const held = await send('hold', { method: 'POST', path, key, body })
  const uuid = bodyOf<{ uuid: string }>(held)?.uuid
  if (uuid !== undefined) holds.push(uuid)
  const oldest = holds.length > HOLDS_MAX ? holds.shift() : undefined
  if (oldest === undefined) return
  await send('release', { method: 'DELETE', path: `${path}/${oldest}`, key })
}

const margins: MerchantCall = (send, { key }) => {
  const percent = Math.round(between(10, 60))
  const tiers = [
    { min: 0, max: 1, mined_percent: percent, lab_percent: percent + 20 },
    { min: 1.01, max: 20, mined_percent: percent - 5, lab_percent: percent + 10 },
  ]
  const body = { mode: 'weight', product_type: 'diamond', tiers }
  if (Math.random() < 0.3) {
    const path = '/api/v3/profit_margins/preview'
    return send('margin preview', { method: 'POST', path, key, body })
  }
  return send('margins', { method: 'PUT', path: '/api/v3/profit_margins', key, body })
}

const webhooks: MerchantCall = async (send, { key, webhooks: own }) => {
  const path = '/api/v3/webhooks'
  await send('webhooks', { path, key })
  const webhook = pick(own)
  if (webhook === undefined) return
  await send('webhooks', { path: `${path}/${webhook}/deliveries`, key })
  if (Math.random() < 0.1) {
    await send('webhooks', { method: 'POST', path: `${path}/${webhook}/rotate`, key })
  }
}

const READS = [
  '/api/v2/orders/list?limit=50',
  '/api/v3/orders/list?limit=50&sort_col=created_on&sort_order=desc',
  '/api/v3/orders/search?q=soak',
  '/api/v3/events?after=0&limit=100',
  '/api/v3/inventory/holds',
  '/api/v3/profit_margins/list',
  '/api/v3/merchant_templates/list',
  '/api/v3/merchant_addresses/list',
  '/api/v3/diamonds/get_parcel_filters',
  '/api/v2/defaults/gem_attributes',
  '/api/v3/product_filters',
  '/api/v3/session',
]

const read: MerchantCall = (send, { key }) => send('read', { path: pick(READS), key })

const products: MerchantCall = (send, { key }) => {
  const path = pick(['/api/v3/products/query', '/api/v3/product_variants/jewelry/query'])
  return send('products', { method: 'POST', path, key, body: { limit: 50 } })
}

const gemstones: MerchantCall = (send, { key }) =>
  send('gemstones', { method: 'POST', path: '/api/v3/gemstones/search', key, body: { limit: 50 } })

const CALLS: Record<string, MerchantCall> = {
  search,
  facets,
  curated,
  order,
  rush,
  dryRun,
  hold,
  margins,
  webhooks,
  read,
  products,
  gemstones,
}

/** How often each is called, of a hundred. */
const SHARES: Record<keyof typeof CALLS, number> = {
  search: 42,
  facets: 8,
  curated: 5,
  order: 10,
  rush: 0.5,
  dryRun: 3,
  hold: 6,
  margins: 1.5,
  webhooks: 2,
  read: 16,
  products: 3,
  gemstones: 3,
}

export function callAsMerchant(send: Send, shop: Shop): Promise<unknown> {
  return CALLS[pickByShare(SHARES)](send, shop)
}

/** Registers the receiver for the events of a merchant, and returns the webhook's uuid. */
export async function addWebhook(send: Send, key: string, url: string): Promise<string[]> {
  const call = { method: 'POST', path: '/api/v3/webhooks', key, body: { url } } as const
  const uuid = bodyOf<{ uuid: string }>(await send('webhooks', call))?.uuid
  return uuid === undefined ? [] : [uuid]
}
