import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MappingFile } from '../../src/feeds/mapping/mapping-file.ts'
import { plainText, readMedia } from '../../src/jewelry/importing/drafting/read-values.ts'
import { explainJewelry } from '../../src/jewelry/importing/explain-jewelry.ts'
import { importJewelry } from '../../src/jewelry/importing/import-jewelry.ts'
import type { JewelryReport } from '../../src/jewelry/importing/import-store.ts'
import { inPieces } from '../feeds/feed-support.ts'
import { type ImportMarket, openImportMarket } from '../feeds/import-support.ts'
import { workbook } from '../feeds/xlsx-files.ts'

let market: ImportMarket
let supplier = ''
let count = 0
beforeAll(async () => {
  market = await openImportMarket()
})
afterAll(() => market.close())
beforeEach(() => {
  count++
  supplier = `Shop ${count}`
})

type More = { mapping?: MappingFile; mode?: 'update' | 'replace'; dryRun?: boolean }
const bytesOf = (content: string | Uint8Array) =>
  inPieces(typeof content === 'string' ? Buffer.from(content) : content, 65_536)
const run = (content: string | Uint8Array, more: More = {}): Promise<JewelryReport> =>
  importJewelry(market.database.db, { supplier, mode: 'update', bytes: bytesOf(content), ...more })
const explain = async (content: string | Uint8Array, more: More = {}): Promise<MappingFile> =>
  JSON.parse(
    JSON.stringify(
      await explainJewelry(market.database.db, { supplier, bytes: bytesOf(content), ...more }),
    ),
  )

/** The supplier's variants by stock number, with what their product says. */
async function pieces() {
  const { rows } = await market.database.pool.query(
    `select v.vendor_sku, p.vendor_sku as product, title, description, variant_options as options,
       filter_variant_options as attributes, cost, quantity, retail_price, media, details
     from variant v join product p on p.id = product_id
       join supplier s on s.id = v.supplier_id where s.name = $1 order by v.vendor_sku`,
    [supplier],
  )
  return rows.map(({ media, ...row }) => ({
    ...row,
    media: media.map(({ url }: { url: string }) => url),
  }))
}

const HANDLE_HEADER =
  'Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,' +
  'Option2 Name,Option2 Value,Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,' +
  'Variant Compare At Price,Variant Barcode,Image Src,Image Position,Image Alt Text,Gift Card,' +
  'Variant Image,Cost per item,Status'
const HANDLE_ROWS = [
  'halo-ring,Halo ring,"<p>A <b>halo</b> ring.</p><ul><li>Two &amp; two</li></ul>",Studio,Apparel > Rings,Engagement Rings,"gold, halo",TRUE,Metal,18k Yellow Gold,Ring Size,6,HR-1,5,3,1200.00,1500.00,111,https://img.example/b.jpg,2,front,FALSE,https://img.example/v1.jpg,500,active',
  'halo-ring,,,,,,,,,14k White Gold,,6.5,HR-2,5,-2,1100.00,,222,https://img.example/a.jpg,1,side,,,,',
  'halo-ring,,,,,,,,,,,,,,,,,,https://img.example/c.jpg,3,,,,,',
  'hoops,Hoops,Plain hoops,Studio,Earrings,,,TRUE,Title,Default Title,,,HO-1,2,,300,,,,,,,,,active',
  'old,Old pendant,,Studio,,Pendant,,TRUE,Title,Default Title,,,OP-1,2,4,90,,,,,,,,,draft',
  'hidden,Hidden chain,,Studio,,Chains,,FALSE,Title,Default Title,,,HC-1,2,4,90,,,,,,,,,active',
  'card,Gift card,,Studio,,Gift,,TRUE,Title,Default Title,,,GC-1,0,4,90,,,,,,TRUE,,,active',
  'nosku,No number,,Studio,,Ring,,TRUE,Title,Default Title,,,,0,4,90,,,,,,,,,active',
]
const HANDLE_FILE = [HANDLE_HEADER, ...HANDLE_ROWS].join('\n')

