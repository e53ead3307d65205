/**
 * How every operation that writes is called successfully. An operation without an example fails
 * `operations.test.ts`.
 */

import { inTransaction } from '../../src/database/transaction.ts'
import { queueMail } from '../../src/notices/outbox/mail-store.ts'
import { createLink } from '../../src/people/sign-in-link.ts'
import { csvOf, stones } from '../feeds/import-support.ts'
import { addStone } from '../orders/order-support.ts'
import { type Example, TRACKING, type World } from './world.ts'

type MakeExample = (world: World) => Promise<Example> | Example

/** Operations that change nothing although their method is POST, with the reason. */
export const WITHOUT_WRITES = new Map([
  ['POST /api/v2/diamonds/merchant_search', 'a search'],
  ['POST /api/v2/diamonds/ai_search', 'a search'],
  ['POST /api/v3/diamonds/merchant_search', 'a search'],
  ['POST /api/v3/diamonds/get_diamonds_by_merchant_templates', 'a search'],
  ['POST /api/v3/gemstones/search', 'a search'],
  ['POST /api/v3/saved_searches/:uuid/run', 'a search'],
  ['POST /api/v2/products/query', 'a search'],
  ['POST /api/v2/products/jewelry/query', 'a search'],
  ['POST /api/v2/product_variants/jewelry/query', 'a search'],
  ['POST /api/v3/products/query', 'a search'],
  ['POST /api/v3/products/jewelry/query', 'a search'],
  ['POST /api/v3/product_variants/jewelry/query', 'a search'],
  ['POST /api/v3/session/link', 'makes no link where no mail server is set'],
  ['POST /api/v3/profit_margins/preview', 'shows what margins would do'],
  ['POST /api/operator/imports/explain', 'shows how a file would be read'],
  ['POST /api/operator/jewelry/imports/explain', 'shows how a file would be read'],
])

const ADDRESS = {
  name: 'Store',
  address_1: '12 Facet Street',
  city: 'New York',
  postal_code: '10036',
  country_code: 'US',
}
const TEMPLATE = { group: 'BRIDAL', label: 'FINE', color: 'G', clarity: 'VS2', grade_name: 'ideal' }
const TIER = { min: 0, max: 10, mined_percent: 30, lab_percent: 45 }
const MARGINS = { mode: 'weight', product_type: 'diamond', tiers: [TIER] }
const WEBHOOK = { url: 'https://hooks.shop.example/in?key=very-secret-query' }
const SEARCH = { name: 'Rounds', kind: 'diamond', filters: { shape: ['round'] } }
const GRID = 'BR,VS1,G,1.00,1.49,8200,3/31/2026\n'
const JEWELRY =
  'Stock Number,Jewelry Type,Jewelry Title,Jewelry Total Price\nR-1,Ring,Solitaire,1200\n'

async function made(world: World, path: string, token: string, body: unknown): Promise<string> {
  return (await world.call('POST', path, token, body)).body.uuid
}

const orderStep =
  (body?: unknown, fields: object = {}): MakeExample =>
  async (world) => {
    const { uuid } = await world.order(fields)
    return { token: world.admin, params: { uuid }, ...(body !== undefined && { body }) }
  }

const supplierStep =
  (body?: unknown): MakeExample =>
  async (world) => {
    const sku = await addStone(world.market.database.db, { supplier_id: world.supplier.id })
    const { uuid } = await world.order({}, sku)
    return { token: world.supplier.key, params: { uuid }, ...(body !== undefined && { body }) }
  }

const returnStep: MakeExample = async (world) => ({
  token: world.admin,
  params: { uuid: await world.returned() },
})

const sourceStep =
  (body?: unknown): MakeExample =>
  async (world) => {
    const source = { supplier: world.name(), url: 'http://127.0.0.1:1/stock.csv' }
    const uuid = await made(world, '/api/operator/sources', world.admin, source)
    return { token: world.admin, params: { uuid }, ...(body !== undefined && { body }) }
  }

const catalogueStep =
  (params: (world: World) => object, body?: unknown): MakeExample =>
  async (world) => {
    const uuid = await made(world, '/api/operator/catalogues', world.admin, { name: world.name() })
    const given = { uuid, ...params(world) }
    return { token: world.admin, params: given, ...(body !== undefined && { body }) }
  }

