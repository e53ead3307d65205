/** The examples of what operators and suppliers call, and what other examples share with them. */
export interface OperationExample {
  params?: Record<string, string>
  /** Null: the parameter has no example that would find something in every market. */
  query?: Record<string, unknown>
  body?: unknown
}

export const uuid = (name: string) => ({ params: { uuid: `$${name}` } })
export const TIER = { min: 0, max: 10, mined_percent: 30, lab_percent: 45 }
export const ORDERED_TO = { ordered_to: '$now' }
export const AUDITED = { actor: null, subject: '$merchant', to: '$now', cursor: null }
export const ADDRESS = {
  name: 'Branch',
  address_1: '3 Pavilion Row',
  city: 'New York',
  postal_code: '10036',
  country_code: 'US',
}
/** The file of the example is CSV and is understood as it is. */
const FILE_OPTIONS = { mapping: null, sheet: null, price: null }
/** They settle an import that was refused, which that of the example is not. */
const RUN_OPTIONS = {
  force: null,
  currency: null,
  max_removed: null,
  max_jumps: null,
  price: null,
  accept_prices: null,
  relearn: null,
}
const address = (merchant: string, name: string) => ({
  params: { uuid: `$${merchant}`, address_uuid: `$${name}` },
})
const template = (name: string) => ({ params: { uuid: '$merchant', template_uuid: `$${name}` } })