describe("the export of a shop with handles and variants' rows", () => {
  it('gives every variant what its product says, its options and all pictures', async () => {
    const report = await run(HANDLE_FILE)
    expect(report).toMatchObject({ rows: 8, added: 5, rejected: 2 })
    expect(report.rejections).toEqual([
      { row: 8, column: 'Gift Card', value: 'TRUE', reason: expect.stringContaining('gift card') },
      { row: 9, column: 'Variant SKU', value: '', reason: 'The stock number is missing' },
    ])
    expect(report.unmapped).toEqual(['Variant Grams', 'Image Alt Text', 'Cost per item'])
    expect(report.notes).toEqual([
      'One row only added a picture.',
      '4 rows have no retail price, so that it is twice the wholesale price.',
    ])
    const images = ['a', 'b', 'c'].map((name) => `https://img.example/${name}.jpg`)
    const [hidden, hoops, first, second, old] = await pieces()
    expect(first).toMatchObject({
      vendor_sku: 'HR-1',
      product: 'halo-ring',
      title: 'Halo ring',
      description: 'A halo ring.\nTwo & two',
      options: { Metal: '18k Yellow Gold', 'Ring Size': '6' },
      attributes: {
        jewelry_type: 'ring',
        ring_sub_type: 'engagement',
        metal: '18k yellow gold',
        size: '6',
      },
      cost: '1200.00',
      retail_price: '1500.00',
      quantity: 3,
      media: ['https://img.example/v1.jpg', ...images],
      details: { Vendor: 'Studio', Tags: 'gold, halo', 'Variant Barcode': '111' },
    })
    expect(second).toMatchObject({
      vendor_sku: 'HR-2',
      product: 'halo-ring',
      title: 'Halo ring',
      options: { Metal: '14k White Gold', 'Ring Size': '6.5' },
      cost: '1100.00',
      quantity: 0,
      media: images,
      details: { Vendor: 'Studio', 'Variant Barcode': '222' },
    })
    expect(hoops).toMatchObject({
      attributes: { jewelry_type: 'earrings' },
      options: {},
      quantity: 1,
    })
    expect([old.quantity, hidden.quantity]).toEqual([0, 0])
    expect(await run(HANDLE_FILE)).toMatchObject({ added: 0, changed: 0, unchanged: 5 })
  })

  it('is read alike from a workbook', async () => {
    const cells = [HANDLE_HEADER, HANDLE_ROWS[3], HANDLE_ROWS[4]].map((row) => row.split(','))
    const terms = { name: 'Terms', rows: [['Payment in 30 days', 'No returns', 'Ask us']] }
    const report = await run(workbook([terms, { name: 'Pieces', rows: cells }]))
    expect(report).toMatchObject({ rows: 2, added: 2, rejected: 0 })
    expect(report.notes).toEqual([
      'The sheet "Terms" has no header row and was left out.',
      '2 rows have no retail price, so that it is twice the wholesale price.',
    ])
    expect(await pieces()).toMatchObject([{ vendor_sku: 'HO-1' }, { vendor_sku: 'OP-1' }])
  })
})

const TYPED_FILE = [
  'ID,Type,SKU,Name,Published,Short description,Description,In stock?,Stock,Sale price,Regular price,' +
    'Date sale price ends,Categories,Tags,Images,Parent,Attribute 1 name,Attribute 1 value(s),' +
    'Attribute 1 visible,Attribute 2 name,Attribute 2 value(s)',
  '10,variable,BAND,Wedding band,1,Short,"<p>A band.</p>",1,,,,,Rings > Bands,bridal,"https://i.example/1.jpg, https://i.example/2.jpg",,Metal,"Gold, Platinum",1,Engraving,"Yes, No"',
  '11,variation,BAND-G,Wedding band - Gold,1,,,1,2,,800,,,,,BAND,Metal,Gold,,Engraving,Yes',
  '12,variation,BAND-P,,1,,,0,0,700,900,,,,https://i.example/p.jpg,id:10,Metal,Platinum,,Engraving,No',
  '13,variation,LOST,Lost,1,,,1,1,,10,,,,,id:99,Metal,Gold,,,',
  '14,simple,PEND,Pendant,1,Only short,,1,5,60,80,2026-12-31,Pendants,,pendant.jpg,,Metal,Silver,1,Stone,Ruby',
  '15,"simple, virtual",NOPE,Draft ring,-1,,,1,5,,80,,Rings,,,,,,,,',
  '16,external,EXT,Elsewhere,1,,,1,5,,80,,Rings,,,,,,,,',
].join('\n')

