import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { workbookOf } from './hostile-files.ts'

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market.close())

/** Every name that plain objects inherit: a look-up of one finds a function instead of nothing. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype)

async function upload(path: string, content: string | Buffer) {
  const response = await market.app.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': 'text/csv' },
    payload: content,
  })
  return { status: response.statusCode, body: response.json() }
}

const read = (path: string) => market.call('GET', path, { token: market.adminKey })

const STONE = {
  'Stock #': 'S-1',
  Shape: 'Round',
  Weight: '1.01',
  Color: 'G',
  Clarity: 'VS1',
  'Price Per Carat': '5200',
}
const RING = {
  'Stock Number': 'R-1',
  'Jewelry Type': 'Rings',
  'Jewelry Title': 'Halo ring',
  'Total Price': '1000',
}

type Pairs = [name: string, value: string][]

/** The columns of a valid row, followed by all inherited names, whose values are those names. */
const pairsOf = (row: Record<string, string>): Pairs => [
  ...Object.entries(row),
  ...INHERITED.map((name): [string, string] => [name, name]),
]
const asCsv = (pairs: Pairs) =>
  `${pairs.map(([name]) => name).join(',')}\n${pairs.map(([, value]) => value).join(',')}\n`
const asJson = (pairs: Pairs) =>
  `[{${pairs.map((pair) => pair.map((text) => JSON.stringify(text)).join(':')).join(',')}}]`
const asWorkbook = (pairs: Pairs) => {
  const row = (texts: string[]) =>
    `<row>${texts.map((text) => `<c t="str"><v>${text}</v></c>`).join('')}</row>`
  return workbookOf(row(pairs.map(([name]) => name)) + row(pairs.map(([, value]) => value)))
}

describe('columns with the names of what every object has', () => {
  for (const [format, write] of [
    ['CSV', asCsv],
    ['JSON', asJson],
    ['a workbook', asWorkbook],
  ] as const) {
    it(`are unmapped columns of stones in ${format}, and the record can be read`, async () => {
      const file = write(pairsOf(STONE))
      const { status, body } = await upload(`/api/operator/imports?supplier=${format}`, file)
      expect(body).toMatchObject({ rows: 1, added: 1, rejected: 0 })
      expect(status).toBe(200)
      expect(body.unmapped.toSorted()).toEqual(INHERITED.toSorted())
      const record = await read(`/api/operator/imports/${body.uuid}`)
      expect(record.status).toBe(200)
      expect(record.body.columns.map((each: { column: string }) => each.column)).toEqual(
        pairsOf(STONE).map(([name]) => name),
      )
      expect((await read('/api/operator/imports')).status).toBe(200)
    })
  }

  for (const [format, write] of [
    ['CSV', asCsv],
    ['JSON', asJson],
  ] as const) {
    it(`are unmapped columns of jewelry in ${format}, and the record can be read`, async () => {
      const file = write(pairsOf(RING))
      const path = '/api/operator/jewelry/imports'
      const { status, body } = await upload(`${path}?supplier=${format}`, file)
      expect(body).toMatchObject({ rows: 1, added: 1, rejected: 0 })
      expect(status).toBe(200)
      expect(body.unmapped.toSorted()).toEqual(INHERITED.toSorted())
      const record = await read(`${path}/${body.uuid}`)
      expect(record).toMatchObject({ status: 200, body: { added: 1 } })
      expect((await read(path)).status).toBe(200)
    })
  }

  it('can be mapped by the operator', async () => {
    const { 'Stock #': stock, ...others } = STONE
    const file = asCsv([['constructor', stock], ['__proto__', '-'], ...Object.entries(others)])
    const mapping = encodeURIComponent('{"constructor": "vendor_sku", "__proto__": null}')
    const path = `/api/operator/imports?supplier=Mapped&mapping=${mapping}`
    const { body } = await upload(path, file)
    expect(body).toMatchObject({ added: 1, mapping: { constructor: 'vendor_sku' } })
    expect(body.unmapped).toEqual(['__proto__'])
    expect((await read(`/api/operator/imports/${body.uuid}`)).status).toBe(200)
  })
})

describe('values with the names of what every object has', () => {
  it('are read as unknown words in every column of stones and jewelry', async () => {
    for (const name of INHERITED) {
      const words = (row: Record<string, string>, columns: string[]) => {
        const full = { ...Object.fromEntries(columns.map((column) => [column, ''])), ...row }
        const rows = columns.map((column) => Object.values({ ...full, [column]: name }))
        return [Object.keys(full), ...rows].map((cells) => cells.join(',')).join('\n')
      }
      const stones = words(STONE, [...Object.keys(STONE), 'Lab', 'Girdle', 'Country', 'Currency'])
      const query = 'supplier=Words&dry_run=true'
      expect(await upload(`/api/operator/imports?${query}`, stones)).toMatchObject({ status: 200 })
      const more = ['Stone Type', 'Jewelry Material', 'Country', 'Currency', 'Availability']
      const rings = words(RING, [...Object.keys(RING), ...more])
      const jewelry = await upload(`/api/operator/jewelry/imports?${query}`, rings)
      expect(jewelry).toMatchObject({ status: 200, body: { rows: 9 } })
    }
  })

  it('are refused as filters and query names, with their names', async () => {
    for (const name of INHERITED) {
      const query = await read(`/api/operator/imports?${name}=1`)
      expect(query, name).toMatchObject({ status: 422 })
      const filter = await market.call('POST', '/api/v3/product_variants/jewelry/query', {
        token: market.adminKey,
        body: JSON.parse(`{"filter_variant_options": {"${name}": "x"}}`),
      })
      expect([400, 422], name).toContain(filter.status)
    }
  })
})
