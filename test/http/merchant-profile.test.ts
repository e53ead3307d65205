import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { insertStone } from '../support/stones.ts'

let market: TestMarket
let shop: TestMerchant

beforeAll(async () => {
  market = await openTestMarket()
  shop = await market.merchant()
})
afterAll(() => market.close())

const asAdmin = (method: string, path: string, body?: unknown) =>
  market.call(method, path, { token: market.adminKey, body })
const merchantPath = () => `/api/operator/merchants/${shop.merchant.uuid}`

describe('the list of merchants', () => {
  it('is sorted by what the operator names, and no credit limit is the highest', async () => {
    const limits = { 'beta Jewels': 500, 'Alpha Jewels': null, 'Gamma Jewels': 90 }
    for (const [legal_dba, credit_limit] of Object.entries(limits)) {
      const email = `${legal_dba.replace(' ', '-')}@shop.example`
      const body = { email, legal_dba, country_code: 'US' }
      const { uuid } = (await asAdmin('POST', '/api/operator/merchants', body)).body
      await asAdmin('PATCH', `/api/operator/merchants/${uuid}`, { credit_limit })
    }
    const listed = async (query: string) => {
      const { body } = await asAdmin('GET', `/api/operator/merchants?limit=1000&${query}`)
      const names = body.merchants.map((row: { legal_dba: string }) => row.legal_dba)
      return names.filter((name: string) => name in limits)
    }
    expect(await listed('')).toEqual(['beta Jewels', 'Alpha Jewels', 'Gamma Jewels'])
    expect(await listed('sort_col=legal_dba')).toEqual([
      'Alpha Jewels',
      'beta Jewels',
      'Gamma Jewels',
    ])
    expect(await listed('sort_col=credit_limit&sort_order=desc')).toEqual([
      'Alpha Jewels',
      'beta Jewels',
      'Gamma Jewels',
    ])
    expect(await listed('sort_order=desc')).toEqual(['Gamma Jewels', 'Alpha Jewels', 'beta Jewels'])
    const unknown = await asAdmin('GET', '/api/operator/merchants?sort_col=email')
    expect(unknown.status).toBe(422)
  })
})

describe('the countries of the addresses of a merchant', () => {
  it.each(['billing_country_code', 'shipping_country_code'])(
    '%s is one, or empty',
    async (name) => {
      const { body } = await asAdmin('PATCH', merchantPath(), { [name]: 'DEU' })
      expect(body[name]).toBe('DE')
      const refused = await asAdmin('PATCH', merchantPath(), { [name]: 'Germany' })
      expect(refused.status).toBe(422)
      expect(refused.body.errors).toEqual([
        { field: name, message: 'Germany is not a country code such as US or DE' },
      ])
      expect((await asAdmin('PATCH', merchantPath(), { [name]: '' })).body[name]).toBe('')
    },
  )
})

describe('what the operator notes about a merchant', () => {
  const profile = {
    approval_status: 'approved',
    cc_emails: 'office@shop.example,  books@shop.example',
    url: 'https://shop.example/about',
    references: [
      { company_name: 'Girdle & Sons', email: 'office@girdle.example' },
      { company_name: 'Culet Ltd', position: 5, upload_urls: ['https://files.example/1'] },
    ],
  }

  it('is shown to the operator and in the orders of the merchant', async () => {
    const { status, body } = await asAdmin('PATCH', merchantPath(), profile)
    const noted = {
      approval_status: 'approved',
      cc_emails: 'office@shop.example, books@shop.example',
      url: 'https://shop.example/about',
      references: [
        {
          business_phone: '',
          company_name: 'Girdle & Sons',
          email: 'office@girdle.example',
          first_name: '',
          last_name: '',
          position: 0,
          upload_urls: [],
        },
        {
          business_phone: '',
          company_name: 'Culet Ltd',
          email: '',
          first_name: '',
          last_name: '',
          position: 5,
          upload_urls: ['https://files.example/1'],
        },
      ],
    }
    expect([status, body]).toEqual([200, expect.objectContaining(noted)])
    const { sku } = await insertStone(market.database.db)
    const placed = await market.call('POST', '/api/v2/orders/place', {
      token: shop.key,
      body: { order_type: 'invoice', line_items: [{ sku, quantity: 1 }] },
    })
    expect(placed.body.merchant).toMatchObject(noted)
  })

  it('is kept until it is set again, and null clears it', async () => {
    await asAdmin('PATCH', merchantPath(), { url: 'https://other.example' })
    const kept = await asAdmin('GET', merchantPath())
    expect(kept.body).toMatchObject({ approval_status: 'approved', url: 'https://other.example' })
    const cleared = { approval_status: null, cc_emails: null, url: null, references: [] }
    expect((await asAdmin('PATCH', merchantPath(), cleared)).body).toMatchObject(cleared)
  })

  it.each([
    ['cc_emails', 'office@shop.example, nobody'],
    ['url', 'shop.example'],
    ['references', [{ email: 'office@girdle.example' }]],
  ])('is refused with the field that is wrong (%s)', async (field, value) => {
    const { status, body } = await asAdmin('PATCH', merchantPath(), { [field]: value })
    expect(status).toBe(422)
    expect(body.errors[0].field.startsWith(field)).toBe(true)
  })

  it('may be given when the merchant is created', async () => {
    const merchant = { email: 'new@shop.example', legal_dba: 'New', country_code: 'US', ...profile }
    const { status, body } = await asAdmin('POST', '/api/operator/merchants', merchant)
    expect([status, body.approval_status, body.references.length]).toEqual([201, 'approved', 2])
  })
})

describe('the order of a template', () => {
  const template = { group: 'G', label: 'L', color: 'F', clarity: 'VS1', grade_name: 'ideal' }

  it('is a word or null, and set by the merchant or by the operator', async () => {
    const path = `${merchantPath()}/templates`
    const added = await asAdmin('POST', path, { ...template, order: 'B2' })
    expect([added.status, added.body.order]).toEqual([201, 'B2'])
    const own = { token: shop.key, body: { order: null } }
    const { uuid } = added.body
    const byMerchant = await market.call('PATCH', `/api/v3/merchant_templates/${uuid}`, own)
    expect(byMerchant.body.order).toBeNull()
    const byOperator = await asAdmin('PATCH', `${path}/${uuid}`, { order: 'A1' })
    expect([byOperator.status, byOperator.body.order]).toEqual([200, 'A1'])
    const listed = await market.call('GET', '/api/v3/merchant_templates/list', { token: shop.key })
    expect(listed.body.merchant_templates.map(({ order }: { order: unknown }) => order)).toEqual([
      null,
      null,
      null,
      'A1',
    ])
    expect((await asAdmin('PATCH', `${path}/${uuid}`, { order: 7 })).status).toBe(422)
  })
})