describe('the export of a shop with rows of products and variations', () => {
  it('knows products that are disabled, out of stock, virtual or made of others', async () => {
    const header =
      'sku,product_type,categories,name,product_online,price,special_price,' +
      'special_price_from_date,special_price_to_date,qty,is_in_stock'
    const rows = [
      'A,simple,Default Category/Rings/Engagement,Ring,1,1000,900,,,3,1',
      'B,simple,Default Category/Rings,Ring,2,1000,,,,3,1',
      'C,simple,Default Category/Rings,Ring,1,1000,900,2020-01-01,2020-02-01,3,0',
      'D,configurable,Default Category/Rings,Ring,1,1000,,,,,1',
      'E,virtual,Default Category/Rings,Appraisal,1,50,,,,,1',
    ]
    const report = await run([header, ...rows].join('\n'))
    expect(report.rejections).toMatchObject([
      { reason: 'The row is of type virtual, which is not a piece to sell' },
    ])
    expect(await pieces()).toMatchObject([
      { vendor_sku: 'A', cost: '900.00', quantity: 3, attributes: { ring_sub_type: 'engagement' } },
      { vendor_sku: 'B', cost: '1000.00', quantity: 0 },
      { vendor_sku: 'C', cost: '1000.00', quantity: 0 },
    ])
  })

  it('joins variations with their product by its number or id', async () => {
    const report = await run(TYPED_FILE)
    expect(report).toMatchObject({ rows: 7, added: 4, rejected: 2 })
    expect(report.mapping).toMatchObject({ Type: 'row_type', Stock: 'quantity', SKU: 'vendor_sku' })
    expect(report.rejections.map(({ row, reason }) => [row, reason])).toEqual([
      [5, 'Its product "id:99" is not in the file'],
      [8, 'The row is of type external, which is not a piece to sell'],
    ])
    expect(report.notes).toEqual([
      'One row described a product.',
      '"60" is the price of a sale for some days; the regular price is used (one row).',
      '"pendant.jpg" is not the address of a picture, and is left out (one row).',
      '4 rows have no retail price, so that it is twice the wholesale price.',
    ])
    const [gold, platinum, draft, pendant] = await pieces()
    expect(gold).toMatchObject({
      product: 'BAND',
      title: 'Wedding band',
      description: 'A band.',
      options: { Metal: 'Gold', Engraving: 'Yes' },
      attributes: { jewelry_type: 'ring', metal: 'gold' },
      cost: '800.00',
      quantity: 2,
      media: ['https://i.example/1.jpg', 'https://i.example/2.jpg'],
    })
    expect(platinum).toMatchObject({
      product: 'BAND',
      title: 'Wedding band',
      cost: '700.00',
      quantity: 0,
    })
    expect(platinum.media).toEqual(['p', '1', '2'].map((name) => `https://i.example/${name}.jpg`))
    expect(pendant).toMatchObject({
      product: 'PEND',
      description: 'Only short',
      options: { metal: 'sterling silver' },
      attributes: { stone: 'ruby' },
      cost: '80.00',
    })
    expect(draft).toMatchObject({ vendor_sku: 'NOPE', quantity: 0 })
  })
})

