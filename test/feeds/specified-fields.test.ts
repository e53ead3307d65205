import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'
import { SPECIFIED } from '../support/specified-stone.ts'
import { indexed } from '../support/stocked.ts'

let market: TestMarket
let shop: TestMerchant
beforeAll(async () => {
  market = await openTestMarket()
  shop = await market.merchant()
  await indexed(market)
})
afterAll(() => market.close())

/** What the columns of one stone hold, and what a merchant sees where that is something else. */
const SENT: Record<string, [cell: string, shown?: unknown]> = {
  type: ['lab grown'],
  wholesale_price: ['6000.00', 6000],
  shape: ['emerald'],
  cut_code: ['step_cut'],
  weight: ['1.2', 1.2],
  length: ['7.1', 7.1],
  width: ['5', 5],
  depth: ['3.3', 3.3],
  ratio: ['1.42', 1.42],
  ratio_group: ['rectangular'],
  depth_percentage: ['66', 66],
  table_percentage: ['65', 65],
  crown_angle: ['33.5', 33.5],
  pavilion_angle: ['41.2', 41.2],
  pavilion_depth: ['44.5', 44.5],
  culet_size: ['None', 'N'],
  girdle_min: ['Medium', 'MD'],
  girdle_max: ['Thick', 'TK'],
  color: ['yellow', 'YL'],
  clarity: ['VS1'],
  fancy_color_intensity: ['Fancy Light', 'FLT'],
  overtone: ['Greenish'],
  is_fancy: ['true', true],
  cut_grade_description: ['Very Good'],
  polish_grade: ['EX'],
  symmetry_grade: ['VG'],
  fluorescence: ['None'],
  eye_clean: ['yes'],
  grow_method: ['CVD'],
  lab: ['IGI'],
  cert_num: ['LG577001122'],
  cert_url: ['https://media.example/c.pdf'],
  country_code: ['IND'],
  quantity: ['1', 1],
  enabled: ['true', true],
  on_hold: ['false', false],
  can_hold: ['false', false],
  memo: ['true', true],
  returnable: ['false', false],
  is_sustainable: ['true', true],
  sustainability_details: ['{"program":"traceable"}', { program: 'traceable' }],
  memo_days_to_return: ['9', 9],
  days_to_return: ['5', 5],
  delivery_days_min: ['2', 2],
  delivery_days_max: ['4', 4],
  image_top_url: ['https://media.example/t.jpg'],
  image_bottom_url: ['https://media.example/b.jpg'],
  video_url: ['https://media.example/v.mp4'],
  ux_url: ['https://media.example/u.html'],
  v360_info: ['{"frame_count":36}', { frame_count: 36 }],
  v360_json_base_url: ['https://media.example/frames/'],
  media_requested: ['true', true],
  original_imported_ext_url: ['https://supplier.example/1'],
}

type Columns = Record<string, string>

async function importStones(rows: Columns[], query = '') {
  const cells = (row: Columns) =>
    Object.values(row).map((cell) => `"${cell.replaceAll('"', '""')}"`)
  const response = await market.app.inject({
    method: 'POST',
    url: `/api/operator/imports?supplier=Specified${query}`,
    headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': 'text/csv' },
    payload: [Object.keys(rows[0]).join(','), ...rows.map((row) => cells(row).join(','))].join(
      '\n',
    ),
  })
  await market.app.services.catchUp()
  return response.json()
}

async function search() {
  const { body } = await market.call('POST', '/api/v2/diamonds/merchant_search', {
    token: shop.key,
    body: { filters: { is_fancy: true } },
  })
  return body.gems as Record<string, unknown>[]
}

const stone = (vendor_sku: string, change: Columns = {}): Columns => ({
  vendor_sku,
  price_per_carat: '5000',
  ...Object.fromEntries(Object.entries(SENT).map(([field, [cell]]) => [field, cell])),
  ...change,
})

describe('a column named like a field of the specification', () => {
  it('comes out of the interface', async () => {
    expect(await importStones([stone('A-1')])).toMatchObject({ added: 1, rejections: [] })
    const shown = Object.entries(SENT).map(([field, [cell, value = cell]]) => [field, value])
    expect((await search())[0]).toMatchObject(Object.fromEntries(shown))
  })

  it('is reported with a reason where the market makes the field or another column is it', async () => {
    const others = SPECIFIED.filter((field) => !(field in SENT))
    const values = Object.fromEntries(others.map((field) => [field, '']))
    const { columns, unmapped } = await importStones([stone('A-1', values)])
    expect(unmapped).toContain('quality')
    for (const { column, reason } of columns) {
      expect(reason, column).not.toBe('no field has this name')
    }
    const reasons = new Map(
      columns.map(({ column, reason }: Columns): [string, string] => [column, reason]),
    )
    expect(reasons.get('retail_price')).toBe('the market makes this field, and no feed fills it')
    expect(reasons.get('sku')).toBe('the name means vendor_sku, which vendor_sku already is')
  })

  it('is kept when a file of updates does not have it, and undone with its import', async () => {
    const { media_requested: _, ...repriced } = stone('A-1', { price_per_carat: '5001' })
    await importStones([{ ...repriced, wholesale_price: '6001.20' }])
    expect((await search())[0]).toMatchObject({ wholesale_price: 6001.2, media_requested: true })
    const { uuid } = await importStones([stone('A-1', { media_requested: 'no' })])
    expect((await search())[0]).toMatchObject({ media_requested: false })
    await market.call('POST', `/api/operator/imports/${uuid}/undo`, { token: market.adminKey })
    await market.app.services.catchUp()
    expect((await search())[0]).toMatchObject({ media_requested: true })
  })
})

describe('a ratio group', () => {
  it('is what the file says where there are no sides, and reported where they contradict it', async () => {
    const none = { length: '', width: '', depth: '', ratio: '', cert_num: 'LG577001123' }
    const other = { ratio_group: 'square', cert_num: 'LG577001124' }
    const { notes } = await importStones([stone('R-1', none), stone('R-2', other)])
    const groups = (await search()).map(({ cert_num, ratio_group }) => [cert_num, ratio_group])
    expect(groups).toContainEqual(['LG577001123', 'rectangular'])
    expect(groups).toContainEqual(['LG577001124', 'rectangular'])
    expect(notes.unreadable).toContainEqual(
      expect.objectContaining({ field: 'ratio_group', value: 'square' }),
    )
  })
})

describe('is_fancy', () => {
  it('rejects a stone that has a grade of white', async () => {
    const white = { color: 'G', fancy_color_intensity: '', overtone: '', cert_num: 'LG577001125' }
    const { rejections } = await importStones([stone('F-1', white)])
    expect(rejections).toMatchObject([
      { column: 'is_fancy', value: 'true', reason: 'A fancy color contradicts the color G' },
    ])
  })
})
