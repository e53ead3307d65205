import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { explainImport } from '../../src/feeds/importing/explain-import.ts'
import type { LoggedRejection } from '../../src/feeds/importing/rejection-log.ts'
import type { MappingFile } from '../../src/feeds/mapping/mapping-file.ts'
import { readStoneMapping } from '../../src/feeds/mapping/stone-fields.ts'
import { getSupplier } from '../../src/gems/supplier-store.ts'
import { asJson, asText, DIALECTS, type TextStyle, tradeStones } from './dialects.ts'
import { inPieces, readStones, stonesByWeight } from './feed-support.ts'
import { csvOf, type ImportMarket, openImportMarket, stones } from './import-support.ts'

let market: ImportMarket
let supplier = ''
let count = 0
beforeAll(async () => {
  market = await openImportMarket()
})
afterAll(() => market.close())
beforeEach(() => {
  count++
  supplier = `Mapped ${count}`
})

const explain = (content: string | Uint8Array, more: { mapping?: MappingFile } = {}) =>
  explainImport(market.database.db, {
    supplier,
    bytes: inPieces(typeof content === 'string' ? Buffer.from(content) : content, 65_536),
    ...more,
  })
const run = (content: string | Uint8Array, more: Parameters<ImportMarket['run']>[1] = {}) =>
  market.run(content, { supplier, acceptPrices: true, ...more })

/** The file as it would be written by --explain, saved and read again. */
const written = (mapping: MappingFile) => JSON.parse(JSON.stringify(mapping)) as MappingFile

const STYLE: TextStyle = {
  delimiter: ',',
  lineEnd: '\n',
  encoding: 'utf8',
  isGzipped: false,
  isQuoted: false,
  title: '',
}

describe('the mapping that --explain writes', () => {
  for (const dialect of DIALECTS) {
    it(`reads the same stones from a file in the dialect of ${dialect.name}`, async () => {
      const [sample] = fc.sample(tradeStones(60, 60), { numRuns: 1, seed: 7 })
      const cells = sample.map(dialect.cells)
      const text = asText(cells, STYLE)
      for (const file of [text, asJson(cells, 'array')]) {
        const override = written(await explain(file))
        const [plain, mapped] = [await readStones(file), await readStones(file, { override })]
        expect(plain.drafts.length).toBeGreaterThan(50)
        expect(mapped.drafts).toEqual(plain.drafts)
        expect(mapped.rejections).toEqual(plain.rejections)
        expect(mapped.fields).toEqual(plain.fields)
      }
      const first = await run(text)
      const again = await run(text, { mapping: written(await explain(text)) })
      expect(again).toMatchObject({ added: 0, changed: 0, unchanged: first.added })
    })
  }

  it('names unused columns, unsure ones and values that were not understood', async () => {
    const [head, ...rows] = csvOf(stones(6)).trimEnd().split('\n')
    rows[1] = rows[1].replace('Round', 'Kreis')
    rows[2] = rows[2].replace('Round', 'Kreis')
    const file = [`${head},Mood`, ...rows.map((row) => `${row},fine`)].join('\n')
    const mapping = await explain(file)
    expect(mapping).toMatchObject({
      '//': [expect.stringContaining('Written by --explain')],
      Weight: 'weight',
      Shape: { field: 'shape', values: { Kreis: null }, counts: { Kreis: 2 } },
      Mood: { field: null, note: expect.stringMatching(/not used: .*"fine"/) },
      'Parcel Stones': 'parcel_stones',
    })
    await expect(getSupplier(market.database.db, supplier)).rejects.toThrow(/no supplier/)
  })

  it('asks what a price column holds, and so does the import with it', async () => {
    const rows = stonesByWeight(9).map(
      ({ stock, weight, perCarat }) => `${stock},Round,${weight},G,VS1,${perCarat}`,
    )
    const file = ['Stock #,Shape,Weight,Color,Clarity,Price', ...rows].join('\n')
    const mapping = written(await explain(file))
    expect(mapping.Price).toEqual({
      ask: expect.stringContaining('"total_price"'),
      note: expect.stringMatching(/may hold prices per carat .* 1\.18 ct: 3,552 or 3,010\?/),
    })
    await expect(run(file, { mapping })).rejects.toMatchObject({ code: 'import_unsure' })
    const answered = { ...mapping, Price: { ...(mapping.Price as object), field: 'total_price' } }
    expect(await run(file, { mapping: answered })).toMatchObject({ added: 9 })
  })

  it('asks which of two weights or two prices counts, and so does the import with it', async () => {
    const rows = stonesByWeight(60).map(({ stock, weight, perCarat }, at) =>
      [stock, 'Round', weight, weight + 0.5, 'G', 'VS1', perCarat, perCarat * (at % 3)].join(','),
    )
    const head = 'Stock #,Shape,Weight,Carat,Color,Clarity,Price Per Carat,Total Price'
    const file = [head, ...rows].join('\n')
    const mapping = written(await explain(file))
    for (const column of ['Weight', 'Carat', 'Price Per Carat', 'Total Price']) {
      expect(mapping[column]).toEqual({ ask: expect.any(String), note: expect.any(String) })
    }
    await expect(run(file, { mapping })).rejects.toThrow(/mean the same and differ/)
    const answered = { ...mapping, Weight: 'weight', Carat: null }
    await expect(run(file, { mapping: answered })).rejects.toThrow(/may be in the column/)
  })

  it('has the columns of a header in another language, and the positions of none', async () => {
    const foreign = 'Артикул;Огранка;Вес\nA-1;Круг;1,01\nA-2;Груша;0,90\n'
    const mapping = await explain(foreign)
    expect(Object.keys(mapping)).toEqual(['//', 'Артикул', 'Огранка', 'Вес'])
    expect(mapping['//']).toEqual([
      expect.any(String),
      expect.stringContaining('No column was recognized as stock number, weight, shape, price'),
    ])
    expect(mapping).toMatchObject({ Огранка: { note: expect.stringContaining('"Круг", "Груша"') } })
    const bare = await explain('A-1,1.01,G,x\nA-2,0.90,F,y\n')
    expect(Object.keys(bare)).toEqual(['1', '2', '3', '4', '//'])
    const json = await explain('[{"Артикул":"A-1","Вес":1.01,"Огранка":"Круг"}]')
    expect(Object.keys(json)).toEqual(['//', 'Артикул', 'Вес', 'Огранка'])
    const xml = await explain(
      '<a><b Артикул="A" Вес="1" Цвет="G"/><b Артикул="B" Вес="2" Цвет="F"/></a>',
    )
    expect(Object.keys(xml)).toEqual(['//', 'Артикул', 'Вес', 'Цвет'])
  })
})

