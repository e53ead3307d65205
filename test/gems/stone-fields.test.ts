import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXTENSION_FIELDS } from '../../src/gems/gem.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { indexed } from '../support/stocked.ts'

let market: TestMarket
let shop: TestMerchant

const V2 = '/api/v2/diamonds/merchant_search'
const V3 = '/api/v3/diamonds/merchant_search'
const SUPPLIER = 'Facet & Sons'

beforeAll(async () => {
  market = await openTestMarket()
  shop = await market.merchant()
  await indexed(market)
})
afterAll(() => market.close())

type Row = Record<string, string | number>

const plain = (at: number): Row => ({
  vendor_sku: `S-${at}`,
  shape: 'round',
  weight: (1 + at / 100).toFixed(2),
  color: 'G',
  clarity: 'VS1',
  price_per_carat: 5000 + at,
  lab: 'GIA',
  lab_name: at % 2 ? 'GIA' : 'G.I.A.',
  cert_num: 2_141_438_000 + at,
  treatment: '',
  shade: at % 3 === 0 ? 'Brown' : 'None',
  milky: at % 4 === 0 ? '' : 'None',
  black_inclusion: 'None',
  pair_sku: at === 1 ? 'S-2' : at === 2 ? 'S-1' : '',
  pair_separable: at <= 2 ? 'yes' : '',
  image_bottom_url: at === 3 ? 'https://media.example/b.jpg' : '',
  video_url: at === 4 ? 'https://media.example/v.mp4' : '',
  v360_info: at === 5 ? '{"frame_count":36,"note":"a ""b"""}'.replaceAll('""', '\\"') : '',
  cert_url: at === 6 ? 'https://media.example/c.pdf' : '',
  is_sustainable: at === 7 ? 'yes' : '',
  sustainability_details: at === 7 ? '{"program":"traceable"}' : '',
})

const STONES = 12
const rows = (change: Record<string, Row> = {}): Row[] =>
  Array.from({ length: STONES }, (_, at) => ({ ...plain(at), ...change[`S-${at}`] }))

function csvOf(stones: Row[]): string {
  const cells = (row: Row) =>
    Object.values(row).map((cell) => `"${`${cell}`.replaceAll('"', '""')}"`)
  return [Object.keys(stones[0]).join(','), ...stones.map((row) => cells(row).join(','))].join('\n')
}

async function importStones(stones: Row[], query = '') {
  const response = await market.app.inject({
    method: 'POST',
    url: `/api/operator/imports?supplier=${encodeURIComponent(SUPPLIER)}&max_jumps=100${query}`,
    headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': 'text/csv' },
    payload: csvOf(stones),
  })
  expect(response.json(), response.body).toMatchObject({ rejected: 0 })
  await market.app.services.catchUp()
  return response.json()
}

const asShop = (method: string, path: string, body?: unknown) =>
  market.call(method, path, { token: shop.key, body })

type Gem = Record<string, unknown>

async function find(path: string, filters: object = {}): Promise<Gem[]> {
  const { status, body } = await asShop('POST', path, { filters, limit: 1000 })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.gems
}

async function numbersFound(path: string, filters: object = {}): Promise<string[]> {
  const gems = await find(path, filters)
  return gems.map(({ cert_num }) => `S-${Number(cert_num) - 2_141_438_000}`).sort()
}

async function snapshot(query = ''): Promise<{ sequence: number; gems: Map<string, Gem> }> {
  const { text } = await asShop('GET', `/api/v3/inventory/snapshot${query}`)
  const [head, ...lines] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { sequence: head.sequence, gems: new Map(lines.slice(0, -1).map((gem) => [gem.sku, gem])) }
}

async function changesAfter(sequence: number, query = '') {
  const { body } = await asShop('GET', `/api/v3/inventory/changes?after=${sequence}${query}`)
  return body.changes as { kind: string; sku: string; gem: Gem | null }[]
}

