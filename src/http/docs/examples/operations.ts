/** The examples of operations. `$name` stands for a thing of the demo market (`demo-values.ts`). */
interface OperationExample {
  params?: Record<string, string>
  /** Null: the parameter has no example that would find something in every market. */
  query?: Record<string, unknown>
  body?: unknown
}

const SEARCH = { shape: ['round'], weight_min: 0.5, weight_max: 2 }
const DIAMONDS = { filters: SEARCH, sort_col: 'retail_price', sort_order: 'asc', limit: 10 }
const LINES = [{ sku: '$stone.order', quantity: 1 }]
const uuid = (name: string) => ({ params: { uuid: `$${name}` } })
const TIER = { min: 0, max: 10, mined_percent: 30, lab_percent: 45 }
const JEWELRY = { limit: 5 }
const ORDERED_TO = { ordered_to: '$now' }
const AUDITED = { actor: null, subject: '$merchant', to: '$now', cursor: null }
const ADDRESS = {
  name: 'Branch',
  address_1: '3 Pavilion Row',
  city: 'New York',
  postal_code: '10036',
  country_code: 'US',
}

/** The file of the example is CSV and is understood as it is. */
const FILE_OPTIONS = { mapping: null, sheet: null, price: null }

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
  ['GET /api/supplier/inventory', { query: { q: 'LH' } }],
  ['GET /api/supplier/orders', { query: { ...ORDERED_TO, q: null } }],
  ['GET /api/supplier/orders/:uuid', uuid('supplier.fulfill')],
  ['POST /api/supplier/orders/:uuid/confirm', { ...uuid('supplier.confirm'), body: {} }],
  [
    'POST /api/supplier/orders/:uuid/decline',
    { ...uuid('supplier.decline'), body: { reason: 'sold to another customer' } },
  ],
  [
    'POST /api/supplier/orders/:uuid/fulfill',
    {
      ...uuid('supplier.fulfill'),
      body: { tracking_company: 'Facet Express', tracking_number: 'FX-1001' },
    },
  ],
  ['POST /api/supplier/imports', { query: FILE_OPTIONS }],
  ['POST /api/operator/imports', { query: FILE_OPTIONS }],
  ['POST /api/operator/imports/explain', { query: FILE_OPTIONS }],
  ['POST /api/operator/jewelry/imports', { query: FILE_OPTIONS }],
  ['POST /api/operator/jewelry/imports/explain', { query: FILE_OPTIONS }],
  ['GET /api/operator/suppliers/:uuid', uuid('supplier')],
  ['GET /api/operator/suppliers/:uuid/scorecard', uuid('supplier')],
  ['PATCH /api/operator/suppliers/:uuid', { ...uuid('supplier'), body: { delivery_days_max: 8 } }],
  ['POST /api/operator/suppliers', { body: { name: 'Hollybrook Stones', country_code: 'IND' } }],
  ['POST /api/operator/catalogues', { body: { name: 'Anniversary' } }],
  ['PATCH /api/operator/settings', { body: { 'seller.name': 'Demo Gems' } }],
  ['POST /api/operator/tokens', { body: { type: 'admin', name: 'night shift' } }],
  [
    'PATCH /api/operator/merchants/:uuid',
    { ...uuid('merchant'), body: { business_phone: '+1 212 555 0102' } },
  ],
  [
    'PATCH /api/operator/users/:uuid',
    { ...uuid('user.operator.patch'), body: { name: 'Sales, New York' } },
  ],
  ['DELETE /api/operator/users/:uuid', uuid('user.operator.delete')],
  ['GET /api/v3/sessions', { query: { user_uuid: null } }],
  ['GET /api/v3/audit', { query: AUDITED }],
  ['GET /api/operator/audit', { query: { ...AUDITED, merchant_uuid: '$merchant' } }],
  ['PATCH /api/v3/users/:uuid', { ...uuid('user.patch'), body: { name: 'Buyer of Facet Street' } }],
  ['DELETE /api/v3/users/:uuid', uuid('user.delete')],
  ['GET /api/operator/merchants/:uuid', uuid('merchant')],
  ['GET /api/operator/merchants/:uuid/addresses', uuid('merchant')],
  ['GET /api/operator/merchants/:uuid/templates', uuid('merchant')],
  ['GET /api/operator/merchants/:uuid/margins', uuid('merchant')],
  ['GET /api/operator/merchants/:uuid/account', uuid('merchant')],
  [
    'GET /api/operator/merchants/:uuid/ledger',
    { ...uuid('merchant'), query: { order_uuid: '$invoice.order' } },
  ],
  ['POST /api/operator/merchants/:uuid/addresses', { ...uuid('merchant'), body: ADDRESS }],
  ['GET /api/operator/orders/:uuid', uuid('order.get')],
  [
    'GET /api/operator/orders',
    { query: { ...ORDERED_TO, q: '$order.id', merchant_uuid: '$merchant' } },
  ],
  ['GET /api/operator/quotes/:uuid', uuid('quote.get')],
  ['GET /api/operator/quotes', { query: { merchant_uuid: '$merchant' } }],
  ['GET /api/operator/memos', { query: { merchant_uuid: '$merchant' } }],
  [
    'GET /api/operator/returns',
    { query: { merchant_uuid: '$merchant', order_uuid: '$return.order' } },
  ],
  ['GET /api/operator/returns/:uuid', uuid('return.get')],
  [
    'GET /api/operator/orders/:uuid/documents/:kind.pdf',
    { params: { uuid: '$invoice.order', kind: 'invoice' } },
  ],
  [
    'GET /api/operator/orders/:uuid/documents/:kind/:number.pdf',
    { params: { uuid: '$invoice.order', kind: 'invoice', number: '$invoice.number' } },
  ],
  ['GET /api/operator/inventory/gems/:sku', { params: { sku: '$stone.get' } }],
  [
    'GET /api/operator/inventory/gems',
    { query: { q: '$stone.get', supplier: 'Northlight Diamonds' } },
  ],
  [
    'PATCH /api/operator/inventory/gems/:sku',
    { params: { sku: '$stone.set' }, body: { note: 'As agreed by telephone' } },
  ],
  [
    'GET /api/operator/users',
    { query: { q: 'sales', merchant_uuid: '$merchant', supplier_uuid: null } },
  ],
  ['GET /api/operator/tokens', { query: { merchant_uuid: '$merchant', supplier_uuid: null } }],
  ['GET /api/operator/events', { query: { event_type: null } }],
])
