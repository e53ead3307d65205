/** The examples of operations. `$name` stands for a thing of the demo market (`demo-values.ts`). */
import {
  ADDRESS,
  AUDITED,
  OPERATOR_EXAMPLES,
  type OperationExample,
  ORDERED_TO,
  TIER,
  uuid,
} from './operator-operations.ts'

const SEARCH = { shape: ['round'], weight_min: 0.5, weight_max: 2 }
const DIAMONDS = { filters: SEARCH, sort_col: 'retail_price', sort_order: 'asc', limit: 10 }
const LINES = [{ sku: '$stone.order', quantity: 1 }]
const JEWELRY = { limit: 5 }

const PLACEMENT = { order_type: 'invoice', line_items: LINES, dry_run: true }
const ORDERS: [string, OperationExample][] = (['v2', 'v3'] as const).flatMap((version) => [
  [`GET /api/${version}/orders/list`, { query: ORDERED_TO }],
  [
    `GET /api/${version}/orders/search`,
    { query: { ...ORDERED_TO, query: '$order.id', q: '$order.id' } },
  ],
  [`GET /api/${version}/orders/:uuid`, uuid('order.get')],
  [`GET /api/${version}/profit_margins/:uuid`, uuid('margin.get')],
  [`POST /api/${version}/diamonds/merchant_search`, { body: DIAMONDS }],
  [`POST /api/${version}/products/query`, { body: JEWELRY }],
  [`POST /api/${version}/products/jewelry/query`, { body: JEWELRY }],
  [`POST /api/${version}/product_variants/jewelry/query`, { body: JEWELRY }],
])

const CURATED = { weight: 1, shape: 'round', types: ['mined', 'lab grown'], explain: true }

export const OPERATION_EXAMPLES: ReadonlyMap<string, OperationExample> = new Map<
  string,
  OperationExample