describe('fields beyond the specification', () => {
  it('are in v3 and in the snapshot, and not in v2', async () => {
    const report = await importStones(rows())
    expect(report).toMatchObject({ added: STONES, unmapped: [] })
    const [v2] = await find(V2, { weight_max: 1.01, weight_min: 1.01 })
    expect(Object.keys(v2)).not.toEqual(
      expect.arrayContaining([expect.toBeOneOf([...EXTENSION_FIELDS])]),
    )
    const [v3] = await find(V3, { weight_max: 1.01, weight_min: 1.01 })
    const [other] = await find(V3, { weight_max: 1.02, weight_min: 1.02 })
    expect(v3).toEqual({
      ...v2,
      lab_name: 'GIA',
      treatment: null,
      shade: 'None',
      milky: 'None',
      black_inclusion: 'None',
      pair_sku: other.sku,
      pair_separable: true,
    })
    expect(other.pair_sku).toBe(v3.sku)
    const { gems } = await snapshot()
    expect(gems.get(String(v3.sku))).toEqual(v3)
  })

  it('hold what the feed says about media and sustainability', async () => {
    const gems = await find(V3)
    const byNumber = new Map(gems.map((gem) => [Number(gem.cert_num) - 2_141_438_000, gem]))
    expect(byNumber.get(3)).toMatchObject({ image_bottom_url: 'https://media.example/b.jpg' })
    expect(byNumber.get(5)?.v360_info).toEqual({ frame_count: 36, note: 'a "b"' })
    expect(byNumber.get(7)).toMatchObject({
      is_sustainable: true,
      sustainability_details: { program: 'traceable' },
    })
  })

  it('are filters of v3, and refused in v2', async () => {
    expect(await numbersFound(V3, { lab_name: ['g.i.a.'] })).toHaveLength(6)
    expect(await numbersFound(V3, { shade: ['BROWN'] })).toEqual(['S-0', 'S-3', 'S-6', 'S-9'])
    expect(await numbersFound(V3, { milky: [null] })).toEqual(['S-0', 'S-4', 'S-8'])
    expect(await numbersFound(V3, { has_image: true })).toEqual(['S-3'])
    expect(await numbersFound(V3, { has_video: true })).toEqual(['S-4'])
    expect(await numbersFound(V3, { has_v360: true })).toEqual(['S-5'])
    expect(await numbersFound(V3, { has_certificate_file: true })).toEqual(['S-6'])
    expect(await numbersFound(V3, { has_certificate_file: false })).toHaveLength(STONES - 1)
    for (const filter of ['lab_name', 'shade', 'milky', 'treatment']) {
      const { status, body } = await asShop('POST', V2, { filters: { [filter]: ['None'] } })
      expect([status, body.errors[0].field]).toEqual([422, `filters.${filter}`])
    }
    expect((await asShop('POST', V2, { filters: { has_image: true } })).status).toBe(422)
  })

  it('are counted in the facets of v3 only', async () => {
    const facets = async (path: string) =>
      (await asShop('POST', path, { include: ['facets'] })).body.facets
    const { shade } = await facets(V3)
    expect(new Set(shade)).toEqual(
      new Set([
        { value: 'None', count: 8 },
        { value: 'Brown', count: 4 },
      ]),
    )
    expect(await facets(V2)).not.toHaveProperty('shade')
  })

  it('leave a file that is imported again unchanged', async () => {
    expect(await importStones(rows())).toMatchObject({ unchanged: STONES, changed: 0, added: 0 })
  })
})