const addressStep =
  (body?: unknown): MakeExample =>
  async (world) => {
    const address_uuid = await made(world, '/api/v3/merchant_addresses', world.shop, ADDRESS)
    const params = { uuid: world.merchantUuid, address_uuid }
    return { token: world.admin, params, ...(body !== undefined && { body }) }
  }

const webhookStep =
  (body?: unknown): MakeExample =>
  async (world) => {
    const uuid = await made(world, '/api/v3/webhooks', world.shop, WEBHOOK)
    return { token: world.shop, params: { uuid }, ...(body !== undefined && { body }) }
  }

const searchStep =
  (body?: unknown): MakeExample =>
  async (world) => {
    const uuid = await made(world, '/api/v3/saved_searches', world.shop, SEARCH)
    return { token: world.shop, params: { uuid }, ...(body !== undefined && { body }) }
  }

const place: MakeExample = async (world) => ({
  token: world.shop,
  body: { order_type: 'invoice', line_items: [{ sku: await world.stone(), quantity: 1 }] },
})

const importOf =
  (token: (world: World) => string): MakeExample =>
  (world) => ({
    token: token(world),
    ...(token(world) === world.admin && { query: `supplier=${world.name()}` }),
    file: csvOf(stones(3)),
  })

async function importedUuid(world: World): Promise<string> {
  const path = `/api/operator/imports?supplier=${world.name()}`
  return (await world.upload(path, csvOf(stones(3)))).body.uuid
}

function invited(world: World, role = 'viewer') {
  return { email: `${world.name().replace(' ', '-')}@people.example`, role }
}

/** The operations on the users of one side. */
function userSteps(
  path: string,
  tokenOf: (world: World) => string,
  role?: string,
): [string, MakeExample][] {
  const step =
    (body?: unknown): MakeExample =>
    async (world) => {
      const token = tokenOf(world)
      const uuid = await made(world, path, token, invited(world, role))
      return { token, params: { uuid }, ...(body !== undefined && { body }) }
    }
  return [
    [`POST ${path}`, (world) => ({ token: tokenOf(world), body: invited(world, role) })],
    [`PATCH ${path}/:uuid`, step({ name: 'Renamed' })],
    [`DELETE ${path}/:uuid`, step()],
  ]
}