const FOREIGN = [
  'Прайс-лист',
  'Артикул;Огранка;Вес;Цвет;Чистота;Цена за карат;Бронь;Прим.',
  'A-1;Круг;1,01;G;VS1;5200;да;один',
  'A-2;груша ;0,90;F;SI1;3100;;два',
  'A-3;Звезда;0,90;F;SI1;3100;;три',
].join('\n')
const MAPPING: MappingFile = {
  '//': 'how this supplier writes',
  Артикул: 'vendor_sku',
  Огранка: { field: 'shape', values: { Круг: 'round', Груша: 'pear' }, note: 'two shapes' },
  Вес: 'weight',
  '4': 'color',
  Чистота: { field: 'clarity' },
  'Цена за карат': 'price_per_carat',
  Бронь: { field: 'availability', values: { да: 'on hold', '': 'available' } },
  'Прим.': 'ignore',
  type: { value: 'lab grown' },
  country_code: { value: 'IND' },
}

describe('a mapping', () => {
  it('gives constants as they are, also with characters that separate values in COPY', async () => {
    const milky = 'a\tb\\n\\c'
    const report = await run(csvOf(stones(3)), { mapping: { milky: { value: milky } } })
    expect(report).toMatchObject({ added: 3, rejected: 0 })
    const gems = (await market.gems()).filter((gem) => gem.milky !== null)
    expect(gems.map((gem) => gem.milky)).toEqual([milky, milky, milky])
  })

  it('translates cells, gives constants and finds columns by name and position', async () => {
    const { drafts, rejections } = await readStones(FOREIGN, { override: MAPPING })
    expect(drafts).toMatchObject([
      { vendor_sku: 'A-2', shape: 'pear', weight: 0.9, color: 'F', cost: '2790.00' },
    ])
    expect(drafts[0]).toMatchObject({ type: 'lab grown', country_code: 'IND' })
    expect(rejections).toEqual([
      { row: 3, column: 'Бронь', value: 'да', reason: 'The stone is not on offer' },
      { row: 5, column: 'Огранка', value: 'Звезда', reason: expect.any(String) },
    ])
  })

  it('reads JSON and XML with names in another language', async () => {
    const override = { Арт: 'vendor_sku', Форма: 'shape', Вес: 'weight', Цена: 'total_price' }
    const stone = { Арт: 'A', Форма: 'Oval', Вес: 1.2, Цена: 6000, Color: 'G', Clarity: 'VS1' }
    const xml = `<r>${['A', 'B'].map((id) => `<s Арт="${id}" Форма="Oval" Вес="1.2" Цена="6000" Color="G" Clarity="VS1"/>`).join('')}</r>`
    for (const file of [JSON.stringify({ n: 1, a: [stone, { ...stone, Арт: 'B' }] }), xml]) {
      const { drafts } = await readStones(file, { override })
      expect(drafts).toMatchObject([{ vendor_sku: 'A', cost: '6000.00' }, { vendor_sku: 'B' }])
    }
  })

  it('is remembered, shown, and replaced by the next one; rejected rows keep their own text', async () => {
    let rejected: LoggedRejection[] = []
    const onRejected = (rows: LoggedRejection[]) => {
      rejected = rows
    }
    expect(await run(FOREIGN, { mapping: MAPPING, onRejected })).toMatchObject({
      added: 1,
      rejected: 2,
    })
    expect(rejected[0].cells).toEqual(['A-1', 'Круг', '1,01', 'G', 'VS1', '5200', 'да', 'один'])
    expect((await getSupplier(market.database.db, supplier)).mapping).toEqual(MAPPING)
    expect(await run(FOREIGN)).toMatchObject({ unchanged: 1, rejected: 2 })
    const next = { ...MAPPING, Огранка: { field: 'shape', values: { Груша: 'oval' } } }
    expect(await run(FOREIGN, { mapping: next })).toMatchObject({ changed: 1 })
    expect(await explain(FOREIGN)).toMatchObject({
      type: { value: 'lab grown' },
      Огранка: { values: { Груша: 'oval', Круг: null, Звезда: null }, counts: { Круг: 1 } },
      'Прим.': 'ignore',
    })
  })

  it('by position refuses a later file whose columns are others', async () => {
    const file = csvOf(stones(4))
    const mapping = { '3': 'shape', '4': 'weight' }
    await run(file, { mapping })
    const moved = file
      .split('\n')
      .map((row) => row.replace(/^([^,]*),([^,]*),([^,]*),([^,]*)/, '$1,$2,$4,$3'))
    await expect(run(moved.join('\n'))).rejects.toMatchObject({ code: 'reading_changed' })
    const bare = file.split('\n').slice(1).join('\n')
    const all = {
      '1': 'vendor_sku',
      '3': 'shape',
      '4': 'weight',
      '5': 'color',
      '6': 'clarity',
      '7': 'price_per_carat',
    }
    supplier = `${supplier} bare`
    await run(bare, { mapping: all })
    await expect(run(bare.replaceAll(',VS1,', ',VS1,x,'))).rejects.toThrow(/had 8 columns .* 9 now/)
  })

  it('does not look at an ignored column, except for signs of laboratory growth', async () => {
    const file = csvOf(stones(2))
      .split('\n')
      .map((row, at) => (row === '' ? row : `${row},${at === 0 ? 'Hold,Remark' : 'yes,CVD'}`))
      .join('\n')
    const override = { Hold: 'ignore', Remark: { ignore: true } }
    expect((await readStones(file)).drafts).toEqual([])
    const { drafts } = await readStones(file, { override })
    expect(drafts).toMatchObject([{ type: 'lab grown' }, { type: 'lab grown' }])
  })

  it('contradicting --price is refused', async () => {
    const mapping = { 'Price Per Carat': 'total_price' }
    await expect(run(csvOf(stones(3)), { mapping, price: 'per carat' })).rejects.toThrow(
      /mapping says that "Price Per Carat" holds prices of whole stones, and --price says prices per/,
    )
  })
})