describe('treated diamonds', () => {
  const treated = { 'S-8': { treatment: 'Laser Drilled' }, 'S-9': { treatment: 'hpht' } }

  it('are left out until they are asked for, everywhere', async () => {
    await importStones(rows())
    const before = await snapshot()
    const all = await snapshot('?include_treated=true')
    expect(await importStones(rows(treated))).toMatchObject({ changed: 2 })
    for (const path of [V2, V3]) expect(await numbersFound(path)).toHaveLength(STONES - 2)
    expect(await numbersFound(V3, { treatment: ['LASER drilled'] })).toEqual(['S-8'])
    expect(await numbersFound(V3, { treatment: ['HPHT', 'laser drilled'] })).toEqual(['S-8', 'S-9'])
    expect(await numbersFound(V3, { treatment: [null, 'hpht'] })).toHaveLength(STONES - 1)
    const asked = { filters: {}, include_treated: true, include: ['facets'], limit: STONES - 1 }
    const { body: first } = await asShop('POST', V3, asked)
    expect(first.total).toBe(STONES)
    expect(first.facets.treatment).toContainEqual({ value: 'Laser Drilled', count: 1 })
    const rest = { ...asked, cursor: first.next_cursor }
    expect((await asShop('POST', V3, rest)).body.gems).toHaveLength(1)
    expect((await asShop('POST', V3, { ...rest, include_treated: false })).status).toBe(422)
    const [stone] = await find(V3, { treatment: ['laser drilled'] })
    expect(stone.treatment).toBe('Laser Drilled')
    const one = `/api/v3/inventory/gems/${String(stone.sku)}`
    expect((await asShop('GET', one)).status).toBe(404)
    expect((await asShop('GET', `${one}?include_treated=true`)).body).toMatchObject(stone)

    const now = await snapshot()
    expect(now.gems.has(String(stone.sku))).toBe(false)
    expect(now.gems.size).toBe(STONES - 2)
    const follow = async (copy: Awaited<ReturnType<typeof snapshot>>, query = '') => {
      for (const { sku, gem } of await changesAfter(copy.sequence, query)) {
        if (gem) copy.gems.set(sku, gem)
        else copy.gems.delete(sku)
      }
      return copy.gems
    }
    expect(await follow(before)).toEqual(now.gems)
    const withTreated = await snapshot('?include_treated=true')
    expect(withTreated.gems.size).toBe(STONES)
    expect(await follow(all, '&include_treated=true')).toEqual(withTreated.gems)
  })

  it('have no changes for those who do not follow them', async () => {
    const [stone] = await find(V3, { treatment: ['laser drilled'] })
    const { sequence } = await snapshot()
    const { status } = await asShop('POST', '/api/v3/inventory/holds', { sku: stone.sku })
    expect(status).toBe(201)
    await importStones(rows({ ...treated, 'S-9': { treatment: 'hpht', price_per_carat: 5555 } }))
    expect(await changesAfter(sequence)).toEqual([])
    const kinds = (await changesAfter(sequence, '&include_treated=true')).map(({ kind }) => kind)
    expect(kinds).toEqual(['hold', 'price'])
  })

  it('come back into all searches when the feed no longer says so, or is undone', async () => {
    const { sequence } = await snapshot()
    const report = await importStones(rows())
    expect(await numbersFound(V2)).toHaveLength(STONES)
    const back = await changesAfter(sequence)
    expect(back.map(({ kind, gem }) => [kind, gem?.treatment])).toEqual([
      ['details', null],
      ['details', null],
    ])
    const undone = await market.call('POST', `/api/operator/imports/${report.uuid}/undo`, {
      token: market.adminKey,
    })
    expect(undone.status).toBe(200)
    await market.app.services.catchUp()
    expect(await numbersFound(V3)).toHaveLength(STONES - 2)
    const gone = (await changesAfter(sequence)).slice(2)
    expect(gone.map(({ kind, gem }) => [kind, gem])).toEqual([
      ['gone', null],
      ['gone', null],
    ])
  })

  it('are never chosen by curated search, nor offered as a substitute, and can be ordered', async () => {
    const wanted = { weight: 1.08, shape: 'round', types: ['mined'] }
    const chosen = await asShop('POST', '/api/v2/diamonds/ai_search', wanted)
    const treatedSkus = (await find(V3, { treatment: ['laser drilled', 'hpht'] })).map(
      ({ sku }) => sku,
    )
    const skus = chosen.body.map(({ sku }: Gem) => sku)
    expect(skus.length).toBeGreaterThan(0)
    expect(skus).not.toEqual(expect.arrayContaining([expect.toBeOneOf(treatedSkus)]))
    const line = (sku: unknown) => ({ order_type: 'invoice', line_items: [{ sku, quantity: 1 }] })
    const first = await asShop('POST', '/api/v2/orders/place', line(treatedSkus[0]))
    expect(first.status).toBe(200)
    expect(first.body.line_items[0].description).toMatch(/, (Laser Drilled|hpht)(, |$)/)
    const again = await asShop('POST', '/api/v2/orders/place', line(treatedSkus[0]))
    expect(again.status).toBe(409)
    const offered = again.body.substitutes.flatMap(({ stones }: { stones: Gem[] }) => stones)
    expect(offered.length).toBeGreaterThan(0)
    expect(offered.map(({ sku }: Gem) => sku)).not.toContain(treatedSkus[1])
  })
})