export const OPERATOR_EXAMPLES: readonly [string, OperationExample][] = [
  ['GET /api/supplier/inventory', { query: { q: 'LH' } }],
  ['GET /api/supplier/orders', { query: { ...ORDERED_TO, q: null } }],
  ['GET /api/supplier/orders/:uuid', uuid('order.supplier.fulfill')],
  ['POST /api/supplier/orders/:uuid/confirm', { ...uuid('order.supplier.confirm'), body: {} }],
  [
    'POST /api/supplier/orders/:uuid/decline',
    { ...uuid('order.supplier.decline'), body: { reason: 'sold to another customer' } },
  ],
  [
    'POST /api/supplier/orders/:uuid/fulfill',
    {
      ...uuid('order.supplier.fulfill'),
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
  ['GET /api/operator/audit', { query: { ...AUDITED, merchant_uuid: '$merchant' } }],
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
  ['GET /api/operator/merchants/:uuid/addresses/:address_uuid', address('merchant', 'address.get')],
  [
    'PATCH /api/operator/merchants/:uuid/addresses/:address_uuid',
    { ...address('merchant', 'address.patch'), body: { name: 'Vault' } },
  ],
  [
    'DELETE /api/operator/merchants/:uuid/addresses/:address_uuid',
    address('merchant.other', 'address.other'),
  ],
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
  ['GET /api/supplier/imports/:uuid', uuid('import.supplier')],
  ['POST /api/supplier/imports/:uuid/undo', uuid('import.supplier')],
  ['GET /api/supplier/users', { query: { q: 'vault' } }],
  [
    'POST /api/supplier/users',
    { body: { email: 'stock@larkhollow.example', name: 'Stock', role: 'viewer' } },
  ],
  ['PATCH /api/supplier/users/:uuid', { ...uuid('user.supplier.patch'), body: { name: 'Vault' } }],
  ['DELETE /api/supplier/users/:uuid', uuid('user.supplier.delete')],
  [
    'POST /api/operator/merchants/:uuid/templates',
    {
      ...uuid('merchant'),
      body: { group: 'EARRINGS', label: 'FINE', color: 'G', clarity: 'VS2', grade_name: 'ideal' },
    },
  ],
  ['GET /api/operator/merchants/:uuid/templates/:template_uuid', template('template.get')],
  [
    'PATCH /api/operator/merchants/:uuid/templates/:template_uuid',
    { ...template('template.patch'), body: { label: 'BRIGHTER' } },
  ],
  [
    'PUT /api/operator/merchants/:uuid/margins',
    {
      ...uuid('merchant.other'),
      body: { mode: 'weight', product_type: 'gemstone', tiers: [TIER] },
    },
  ],
  ['DELETE /api/operator/tokens/:uuid', uuid('token.operator.delete')],
  [
    'POST /api/operator/tokens/:uuid/rotate',
    { ...uuid('token.operator.rotate'), body: { overlap_seconds: 86_400 } },
  ],
  [
    'POST /api/operator/orders/:uuid/fulfill',
    {
      ...uuid('order.operator.fulfill'),
      body: { tracking_company: 'Facet Express', tracking_number: 'FX-2201' },
    },
  ],
  ['POST /api/operator/orders/:uuid/pay', { ...uuid('order.operator.pay'), body: {} }],
  [
    'POST /api/operator/orders/:uuid/payments',
    {
      ...uuid('order.operator.payment'),
      body: { amount: 100, method: 'wire', reference: 'TRX-12' },
    },
  ],
  [
    'POST /api/operator/orders/:uuid/cancel',
    { ...uuid('order.operator.cancel'), body: { reason: 'ordered twice' } },
  ],
  ['POST /api/operator/orders/:uuid/return', { ...uuid('order.operator.return'), body: {} }],
  ['POST /api/operator/orders/:uuid/convert', { ...uuid('order.operator.convert'), body: {} }],
  [
    'POST /api/operator/orders/:uuid/extend',
    { ...uuid('order.operator.extend'), body: { days: 14 } },
  ],
  ['POST /api/operator/orders/:uuid/confirm', { ...uuid('order.operator.confirm'), body: {} }],
  [
    'POST /api/operator/orders/:uuid/decline',
    { ...uuid('order.operator.decline'), body: { reason: 'sold elsewhere' } },
  ],
  [
    'PUT /api/operator/orders/:uuid/charges',
    {
      ...uuid('order.operator.charge'),
      body: [{ kind: 'shipping', label: 'Insured shipping', amount: 45 }],
    },
  ],
  ['POST /api/operator/orders/:uuid/invoice', { ...uuid('order.operator.invoice'), body: {} }],
  ['POST /api/operator/quotes/:uuid/accept', { ...uuid('offer.accept'), body: { minutes: 60 } }],
  [
    'POST /api/operator/quotes/:uuid/decline',
    { ...uuid('offer.decline'), body: { reason: 'below our cost' } },
  ],
  [
    'POST /api/operator/quotes/:uuid/counter',
    {
      ...uuid('offer.counter'),
      body: { line_items: [{ sku: '$offer.sku', price: 1650 }], minutes: 60 },
    },
  ],
  ['POST /api/operator/returns/:uuid/approve', { ...uuid('return.approve'), body: {} }],
  [
    'POST /api/operator/returns/:uuid/reject',
    { ...uuid('return.reject'), body: { reason: 'the seal is broken' } },
  ],
  ['POST /api/operator/returns/:uuid/receive', { ...uuid('return.receive'), body: {} }],
  [
    'POST /api/operator/charge_rules',
    { body: { country_code: 'NO', kind: 'shipping', label: 'Insured shipping', amount: 90 } },
  ],
  ['DELETE /api/operator/charge_rules/:uuid', uuid('rule.delete')],
  ['GET /api/operator/exchange_rates/:currency_code', { params: { currency_code: 'EUR' } }],
  ['DELETE /api/operator/exchange_rates/:currency_code', { params: { currency_code: 'INR' } }],
  ['GET /api/operator/imports', { query: { supplier: 'Northlight Diamonds' } }],
  ['GET /api/operator/imports/:uuid', uuid('import.get')],
  ['POST /api/operator/imports/:uuid/undo', uuid('import.undo')],
  ['GET /api/operator/sources', { query: { supplier: 'Northlight Diamonds' } }],
  ['GET /api/operator/inventory/quarantine', { query: { supplier: '$quarantine.supplier' } }],
  ['GET /api/operator/inventory/conflicts', { query: { supplier: 'Northlight Diamonds' } }],
  [
    'POST /api/operator/sources',
    {
      body: {
        supplier: 'Surat Gems',
        url: 'sftp://feeds.surat-gems.example/out/*.csv',
        every: '2h',
        user: 'pavilion',
        password: 'a-long-password',
        host_key: 'SHA256:uNiVztksCsDhcc0u9e8BrrQXVUpKZIDTMczCvj3tD2s',
      },
    },
  ],
  ['GET /api/operator/sources/:uuid', uuid('source.get')],
  ['PATCH /api/operator/sources/:uuid', { ...uuid('source.get'), body: { every: '4h' } }],
  ['POST /api/operator/sources/:uuid/pause', uuid('source.pause')],
  ['POST /api/operator/sources/:uuid/resume', uuid('source.pause')],
  ['POST /api/operator/sources/:uuid/run', { ...uuid('source.get'), query: RUN_OPTIONS }],
  ['DELETE /api/operator/sources/:uuid', uuid('source.delete')],
  ['POST /api/operator/inventory/quarantine/:uuid/release', uuid('quarantine.release')],
  ['POST /api/operator/inventory/quarantine/:uuid/dismiss', uuid('quarantine.dismiss')],
  ['DELETE /api/operator/inventory/gems/:sku/hold', { params: { sku: '$hold.operator' } }],
  [
    'POST /api/operator/inventory/conflicts/:lab/:cert_num/decide',
    {
      params: { lab: '$conflict.lab', cert_num: '$conflict.cert' },
      body: { decision: 'keep', sku: '$conflict.sku' },
    },
  ],
  ['GET /api/operator/catalogues/:uuid', uuid('catalogue.shared')],
  ['PATCH /api/operator/catalogues/:uuid', { ...uuid('catalogue.set'), body: { public: false } }],
  [
    'POST /api/operator/catalogues/:uuid/products',
    { ...uuid('catalogue.set'), body: { add: ['$product.add'], remove: ['$product.remove'] } },
  ],
  [
    'PUT /api/operator/catalogues/:uuid/merchants/:merchant_uuid',
    { params: { uuid: '$catalogue.shared', merchant_uuid: '$merchant.other' } },
  ],
  [
    'DELETE /api/operator/catalogues/:uuid/merchants/:merchant_uuid',
    { params: { uuid: '$catalogue.shared', merchant_uuid: '$merchant' } },
  ],
  ['GET /api/operator/jewelry/imports/:uuid', uuid('import.jewelry')],
  ['POST /api/operator/jewelry/imports/:uuid/undo', uuid('import.jewelry')],
  ['GET /api/operator/mails', { query: { state: 'failed' } }],
  ['POST /api/operator/mails/:uuid/retry', uuid('mail.retry')],
]