>([
  ...OPERATOR_EXAMPLES,
  ...ORDERS,
  ['POST /api/v2/orders/place', { body: PLACEMENT }],
  ['POST /api/v3/orders/place', { body: { ...PLACEMENT, external_order_id: 'PO-2026-17' } }],
  ['POST /api/v2/diamonds/ai_search', { body: CURATED }],
  ['POST /api/v3/diamonds/get_diamonds_by_merchant_templates', { body: CURATED }],
  [
    'POST /api/v3/gemstones/search',
    { body: { filters: { species: ['sapphire'] }, sort_col: 'retail_price', limit: 10 } },
  ],
  ['GET /api/v3/saved_searches/:uuid', uuid('search.get')],
  ['POST /api/v3/saved_searches/:uuid/run', { ...uuid('search.get'), body: { limit: 5 } }],
  ['PATCH /api/v3/saved_searches/:uuid', { ...uuid('search.patch'), body: { alert: 'daily' } }],
  ['DELETE /api/v3/saved_searches/:uuid', uuid('search.delete')],
  [
    'POST /api/v3/shares',
    {
      body: { skus: ['$stone.get', '$stone.search'], expires_in_days: 14, title: 'For your ring' },
    },
  ],
  ['DELETE /api/v3/shares/:uuid', uuid('share.delete')],
  ['GET /api/v3/watched', { query: { sku: '$watched.get' } }],
  ['POST /api/v3/watched', { body: { skus: ['$stone.get', '$stone.search'] } }],
  ['DELETE /api/v3/watched/:sku', { params: { sku: '$watched.delete' } }],
  ['PATCH /api/v3/profit_margins/:uuid', { ...uuid('margin.patch'), body: { mined_percent: 31 } }],
  ['DELETE /api/v3/profit_margins/:uuid', uuid('margin.delete')],
  [
    'PUT /api/v3/profit_margins',
    { body: { mode: 'weight', product_type: 'gemstone', tiers: [TIER] } },
  ],
  [
    'POST /api/v3/profit_margins',
    {
      body: {
        product_type: 'diamond',
        weight_min: 20.01,
        weight_max: 30,
        mined_percent: 25,
        lab_percent: 40,
      },
    },
  ],
  ['POST /api/v3/merchant_addresses', { body: ADDRESS }],
  ['PATCH /api/v3/merchant_addresses/:uuid', { ...uuid('address.patch'), body: { name: 'Vault' } }],
  ['DELETE /api/v3/merchant_addresses/:uuid', uuid('address.delete')],
  ['GET /api/v3/merchant_addresses/:uuid', uuid('address.get')],
  [
    'POST /api/v3/merchant_templates',
    {
      body: {
        group: 'PENDANTS',
        label: 'FINE',
        color: 'G',
        clarity: 'VS2',
        grade_name: 'excellent',
      },
    },
  ],
  [
    'PATCH /api/v3/merchant_templates/:uuid',
    { ...uuid('template.patch'), body: { label: 'BRIGHT' } },
  ],
  ['DELETE /api/v3/merchant_templates/:uuid', uuid('template.delete')],
  ['GET /api/v3/merchant_templates/:uuid', uuid('template.get')],
  [
    'POST /api/v3/orders/:uuid/cancel',
    { ...uuid('order.cancel'), body: { reason: 'the customer chose another stone' } },
  ],
  [
    'POST /api/v3/quotes',
    { body: { line_items: [{ sku: '$stone.quote', quantity: 1 }], minutes: 240 } },
  ],
  ['GET /api/v3/quotes/:uuid', uuid('quote.get')],
  ['DELETE /api/v3/quotes/:uuid', uuid('quote.delete')],
  ['GET /api/v3/returns', { query: { status: null, order_uuid: '$return.order' } }],
  ['GET /api/v3/returns/:uuid', uuid('return.get')],
  [
    'GET /api/v3/orders/:uuid/documents/:kind.pdf',
    { params: { uuid: '$invoice.order', kind: 'invoice' } },
  ],
  [
    'GET /api/v3/orders/:uuid/documents/:kind/:number.pdf',
    { params: { uuid: '$invoice.order', kind: 'invoice', number: '$invoice.number' } },
  ],
  ['POST /api/v3/inventory/holds', { body: { sku: '$stone.hold', minutes: 60 } }],
  ['DELETE /api/v3/inventory/holds/:uuid', uuid('hold.delete')],
  ['GET /api/v3/inventory/changes', { query: { after: '$change' } }],
  ['GET /api/v3/inventory/gems/:sku', { params: { sku: '$stone.get' } }],
  ['GET /api/v3/inventory/media/:sku/:view', { params: { sku: '$picture', view: 'top' } }],
  ['GET /api/v3/inventory/media/:sku/frames/:frame', { params: { sku: '$turning', frame: '0' } }],
  [
    'POST /api/v3/orders/:uuid/returns',
    {
      ...uuid('return.make'),
      body: { line_items: [{ uuid: '$return.line', quantity: 1 }], reason: 'too small' },
    },
  ],
  ['POST /api/v3/tokens', { body: { name: 'shop, read only', scopes: ['search', 'orders:read'] } }],
  ['DELETE /api/v3/tokens/:uuid', uuid('token.delete')],
  [
    'POST /api/v3/tokens/:uuid/rotate',
    { ...uuid('token.rotate'), body: { overlap_seconds: 86_400 } },
  ],
  ['GET /api/v3/sessions', { query: { user_uuid: null } }],
  ['GET /api/v3/audit', { query: AUDITED }],
  ['PATCH /api/v3/users/:uuid', { ...uuid('user.patch'), body: { name: 'Buyer of Facet Street' } }],
  ['DELETE /api/v3/users/:uuid', uuid('user.delete')],
  ['GET /api/v3/webhooks/:uuid', uuid('webhook.get')],
  [
    'POST /api/v3/webhooks',
    { body: { url: 'https://shop.example/hooks', event_types: ['order.create'] } },
  ],
  [
    'PATCH /api/v3/webhooks/:uuid',
    { ...uuid('webhook.get'), body: { description: 'order desk, new building' } },
  ],
  ['DELETE /api/v3/webhooks/:uuid', uuid('webhook.delete')],
  ['POST /api/v3/webhooks/:uuid/rotate', uuid('webhook.get')],
  ['GET /api/v3/webhooks/:uuid/deliveries', uuid('webhook.get')],
  [
    'POST /api/v3/webhooks/:uuid/deliveries/:delivery_uuid/replay',
    { params: { uuid: '$webhook.get', delivery_uuid: '$delivery' } },
  ],
  ['DELETE /api/v3/sessions/:uuid', uuid('session.delete')],
  ['POST /api/sandbox/clock', { body: { advance: '1h' } }],
  ['POST /api/sandbox/orders/:uuid/fulfill', { ...uuid('order.sandbox.fulfill'), body: {} }],
  ['POST /api/sandbox/orders/:uuid/decline', { ...uuid('order.sandbox.decline'), body: {} }],
  ['POST /api/sandbox/orders/:uuid/pay', { ...uuid('order.sandbox.pay'), body: {} }],
])