describe("a supplier's settings", () => {
  it('say whether its stones can be held, unless the feed does', async () => {
    const { body } = await market.call('GET', '/api/operator/suppliers', { token: market.adminKey })
    const { uuid, can_hold } = body.suppliers[0]
    expect(can_hold).toBe(true)
    const changed = await market.call('PATCH', `/api/operator/suppliers/${uuid}`, {
      token: market.adminKey,
      body: { can_hold: false },
    })
    expect(changed.body).toMatchObject({ can_hold: false })
    await importStones(rows().map((row, at) => ({ ...row, can_hold: at === 1 ? 'yes' : '' })))
    const hold = async (weight: number) => {
      const [{ sku }] = await find(V3, { weight_min: weight, weight_max: weight })
      return asShop('POST', '/api/v3/inventory/holds', { sku })
    }
    expect((await hold(1.01)).status).toBe(201)
    expect((await hold(1.02)).body).toMatchObject({ status: 409, code: 'not_holdable' })
  })
})

describe('an imported parcel', () => {
  it('shows its tolerance, its 360 view and whether it is sustainable', async () => {
    const parcel: Row = {
      vendor_sku: 'P-1',
      shape: 'round',
      weight: '2.00',
      color: 'F-G',
      clarity: 'VS',
      price_per_carat: 400,
      parcel_stones: 80,
      parcel_size: '1.5',
      tolerance_positive: '0.05',
      tolerance_negative: '0.03',
      ux_url: 'https://media.example/p.html',
      cached_ux_url: 'https://cache.example/p.html',
      v360_json_base_url: 'https://media.example/p/',
      v360_info: '{"frame_count":24,"s3_path":"p","md5_hash":"0f","image_ext":"jpg"}',
      is_sustainable: 'yes',
      sustainability_details: 'Recycled gold standard',
      memo_days_to_return: 5,
      internal_days_to_return: 40,
      memo: 'yes',
    }
    const more = [2, 3].map((at) => ({ ...parcel, vendor_sku: `P-${at}`, parcel_size: `1.${at}` }))
    const response = await market.app.inject({
      method: 'POST',
      url: '/api/operator/imports?supplier=Melee%20House',
      headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': 'text/csv' },
      payload: csvOf([parcel, ...more]),
    })
    expect(response.json()).toMatchObject({ added: 3 })
    await market.app.services.catchUp()
    const { body } = await asShop('GET', '/api/v3/diamonds/get_parcel_filters')
    const [leaf] = Object.values(body.filters.round.brilliant_cut.mined['1.5']) as Gem[]
    expect(leaf).toMatchObject({
      tolerance_positive: 0.05,
      tolerance_negative: 0.03,
      ux_url: 'https://media.example/p.html',
      cached_ux_url: 'https://cache.example/p.html',
      v360_json_base_url: 'https://media.example/p/',
      v360_info: { frame_count: 24, s3_path: 'p', md5_hash: '0f', image_ext: 'jpg' },
      is_sustainable: true,
      sustainability_details: { description: 'Recycled gold standard' },
      memo_days_to_return: 5,
      internal_days_to_return: 40,
    })
  })
})