export const EXAMPLES: ReadonlyMap<string, MakeExample> = new Map<string, MakeExample>([
  // Sessions and keys
  ['POST /api/v3/session', ({ shop }) => ({ token: '', body: { key: shop } })],
  [
    'DELETE /api/v3/session',
    async (world) => {
      const owner = { merchant_uuid: world.merchantUuid, supplier_uuid: null }
      const { url } = await createLink(world.market.database.db, 'http://x', owner)
      const body = { code: url.split('#')[1] }
      const opened = await world.market.call('POST', '/api/v3/session', { body })
      return { token: opened.body.token }
    },
  ],
  [
    'DELETE /api/v3/sessions/:uuid',
    async (world) => {
      await world.call('POST', '/api/v3/session', '', { key: world.shop })
      const { body } = await world.call('GET', '/api/v3/sessions', world.shop)
      return { token: world.shop, params: { uuid: body.sessions[0].uuid } }
    },
  ],
  [
    'PUT /api/v3/session/password',
    async (world) => {
      const { body } = await world.call('POST', '/api/v3/users', world.shop, invited(world))
      const code = body.link.split('#')[1]
      const opened = await world.market.call('POST', '/api/v3/session', { body: { code } })
      return { token: opened.body.token, body: { password: 'very-secret-password' } }
    },
  ],
  ...userSteps('/api/v3/users', ({ shop }) => shop),
  ...userSteps('/api/supplier/users', ({ supplier }) => supplier.key),
  ...userSteps('/api/operator/users', ({ admin }) => admin, 'sales'),
  ['POST /api/v3/tokens', ({ shop, name }) => ({ token: shop, body: { name: name() } })],
  [
    'DELETE /api/v3/tokens/:uuid',
    async (world) => {
      const uuid = await made(world, '/api/v3/tokens', world.shop, { name: 'old' })
      return { token: world.shop, params: { uuid } }
    },
  ],
  [
    'POST /api/v3/tokens/:uuid/rotate',
    async (world) => {
      const uuid = await made(world, '/api/v3/tokens', world.shop, { name: 'old' })
      return { token: world.shop, params: { uuid }, body: {} }
    },
  ],
  ['POST /api/operator/tokens', ({ admin }) => ({ token: admin, body: { type: 'admin' } })],
  [
    'DELETE /api/operator/tokens/:uuid',
    async (world) => {
      const uuid = await made(world, '/api/operator/tokens', world.admin, { type: 'admin' })
      return { token: world.admin, params: { uuid } }
    },
  ],
  [
    'POST /api/operator/tokens/:uuid/rotate',
    async (world) => {
      const uuid = await made(world, '/api/operator/tokens', world.admin, { type: 'admin' })
      return { token: world.admin, params: { uuid }, body: {} }
    },
  ],
  // A merchant's settings
  ['POST /api/v3/merchant_addresses', ({ shop }) => ({ token: shop, body: ADDRESS })],
  [
    'PATCH /api/v3/merchant_addresses/:uuid',
    async (world) => {
      const uuid = await made(world, '/api/v3/merchant_addresses', world.shop, ADDRESS)
      return { token: world.shop, params: { uuid }, body: { name: 'Vault' } }
    },
  ],
  [
    'DELETE /api/v3/merchant_addresses/:uuid',
    async (world) => {
      const uuid = await made(world, '/api/v3/merchant_addresses', world.shop, ADDRESS)
      return { token: world.shop, params: { uuid } }
    },
  ],
  ['POST /api/v3/merchant_templates', ({ shop }) => ({ token: shop, body: TEMPLATE })],
  [
    'PATCH /api/v3/merchant_templates/:uuid',
    async (world) => {
      const uuid = await made(world, '/api/v3/merchant_templates', world.shop, TEMPLATE)
      return { token: world.shop, params: { uuid }, body: { label: 'FINER' } }
    },
  ],
  [
    'DELETE /api/v3/merchant_templates/:uuid',
    async (world) => {
      const uuid = await made(world, '/api/v3/merchant_templates', world.shop, TEMPLATE)
      return { token: world.shop, params: { uuid } }
    },
  ],
  ['PUT /api/v3/profit_margins', ({ shop }) => ({ token: shop, body: MARGINS })],
  [
    'POST /api/v3/profit_margins',
    ({ shop }) => ({
      token: shop,
      body: {
        product_type: 'gemstone',
        weight_min: 0,
        weight_max: 1,
        mined_percent: 30,
        lab_percent: 40,
      },
    }),
  ],
  [
    'PATCH /api/v3/profit_margins/:uuid',
    async (world) => {
      const { body } = await world.call('PUT', '/api/v3/profit_margins', world.shop, MARGINS)
      const params = { uuid: body.profit_margins[0].uuid }
      return { token: world.shop, params, body: { mined_percent: 31 } }
    },
  ],
  [
    'DELETE /api/v3/profit_margins/:uuid',
    async (world) => {
      const { body } = await world.call('PUT', '/api/v3/profit_margins', world.shop, MARGINS)
      return { token: world.shop, params: { uuid: body.profit_margins[0].uuid } }
    },
  ],
  ['POST /api/v3/saved_searches', ({ shop }) => ({ token: shop, body: SEARCH })],
  ['PATCH /api/v3/saved_searches/:uuid', searchStep({ alert: 'daily' })],
  ['DELETE /api/v3/saved_searches/:uuid', searchStep()],
  [
    'POST /api/v3/shares',
    async (world) => ({ token: world.shop, body: { skus: [await world.stone()] } }),
  ],
  [
    'DELETE /api/v3/shares/:uuid',
    async (world) => {
      const uuid = await made(world, '/api/v3/shares', world.shop, { skus: [await world.stone()] })
      return { token: world.shop, params: { uuid } }
    },
  ],
  [
    'POST /api/v3/watched',
    async (world) => ({ token: world.shop, body: { skus: [await world.stone()] } }),
  ],
  [
    'DELETE /api/v3/watched/:sku',
    async (world) => {
      const sku = await world.stone()
      await world.call('POST', '/api/v3/watched', world.shop, { skus: [sku] })
      return { token: world.shop, params: { sku } }
    },
  ],
  ['POST /api/v3/webhooks', ({ shop }) => ({ token: shop, body: WEBHOOK })],
  ['PATCH /api/v3/webhooks/:uuid', webhookStep({ disabled: true })],
  ['DELETE /api/v3/webhooks/:uuid', webhookStep()],
  ['POST /api/v3/webhooks/:uuid/rotate', webhookStep()],
  [
    'POST /api/v3/webhooks/:uuid/deliveries/:delivery_uuid/replay',
    async (world) => {
      const uuid = await made(world, '/api/v3/webhooks', world.shop, WEBHOOK)
      await world.order()
      const path = `/api/v3/webhooks/${uuid}/deliveries`
      const { body } = await world.call('GET', path, world.shop)
      return { token: world.shop, params: { uuid, delivery_uuid: body.deliveries[0].uuid } }
    },
  ],
  // Holds, orders, quotes and returns
  [
    'POST /api/v3/enquiries',
    async (world) => {
      const asked = { email: 'visitor@mail.example', name: 'A visitor', message: 'Is it bright?' }
      return { token: world.shop, body: { sku: await world.stone(), ...asked } }
    },
  ],
  [
    'POST /api/v3/inventory/holds',
    async (world) => ({ token: world.shop, body: { sku: await world.stone() } }),
  ],
  [
    'DELETE /api/v3/inventory/holds/:uuid',
    async (world) => {
      const body = { sku: await world.stone() }
      const uuid = await made(world, '/api/v3/inventory/holds', world.shop, body)
      return { token: world.shop, params: { uuid } }
    },
  ],
  ['POST /api/v2/orders/place', place],
  [
    'POST /api/v3/orders/place',
    async (world) => {
      const { token, body } = await place(world)
      return { token, body: { ...(body as object), external_order_id: world.name() } }
    },
  ],
  [
    'POST /api/v3/orders/:uuid/cancel',
    async (world) => ({
      token: world.shop,
      params: { uuid: (await world.order()).uuid },
      body: {},
    }),
  ],
  [
    'POST /api/v3/quotes',
    async (world) => ({
      token: world.shop,
      body: { line_items: [{ sku: await world.stone(), quantity: 1 }] },
    }),
  ],
  [
    'DELETE /api/v3/quotes/:uuid',
    async (world) => ({ token: world.shop, params: { uuid: (await world.offer()).uuid } }),
  ],
  [
    'POST /api/operator/quotes/:uuid/accept',
    async (world) => ({ token: world.admin, params: { uuid: (await world.offer()).uuid } }),
  ],
  [
    'POST /api/operator/quotes/:uuid/decline',
    async (world) => ({ token: world.admin, params: { uuid: (await world.offer()).uuid } }),
  ],
  [
    'POST /api/operator/quotes/:uuid/counter',
    async (world) => {
      const { uuid, sku } = await world.offer()
      const body = { line_items: [{ sku, price: 1600 }] }
      return { token: world.admin, params: { uuid }, body }
    },
  ],
  [
    'POST /api/v3/orders/:uuid/returns',
    async (world) => {
      const { uuid, line } = await world.shipped()
      const body = { line_items: [{ uuid: line, quantity: 1 }], reason: 'too large' }
      return { token: world.shop, params: { uuid }, body }
    },
  ],
  ['POST /api/operator/returns/:uuid/approve', returnStep],
  ['POST /api/operator/returns/:uuid/reject', returnStep],
  [
    'POST /api/operator/returns/:uuid/receive',
    async (world) => {
      const uuid = await world.returned()
      await world.call('POST', `/api/operator/returns/${uuid}/approve`, world.admin)
      return { token: world.admin, params: { uuid } }
    },
  ],
  ['POST /api/operator/orders/:uuid/fulfill', orderStep(TRACKING)],
  ['POST /api/operator/orders/:uuid/pay', orderStep()],
  ['POST /api/operator/orders/:uuid/payments', orderStep({ amount: 10 })],
  [
    'PUT /api/operator/orders/:uuid/charges',
    orderStep([{ kind: 'shipping', label: 'Courier', amount: 45 }]),
  ],
  ['POST /api/operator/orders/:uuid/invoice', orderStep()],
  ['POST /api/operator/orders/:uuid/cancel', orderStep({})],
  ['POST /api/operator/orders/:uuid/return', orderStep({}, { order_type: 'memo' })],
  ['POST /api/operator/orders/:uuid/convert', orderStep(undefined, { order_type: 'memo' })],
  ['POST /api/operator/orders/:uuid/extend', orderStep({ days: 7 }, { order_type: 'memo' })],
  [
    'POST /api/operator/orders/:uuid/confirm',
    async (world) => ({ ...(await supplierStep()(world)), token: world.admin }),
  ],
  [
    'POST /api/operator/orders/:uuid/decline',
    async (world) => ({
      ...(await supplierStep({ reason: 'sold' })(world)),
      token: world.admin,
    }),
  ],
  ['POST /api/supplier/orders/:uuid/confirm', supplierStep()],
  ['POST /api/supplier/orders/:uuid/decline', supplierStep({ reason: 'sold' })],
  ['POST /api/supplier/orders/:uuid/fulfill', supplierStep(TRACKING)],
  // The operator's settings
  [
    'POST /api/operator/merchants',
    ({ admin, name }) => ({
      token: admin,
      body: {
        email: `${name().replace(' ', '-')}@shop.example`,
        legal_dba: 'New Shop',
        country_code: 'US',
      },
    }),
  ],
  [
    'PATCH /api/operator/merchants/:uuid',
    ({ admin, merchantUuid }) => ({
      token: admin,
      params: { uuid: merchantUuid },
      body: { first_name: 'Changed', price_adjustment: { mined_percent: -2 } },
    }),
  ],
  [
    'POST /api/operator/merchants/:uuid/addresses',
    ({ admin, merchantUuid }) => ({ token: admin, params: { uuid: merchantUuid }, body: ADDRESS }),
  ],
  ['PATCH /api/operator/merchants/:uuid/addresses/:address_uuid', addressStep({ name: 'Vault' })],
  ['DELETE /api/operator/merchants/:uuid/addresses/:address_uuid', addressStep()],
  [
    'POST /api/operator/merchants/:uuid/templates',
    ({ admin, merchantUuid }) => ({ token: admin, params: { uuid: merchantUuid }, body: TEMPLATE }),
  ],
  [
    'PATCH /api/operator/merchants/:uuid/templates/:template_uuid',
    async (world) => {
      const template = await made(world, '/api/v3/merchant_templates', world.shop, TEMPLATE)
      const params = { uuid: world.merchantUuid, template_uuid: template }
      return { token: world.admin, params, body: { label: 'OTHER' } }
    },
  ],
  [
    'PUT /api/operator/merchants/:uuid/margins',
    ({ admin, merchantUuid }) => ({ token: admin, params: { uuid: merchantUuid }, body: MARGINS }),
  ],
  [
    'POST /api/operator/charge_rules',
    ({ admin }) => ({ token: admin, body: { kind: 'shipping', amount: 20 } }),
  ],
  [
    'DELETE /api/operator/charge_rules/:uuid',
    async (world) => {
      const rule = { kind: 'shipping', amount: 20 }
      const uuid = await made(world, '/api/operator/charge_rules', world.admin, rule)
      return { token: world.admin, params: { uuid } }
    },
  ],
  [
    'PATCH /api/operator/settings',
    ({ admin }) => ({ token: admin, body: { 'seller.name': 'Demo Gems' } }),
  ],
  [
    'POST /api/operator/exchange_rates',
    ({ admin }) => ({ token: admin, body: { currency_code: 'EUR', rate: 0.92 } }),
  ],
  [
    'DELETE /api/operator/exchange_rates/:currency_code',
    async (world) => {
      const body = { currency_code: 'JPY', rate: 151 }
      await world.call('POST', '/api/operator/exchange_rates', world.admin, body)
      return { token: world.admin, params: { currency_code: 'JPY' } }
    },
  ],
  ['POST /api/operator/suppliers', ({ admin, name }) => ({ token: admin, body: { name: name() } })],
  [
    'PATCH /api/operator/suppliers/:uuid',
    ({ admin, supplier }) => ({
      token: admin,
      params: { uuid: supplier.uuid },
      body: { markup: 3 },
    }),
  ],
  // Stock
  ['POST /api/operator/imports', importOf(({ admin }) => admin)],
  ['POST /api/supplier/imports', importOf(({ supplier }) => supplier.key)],
  [
    'POST /api/operator/imports/:uuid/undo',
    async (world) => ({ token: world.admin, params: { uuid: await importedUuid(world) } }),
  ],
  [
    'POST /api/supplier/imports/:uuid/undo',
    async (world) => {
      const { key } = world.supplier
      const { body } = await world.upload('/api/supplier/imports', csvOf(stones(4)), key)
      return { token: key, params: { uuid: body.uuid } }
    },
  ],
  [
    'POST /api/operator/inventory/quarantine/:uuid/release',
    async (world) => ({ token: world.admin, params: { uuid: await world.quarantined() } }),
  ],
  [
    'POST /api/operator/inventory/quarantine/:uuid/dismiss',
    async (world) => ({ token: world.admin, params: { uuid: await world.quarantined() } }),
  ],
  ['POST /api/operator/price_grids', ({ admin }) => ({ token: admin, file: GRID })],
  [
    'PATCH /api/operator/inventory/gems/:sku',
    async (world) => ({
      token: world.admin,
      params: { sku: await world.stone() },
      body: { note: 'kept for a visitor' },
    }),
  ],
  [
    'DELETE /api/operator/inventory/gems/:sku/hold',
    async (world) => {
      const sku = await world.stone()
      await world.call('POST', '/api/v3/inventory/holds', world.shop, { sku })
      return { token: world.admin, params: { sku } }
    },
  ],
  [
    'POST /api/operator/inventory/conflicts/:lab/:cert_num/decide',
    async (world) => {
      const { db } = world.market.database
      await addStone(db, { lab: 'GIA', cert_num: '9911223344' })
      const params = { lab: 'GIA', cert_num: '9911223344' }
      return { token: world.admin, params, body: { decision: 'apart' } }
    },
  ],
  [
    'POST /api/operator/sources',
    ({ admin, name }) => ({
      token: admin,
      body: {
        supplier: name(),
        url: 'https://supplier.example/stock.csv?key=very-secret-query',
        user: 'pavilion',
        password: 'very-secret-password',
      },
    }),
  ],
  ['PATCH /api/operator/sources/:uuid', sourceStep({ every: '3h' })],
  ['DELETE /api/operator/sources/:uuid', sourceStep()],
  ['POST /api/operator/sources/:uuid/pause', sourceStep()],
  ['POST /api/operator/sources/:uuid/resume', sourceStep()],
  [
    'POST /api/operator/sources/:uuid/run',
    // Otherwise a run of the schedule that has begun would be waited for instead.
    async (world) => ({ ...(await sourceStep()(world)), query: 'force=true' }),
  ],
  // Notices
  ['PUT /api/v3/notifications', ({ shop }) => ({ token: shop, body: { order_placed: false } })],
  [
    'PUT /api/operator/notifications',
    ({ admin }) => ({ token: admin, body: { order_placed: false } }),
  ],
  [
    'PUT /api/supplier/notifications',
    ({ supplier }) => ({ token: supplier.key, body: { order_placed: false } }),
  ],
  [
    'POST /api/operator/mails/:uuid/retry',
    async ({ admin, market }) => {
      const mail = { to: 'buyer@shop.example', subject: 'x', text: 'x', html: 'x', kind: 'test' }
      const { db } = market.database
      const uuid = await inTransaction(db, (tx) => queueMail(tx, mail))
      await db.updateTable('mail').set({ state: 'failed' }).where('uuid', '=', uuid).execute()
      return { token: admin, params: { uuid } }
    },
  ],
  // Jewelry
  [
    'POST /api/operator/jewelry/imports',
    ({ admin, name }) => ({ token: admin, query: `supplier=${name()}`, file: JEWELRY }),
  ],
  [
    'POST /api/operator/jewelry/imports/:uuid/undo',
    async (world) => {
      const path = `/api/operator/jewelry/imports?supplier=${world.name()}`
      const { body } = await world.upload(path, JEWELRY)
      return { token: world.admin, params: { uuid: body.uuid } }
    },
  ],
  [
    'POST /api/operator/catalogues',
    ({ admin, name }) => ({ token: admin, body: { name: name() } }),
  ],
  ['PATCH /api/operator/catalogues/:uuid', catalogueStep(() => ({}), { published: true })],
  ['POST /api/operator/catalogues/:uuid/products', catalogueStep(() => ({}), { add: [] })],
  [
    'PUT /api/operator/catalogues/:uuid/merchants/:merchant_uuid',
    catalogueStep(({ merchantUuid }) => ({ merchant_uuid: merchantUuid })),
  ],
  [
    'DELETE /api/operator/catalogues/:uuid/merchants/:merchant_uuid',
    catalogueStep(({ merchantUuid }) => ({ merchant_uuid: merchantUuid })),
  ],
])
