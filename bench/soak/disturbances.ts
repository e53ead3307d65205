/** What servers have to live with: wrong requests, strangers, and callers that hang up. */
import type { Call, Send } from './caller.ts'
import { between, pick } from './chance.ts'
import type { SoakMarket } from './market.ts'

const SEARCH = '/api/v3/diamonds/merchant_search'
const PLACE = '/api/v2/orders/place'
const IMPORT = '/api/operator/imports?supplier=Soak+broken'

/** Every one of them must be refused with a status below 500. */
export function callWrongly(send: Send, { merchants, adminKey }: SoakMarket) {
  const key = pick(merchants).keys[0]
  const json = { method: 'POST', type: 'application/json', key } as const
  const calls: Call[] = [
    { ...json, path: SEARCH, content: '{"filters":' },
    { ...json, path: SEARCH, body: { filters: { constructor: 1, weight_min: 'x' } } },
    { ...json, path: SEARCH, body: { limit: -1, offset: 1e99 } },
    { ...json, path: PLACE, body: { order_type: 'gift', line_items: [] } },
    { ...json, path: PLACE, body: { order_type: 'invoice', line_items: [unknownLine()] } },
    { ...json, path: PLACE, content: 'x'.repeat(100_000) },
    { ...json, path: '/api/v3/inventory/holds', body: { sku: 'unknown', minutes: 1 } },
    { ...json, path: IMPORT, content: 'Stock #\n1\n', key: adminKey },
    { ...json, path: IMPORT, content: 'PK\u0003\u0004 not a workbook', key: adminKey },
    { ...json, path: '/api/operator/imports?supplier=x', content: 'a,b\n1,2\n' },
    { path: '/api/v3/inventory/changes?after=999999999999', key },
    { path: '/api/v3/orders/list', key: 'pav_live_00000000000000000000000000000000' },
    { path: '/api/v3/orders/list?limit=many', key },
    { path: '/api/v3/unknown', key },
    { path: `/api/v3/orders/search?q=${'%00'.repeat(10)}`, key },
    { path: '/api/operator/overview', key },
    { method: 'DELETE', path: `/api/v3/inventory/holds/not-a-uuid`, key },
  ]
  return send('wrong request', pick(calls))
}

function unknownLine() {
  return { sku: `unknown-${Math.floor(between(0, 1e6))}`, quantity: 1 }
}

/** Hangs up at a moment at which the server may be anywhere in its work. */
export function hangUp(send: Send, { merchants, parcels, adminKey }: SoakMarket) {
  const key = pick(pick(merchants).keys)
  const order = { order_type: 'invoice', line_items: [{ sku: pick(parcels), quantity: 1 }] }
  const calls: Call[] = [
    { method: 'POST', path: SEARCH, key, body: { limit: 1000, include: ['facets'] } },
    { method: 'POST', path: PLACE, key, body: order },
    { path: '/api/v3/inventory/snapshot', key },
    { path: '/api/v3/inventory/changes?after=0&limit=1000', key },
    { path: '/api/v3/orders/list?limit=500', key },
    { method: 'POST', path: IMPORT, key: adminKey, content: largeFile(), type: 'text/csv' },
  ]
  return send('hang-up', { ...pick(calls), hangUpMs: Math.ceil(between(1, 60)) })
}

const FILE_ROWS = 1_000
const FILE_ROW = 'B-1,Round,1.01,G,VS2,4200\n'

function largeFile(): string {
  return `Stock #,Shape,Weight,Color,Clarity,Price Per Carat\n${FILE_ROW.repeat(FILE_ROWS)}`
}

const PAGES = ['/', '/search', '/sign-in', '/orders', '/settings', '/docs', '/favicon.svg']
const PROBES = ['/healthz', '/readyz', '/readyz/write', '/metrics']

/** A person with a browser: a page, its files, and what it asks for after signing in. */
export async function visitConsole(send: Send, { merchants }: SoakMarket): Promise<void> {
  const page = await send('console page', { path: pick(PAGES) })
  const assets = [...(page?.text ?? '').matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)]
  await Promise.all(assets.map(([, path]) => send('console page', { path })))
  const body = { key: pick(merchants).keys[0] }
  if (Math.random() > 0.1) return
  const opened = await send('sign-in', { method: 'POST', path: '/api/v3/session', body })
  if (opened?.status !== 201) return
  const { token } = JSON.parse(opened.text)
  await send('sign-in', { method: 'DELETE', path: '/api/v3/session', key: token })
}

export function probe(send: Send) {
  return send('probe', { path: pick(PROBES) })
}