describe('a mapping with a fault is refused, with', () => {
  const faults: [string, unknown, string | RegExp][] = [
    ['an unknown field', { A: 'wieght' }, 'wieght is not a known field; did you mean weight?'],
    ['a field far from all', { A: 'zzz' }, /zzz is not a known field; the fields are vendor_sku/],
    [
      'an unknown key',
      { A: { feild: 'shape' } },
      'has the unknown key "feild"; did you mean field?',
    ],
    ['columns as values', { shape: { column: 'A' } }, /write the column first/],
    ['a list', { A: ['shape'] }, /must be a field, "ignore", null/],
    [
      'a wrong translation',
      { A: { field: 'shape', values: { O: 'rond' } } },
      'translates "O" to "rond", which is not a value of shape; did you mean round?',
    ],
    [
      'a translation far from all',
      { A: { field: 'lab', values: { O: 'x' } } },
      /not a value of lab; it is one of GIA, GCAL, IGI/,
    ],
    [
      'two translations',
      { A: { field: 'color', values: { o: 'D', O: 'E' } } },
      /translates "O" twice, to "D" and "E"/,
    ],
    ['translations in a list', { A: { values: ['x'] } }, /"values" must be an object/],
    ['a wrong constant', { type: { value: 'pearl' } }, /not a value of type/],
    [
      'an unknown constant',
      { tipe: { value: 'mined' } },
      'tipe is not a known field; did you mean type?',
    ],
    [
      'a constant stock number',
      { vendor_sku: { value: 'A' } },
      'vendor_sku cannot be the same for all rows',
    ],
    [
      'a constant with a field',
      { type: { value: 'mined', field: 'type' } },
      /leave the other keys out/,
    ],
    [
      'a field and ignore',
      { A: { field: 'type', ignore: true } },
      'is ignored and has the field type',
    ],
  ]
  for (const [name, mapping, message] of faults) {
    it(name, () => {
      let errors: { field: string; message: string }[] = []
      try {
        readStoneMapping(mapping)
      } catch (error) {
        ;({ errors } = error as { errors: typeof errors })
      }
      const matching = typeof message === 'string' ? message : expect.stringMatching(message)
      expect(errors).toEqual([{ field: expect.stringMatching(/^mapping\./), message: matching }])
    })
  }

  it('no object', () => {
    for (const json of [[], 'x', 3, null, undefined]) {
      expect(() => readStoneMapping(json)).toThrow(/must be a JSON object of columns/)
    }
  })

  const fileFaults: [string, MappingFile, string | RegExp][] = [
    [
      'a column that the file lacks',
      { Wieght: 'weight' },
      'the file has no such column; did you mean "Weight"?',
    ],
    [
      'a column like none',
      { Вес: 'weight' },
      /the file has no such column; it has "Stock #", "Availability"/,
    ],
    ['a position out of range', { '9': 'weight' }, 'there is no column 9: the file has 8 columns'],
    [
      'one column twice',
      { Weight: 'weight', '4': 'weight' },
      'column 4 is "Weight", which the mapping has by its name as well',
    ],
    [
      'one field for two columns',
      { Weight: 'weight', '8': 'weight' },
      'both "Weight" and "Parcel Stones" are weight',
    ],
    [
      'a constant and a column',
      { Shape: 'shape', shape: { value: 'round' } },
      'both "shape (constant)" and "Shape" are shape',
    ],
    [
      'translations of an unused column',
      { Availability: { field: null, values: { a: 'b' } } },
      /the column is not used/,
    ],
    [
      'translations that the column cannot have',
      { Shape: { values: { Round: 'blob' } } },
      /not used \(the name means shape, but only 0 of 3 values fit\)/,
    ],
  ]
  for (const [name, mapping, message] of fileFaults) {
    it(name, async () => {
      const matching = typeof message === 'string' ? message : expect.stringMatching(message)
      await expect(run(csvOf(stones(3)), { mapping })).rejects.toMatchObject({
        message: 'The mapping does not fit the file.',
        errors: [{ field: expect.stringMatching(/^mapping\./), message: matching }],
      })
    })
  }

  it('a name that no stone of a JSON file has, once it is read', async () => {
    const file = JSON.stringify(
      stones(3).map(({ stock, weight }) => ({
        Stock: stock,
        Weight: weight,
        Shape: 'Round',
        Color: 'G',
        Clarity: 'VS1',
        'Price Per Carat': 4000,
      })),
    )
    await expect(run(file, { mapping: { Wight: 'weight' } })).rejects.toMatchObject({
      errors: [{ message: expect.stringContaining('did you mean "Weight"?') }],
    })
  })
})
