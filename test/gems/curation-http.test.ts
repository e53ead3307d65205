import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { indexed, stockStones } from '../support/stocked.ts'
import { leaseOf } from '../support/stones.ts'

let market: TestMarket
let shop: TestMerchant
let stranger: TestMerchant

const V2 = '/api/v2/diamonds/ai_search'
const V3 = '/api/v3/diamonds/get_diamonds_by_merchant_templates'
/** A stone that is made as the grade `ideal` asks of a round one. */
const IDEAL = {
  cut_grade: 'EX',
  polish_grade: 'EX',
  symmetry_grade: 'EX',
  fluorescence: 'None',
  girdle_min: 'MD',
  girdle_max: 'MD',
  depth_percentage: '61.5',
  table_percentage: '56.5',
  length: '6.45',
  width: '6.42',
  ratio: '1.005',
}
const skus: Record<string, string> = {}

beforeAll(async () => {
  market = await openTestMarket()
  shop = await market.merchant()
  stranger = await market.merchant({ country_code: 'DE' })
  const stones = {
    ideal: { ...IDEAL, weight: '1.02', color: 'E', clarity: 'VS1' },
    premium: { ...IDEAL, weight: '1.01', color: 'H', clarity: 'VS2', table_percentage: '57.5' },
    standard: { ...IDEAL, weight: '1.03', color: 'I', clarity: 'SI1', table_percentage: '59' },
    light: { ...IDEAL, weight: '0.97', color: 'D', clarity: 'IF' },
    fancy: { ...IDEAL, weight: '1.00', color: 'YL', clarity: 'IF', is_fancy: true },
    lab: { ...IDEAL, weight: '1.00', color: 'D', clarity: 'IF', type: 'lab grown' as const },
    oval: { ...IDEAL, weight: '1.00', color: 'D', clarity: 'IF', shape: 'oval' },
    sold: { ...IDEAL, color: 'D', clarity: 'IF', state: 'sold' as const, quantity: 0 },
    held: {
      ...IDEAL,
      table_percentage: '57.5',
      wholesale_price: 900,
      ...leaseOf(stranger.merchant.uuid, 60),
    },
    partner: { ...IDEAL, weight: '2.00', color: 'F', clarity: 'VS1' },
    otherPartner: { ...IDEAL, weight: '2.02', color: 'E', clarity: 'VVS2' },
    unmatched: { ...IDEAL, weight: '2.01', color: 'F', clarity: 'VS1', width: '6.10' },
  }
  const inserted = await stockStones(market, ...Object.values(stones))
  for (const [at, name] of Object.keys(stones).entries()) skus[name] = inserted[at].sku
})
afterAll(() => market.close())

const SEARCH = { weight: 1, shape: 'round', types: ['mined'] }
const ask = (body: object, path = V2, token = shop.key) =>
  market.call('POST', path, { token, body: { ...SEARCH, ...body } })
const chosen = (answer: { body: { sku: string }[] }) => answer.body.map(({ sku }) => sku)

describe.each([V2, V3])('POST %s', (path) => {
  it('chooses for each predefined template the best stone that it accepts', async () => {
    const answer = await ask({}, path)
    expect(answer.status).toBe(200)
    expect(chosen(answer)).toEqual([skus.ideal, skus.premium, skus.standard])
    expect(answer.body[0]).toMatchObject({
      merchant_template_group: 'DEFAULT',
      merchant_template_label: 'IDEAL',
      merchant_template_position: 1,
      merchant_template_uuid: 'DEFAULT_IDEAL',
      hold_merchant_uuid: null,
      is_pair: false,
      wholesale_price: 1200,
      on_hold: false,
    })
    expect(answer.body[0]).not.toHaveProperty('match')
    expect(answer.body[0]).not.toHaveProperty('cost')
  })

  it('accepts the weight as digits, other types and shapes, and another currency', async () => {
    expect(chosen(await ask({ weight: '1.00' }, path))[0]).toBe(skus.ideal)
    expect(chosen(await ask({ types: ['lab grown'] }, path))).toEqual([skus.lab])
    expect(chosen(await ask({ shape: 'oval' }, path))).toEqual([skus.oval])
    expect((await ask({ currency_code: 'XTS' }, path)).body.code).toBe('unknown_currency')
    expect(await ask({ shape: 'shield' }, path)).toMatchObject({ status: 200, body: [] })
  })
})