describe('a mapping of jewelry', () => {
  const FOREIGN = [
    'Liste;;;;',
    'Artikel;Bezeichnung;Art;Preis;Lager;Bemerkung',
    'R-1;Ring mit Stein;Ring;1.200,00;ja;x',
    'R-2;Kette;Kette;300,00;nein;y',
  ].join('\n')
  const MAPPING: MappingFile = {
    Artikel: 'vendor_sku',
    '2': 'title',
    Art: { field: 'jewelry_type', values: { Kette: 'necklace' } },
    Preis: 'price',
    Lager: { field: 'availability', values: { ja: 'in stock', nein: 'sold' } },
    Bemerkung: 'ignore',
    country: { value: 'DEU' },
    metal: { value: 'Silver' },
  }

  it('reads a header in another language, translates, gives constants and is remembered', async () => {
    await expect(run(FOREIGN)).rejects.toThrow(/no header row .* Artikel \| .*--explain.*--mapping/)
    expect(await run(FOREIGN, { mapping: MAPPING })).toMatchObject({
      added: 2,
      unmapped: ['Bemerkung'],
      mapping: { Artikel: 'vendor_sku', 'metal (constant)': 'metal' },
    })
    expect(await pieces()).toMatchObject([
      { vendor_sku: 'R-1', cost: '1200.00', quantity: 1, attributes: { metal: 'sterling silver' } },
      { vendor_sku: 'R-2', quantity: 0, attributes: { jewelry_type: 'necklace' } },
    ])
    expect(await run(FOREIGN)).toMatchObject({ unchanged: 2 })
    expect(await explain(FOREIGN)).toMatchObject({
      metal: { value: 'Silver' },
      Bezeichnung: 'title',
      Lager: { field: 'availability', values: { ja: 'in stock', nein: 'sold' } },
      Bemerkung: 'ignore',
    })
  })

  it('is written by --explain so that the same pieces are read', async () => {
    for (const file of [HANDLE_FILE, TYPED_FILE]) {
      const first = await run(file)
      const mapping = await explain(file)
      const again = await run(file, { mapping })
      expect(again).toMatchObject({ added: 0, changed: 0, unchanged: first.added })
      expect(again.rejections).toEqual(first.rejections)
      expect(again.mapping).toEqual(first.mapping)
      supplier = `${supplier} again`
    }
  })

  it('is written for a file that cannot be imported, and lists values that are not known', async () => {
    const mapping = await explain(FOREIGN)
    expect(mapping['//']).toEqual([
      expect.any(String),
      'No column was recognized as stock number, title, jewelry type, price; name it here.',
    ])
    expect(mapping.Lager).toEqual({ field: null, note: expect.stringContaining('"ja", "nein"') })
    const plain =
      'Stock Number,Title,Type,Price,Availability\nA,B,Ring,9,vielleicht\nC,D,Gizmo,9,vielleicht\n'
    expect(await explain(plain)).toMatchObject({
      Availability: {
        field: 'availability',
        values: { vielleicht: null },
        counts: { vielleicht: 2 },
      },
      Type: { field: 'jewelry_type', values: { Gizmo: null }, counts: { Gizmo: 1 } },
    })
  })

  it('with a fault is refused', async () => {
    const file = 'Stock Number,Title,Type,Price,Availability\nA,B,Ring,9,vielleicht\n'
    const faults: [MappingFile, string][] = [
      [{ Title: 'titel' }, 'titel is not a known field; did you mean title?'],
      [{ Titel: 'title' }, 'the file has no such column; did you mean "Title"?'],
      [{ '9': 'title' }, 'there is no column 9: the file has 5 columns'],
      [
        { Availability: { values: { ja: 'maybe' } } },
        'translates "ja" to "maybe", which is not a value of availability; it is one of in stock, out of stock, on memo, sold',
      ],
      [
        { Title: { field: null, values: { a: 'b' } } },
        'has translations, but is not used; give it a field',
      ],
      [
        { Title: 'title', title: { value: 'x' } },
        'title has a constant and this column; leave one of them out',
      ],
    ]
    for (const [mapping, message] of faults) {
      await expect(run(file, { mapping })).rejects.toMatchObject({ errors: [{ message }] })
    }
  })
})

describe('values of shops', () => {
  it('are texts without tags, and addresses without commas', () => {
    expect(plainText('a < b and c > d')).toBe('a < b and c > d')
    expect(plainText('<style>p{}</style><div>One<br/>two</div>&nbsp;<p> three </p>')).toBe(
      'One\ntwo\nthree',
    )
    expect(readMedia('https://a.example/1.jpg, https://a.example/2.jpg', 'image')).toHaveLength(2)
    expect(readMedia('https://a.example/1,2.jpg', 'image')[0].url).toBe('https://a.example/1,2.jpg')
  })
})