describe('curated search', () => {
  it('shows the fields of a search result, in the prices of the caller', async () => {
    const [gem] = (await ask({}, V2, stranger.key)).body
    const body = { filters: { sku: [gem.sku] } }
    const token = stranger.key
    const found = await market.call('POST', '/api/v2/diamonds/merchant_search', { token, body })
    const { hold_merchant_uuid: _, is_pair: __, ...fields } = gem
    expect({ ...found.body.gems[0], ...templateOf(gem) }).toEqual(fields)
  })

  it('offers a held stone to its holder and to nobody else', async () => {
    const [, gem] = (await ask({}, V2, stranger.key)).body
    expect(gem).toMatchObject({
      sku: skus.held,
      merchant_template_label: 'PREMIUM',
      on_hold: true,
      hold_merchant_uuid: stranger.merchant.uuid,
    })
    expect(chosen(await ask({}))).not.toContain(skus.held)
  })

  it('widens the window only for a template that would stay empty', async () => {
    const near = await ask({ weight: 0.9, explain: true })
    expect(chosen(near)[0]).toBe(skus.light)
    expect(near.body[0].match.reasons[0]).toContain('-2 % and +8 % of 0.9 ct.')
    const wide = await ask({ weight: 0.88, explain: true })
    expect(chosen(wide)[0]).toBe(skus.light)
    expect(wide.body[0].match.reasons[0]).toContain('-4 % and +11 % of 0.88 ct; the window was')
    expect(chosen(await ask({ weight: 0.8 }))).toEqual([])
  })

  it('explains each choice when asked', async () => {
    const [gem] = (await ask({ explain: true })).body
    expect(gem.match).toEqual({
      score: 100,
      reasons: [
        'Its 1.02 ct lie within -2 % and +8 % of 1 ct.',
        'Color E and clarity VS1 are at least F and VS1.',
        'It is made as ideal asks for its shape.',
        'No stone of a make as good costs less.',
      ],
    })
  })

  it('returns two matched stones for a pair', async () => {
    const answer = await ask({ weight: 2, count_per_grade: 2, explain: true })
    expect(chosen(answer).toSorted()).toEqual([skus.partner, skus.otherPartner].toSorted())
    expect(answer.body.every((gem: { is_pair: boolean }) => gem.is_pair)).toBe(true)
    expect(answer.body[0].match.reasons.at(-1)).toContain('differs from its partner by 1 % in')
    expect((await ask({ weight: 5, count_per_grade: 2 })).body).toEqual([])
  })

  it('chooses only stones within the ratio', async () => {
    expect(chosen(await ask({ ratio_min: 1.005, ratio_max: 1.005 }))).toHaveLength(3)
    expect((await ask({ ratio_min: 1.006 })).body).toEqual([])
    expect((await ask({ ratio_min: 2, ratio_max: 1 })).body.errors[0].field).toBe('ratio_min')
  })

  it("uses the merchant's own templates, by group, label or uuid", async () => {
    const { key } = await market.merchant()
    const add = async (group: string, label: string, color: string) => {
      const body = { group, label, color, clarity: 'SI1', grade_name: 'ideal' }
      return (await market.call('POST', '/api/v3/merchant_templates', { token: key, body })).body
    }
    const second = await add('STUDS', 'B', 'I')
    await add('BRIDAL', 'A', 'D')
    await add('BRIDAL', 'C', 'H')
    const labels = async (merchant_template_filters?: object) => {
      const answer = await ask({ merchant_template_filters }, V3, key)
      expect(answer.status).toBe(200)
      const rows: { merchant_template_label: string }[] = answer.body
      return rows.map((gem) => gem.merchant_template_label)
    }
    expect(await labels({ group: 'BRIDAL' })).toEqual(['A', 'C'])
    expect(await labels({ uuid: second.uuid })).toEqual(['B'])
    expect(await labels({ uuid: second.uuid.toUpperCase() })).toEqual(['B'])
    expect(await labels({ label: 'PREMIUM' })).toEqual(['PREMIUM'])
    expect(await labels({ group: 'DEFAULT' })).toEqual(['IDEAL', 'PREMIUM', 'STANDARD'])
    const all = await ask({}, V3, key)
    const rows: { merchant_template_position: number }[] = all.body
    expect(rows.map((gem) => gem.merchant_template_position)).toEqual([1, 1, 2])
    const unknown = await ask({ merchant_template_filters: { group: 'NONE' } }, V3, key)
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('refuses a wrong request with 422 and names the field', async () => {
    const cases: [object, string][] = [
      [{ weight: 0 }, 'weight'],
      [{ weight: 'heavy' }, 'weight'],
      [{ weight: '0.00' }, 'weight'],
      [{ weight: null }, 'weight'],
      [{ shape: 'rond' }, 'shape'],
      [{ types: [] }, 'types'],
      [{ types: ['natural'] }, 'types[0]'],
      [{ count_per_grade: 3 }, 'count_per_grade'],
      [{ merchant_template_filters: { groep: 'A' } }, 'merchant_template_filters.groep'],
      [{ ratio: 1 }, 'ratio'],
    ]
    for (const [body, field] of cases) {
      const answer = await ask(body)
      expect([answer.status, answer.body.errors?.[0].field]).toEqual([422, field])
    }
    const { weight: _, ...rest } = SEARCH
    const missing = await market.call('POST', V2, { token: shop.key, body: rest })
    expect(missing.body.errors).toEqual([{ field: 'weight', message: 'is required' }])
    expect((await ask({}, V2, market.adminKey)).status).toBe(403)
  })

  it('sees a hold at once', async () => {
    const token = stranger.key
    const body = { sku: skus.premium }
    const { body: held } = await market.call('POST', '/api/v3/inventory/holds', { token, body })
    expect(chosen(await ask({}))).not.toContain(skus.premium)
    await market.call('DELETE', `/api/v3/inventory/holds/${held.uuid}`, { token })
    expect(chosen(await ask({}))).toContain(skus.premium)
    await indexed(market)
  })
})

function templateOf(gem: Record<string, unknown>) {
  const names = Object.keys(gem).filter((name) => name.startsWith('merchant_template_'))
  return Object.fromEntries(names.map((name) => [name, gem[name]]))
}
