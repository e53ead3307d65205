import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { importJewelry } from '../../src/jewelry/importing/import-jewelry.ts'
import type { JewelryReport } from '../../src/jewelry/importing/import-store.ts'
import { allocateVariants } from '../../src/jewelry/variant-stock.ts'
import { insertRate } from '../../src/pricing/exchange-rates.ts'
import { inPieces } from '../feeds/feed-support.ts'
import { type ImportMarket, openImportMarket } from '../feeds/import-support.ts'
import { workbook } from '../feeds/xlsx-files.ts'

let market: ImportMarket
let supplier = ''
let count = 0
beforeAll(async () => {
  market = await openImportMarket()
  await inTransaction(market.database.db, async (tx) => {
    await insertRate(tx, 'EUR', '0.8')
    await insertRate(tx, 'GBP', '0.5')
    await insertRate(tx, 'INR', '80')
  })
})
afterAll(() => market.close())
beforeEach(() => {
  count++
  supplier = `Workshop ${count}`
})

type More = Partial<Parameters<typeof importJewelry>[1]>
function run(content: string | Uint8Array, more: More = {}): Promise<JewelryReport> {
  const bytes = inPieces(typeof content === 'string' ? Buffer.from(content) : content, 65_536)
  return importJewelry(market.database.db, { supplier, mode: 'update', bytes, ...more })
}

/** The supplier's variants by stock number, with what their product says. */
async function pieces() {
  const { rows } = await market.database.pool.query(
    `select v.vendor_sku, p.vendor_sku as product, type, title, description,
       variant_options as options, filter_variant_options as attributes, cost, retail_price,
       quantity, feed_quantity, media, details
     from variant v join product p on p.id = product_id
       join supplier s on s.id = v.supplier_id where s.name = $1 order by v.vendor_sku`,
    [supplier],
  )
  return rows.map(({ media, ...row }) => ({
    ...row,
    media: media.map(({ url }: { url: string }) => url),
  }))
}

const costs = async () =>
  Object.fromEntries((await pieces()).map(({ vendor_sku, cost }) => [vendor_sku, cost]))

describe('the price of jewelry', () => {
  it('is asked for where two columns are called a price and differ', async () => {
    const rows = (a: string, b: string) => `SKU,Title,Type,${a},${b}\nA,Ring,Ring,500,1000\n`
    const differ = /columns "Cost" and "Price" are both called a price, and differ in row 2/
    await expect(run(rows('Cost', 'Price'))).rejects.toThrow(differ)
    await run(rows('Cost', 'Price'), { mapping: { Cost: 'ignore' } })
    expect(await costs()).toEqual({ A: '1000.00' })
    await expect(run(rows('Price (USD)', 'Price (EUR)'))).resolves.toMatchObject({ changed: 1 })
  })

  it('is rejected where its point may group thousands', async () => {
    const report = await run('SKU,Title,Type,Price\nA,Ring,Ring,1.250\nB,Ring,Ring,990\n')
    expect(report.rejections).toMatchObject([
      { value: '1.250', reason: 'The point of the price may group thousands' },
    ])
  })

  it('has no retail price beside it where that is zero', async () => {
    await run('SKU,Title,Type,Price,MSRP\nA,Ring,Ring,500,0.00\nB,Ring,Ring,500,$0\n')
    expect((await pieces()).map(({ retail_price }) => retail_price)).toEqual(['1000.00', '1000.00'])
  })

  it('is that of a sale only where no time is said for it', async () => {
    const file = `<rss><channel><item><g:id>A</g:id><title>Ring</title>
      <g:product_type>Rings</g:product_type><g:price>500 USD</g:price>
      <g:sale_price>300 USD</g:sale_price>
      <g:sale_price_effective_date>2020-01-01T00:00/2020-02-01T00:00</g:sale_price_effective_date>
      </item><item><g:id>B</g:id><title>Ring</title><g:price>500 USD</g:price>
      <g:google_product_category>Apparel &gt; Jewelry &gt; Rings</g:google_product_category></item>
      <item><g:id>C</g:id><title>Ring</title><g:price>500 USD</g:price>
      <g:google_product_category>200</g:google_product_category></item></channel></rss>`
    expect(await run(file)).toMatchObject({
      added: 2,
      rejections: [{ value: '200', reason: 'The jewelry type is a number' }],
    })
    expect(await costs()).toEqual({ A: '500.00', B: '500.00' })
  })

  it('is the wholesale price where the file has another price beside it', async () => {
    const file = 'SKU,Title,Type,Price,Wholesale Price\nA,Ring,Ring,2000,900\nB,Ring,Ring,3000,\n'
    const report = await run(file)
    expect(report).toMatchObject({ added: 1, rejected: 1, unmapped: ['Price'] })
    expect(report.rejections).toMatchObject([{ row: 3, reason: 'The price is missing' }])
    expect(await costs()).toEqual({ A: '900.00' })
  })
})

describe('the place of jewelry', () => {
  it('that nobody knows is noted, and is not the country of the supplier', async () => {
    await run('SKU,Title,Type,Price\nA,Ring,Ring,400\n')
    await market.database.pool.query(`update supplier set country_code = 'IND' where name = $1`, [
      supplier,
    ])
    const rows = ['A,Ring,Ring,400,Antwerp', 'B,Ring,Ring,400,Vault 7', 'C,Ring,Ring,400,']
    const { notes } = await run(`SKU,Title,Type,Price,Location\n${rows.join('\n')}\n`)
    expect(notes).toContain('"Vault 7" is a place that we do not know, and is left out (one row).')
    const { rows: stored } = await market.database.pool.query(
      `select v.country_code as code from variant v join supplier s on s.id = v.supplier_id
       where s.name = $1 order by v.vendor_sku`,
      [supplier],
    )
    expect(stored.map(({ code }) => code)).toEqual(['BEL', null, 'IND'])
  })
})

describe('the delivery of jewelry', () => {
  it('is in days, also where the file says weeks or hours, and never a date', async () => {
    const days = ['2 weeks', '48 hours', '3-5 days', 'Nov 25, 2026']
    const rows = days.map((text, at) => `P-${at},Ring,Ring,400,"${text}"\n`)
    await run(`SKU,Title,Type,Price,Lead Time\n${rows.join('')}`)
    const { rows: stored } = await market.database.pool.query(
      `select v.delivery_days_max as days from variant v join supplier s on s.id = v.supplier_id
       where s.name = $1 order by v.vendor_sku`,
      [supplier],
    )
    expect(stored.slice(0, 3)).toEqual([{ days: 14 }, { days: 2 }, { days: 5 }])
    expect(stored[3].days).toBeLessThan(100)
  })
})

describe('the currency of jewelry', () => {
  it('is that of the sign in the cell', async () => {
    const report = await run(
      'SKU,Title,Type,Price,MSRP\nA,Ring,Ring,€ 980,\nB,Ring,Ring,"£2,300",£5000\n' +
        'C,Ring,Ring,"Rs. 84,000",\nD,Ring,Ring,$400,\nE,Ring,Ring,500 EUR,1200\n',
    )
    expect(report).toMatchObject({ added: 5, rejected: 0 })
    expect(await costs()).toEqual({
      A: '1225.00',
      B: '4600.00',
      C: '1050.00',
      D: '400.00',
      E: '625.00',
    })
    const [, second, , , last] = await pieces()
    expect(second.retail_price).toBe('10000.00')
    // A retail price without a sign is in the currency of the price beside it.
    expect(last.retail_price).toBe('1500.00')
  })

  it.each(['Price (EUR)', 'Price EUR', 'Cost EUR', 'Net price €'])(
    'is that of %s',
    async (name) => {
      const report = await run(`SKU,Title,Type,${name}\nA,Ring,Ring,400\n`)
      expect(report.mapping[name]).toBe('price')
      expect(await costs()).toEqual({ A: '500.00' })
    },
  )

  it('is that of an attribute of XML', async () => {
    const item = (sku: string) =>
      `<item><sku>${sku}</sku><title>Ring</title><type>Ring</type>` +
      '<price currency="EUR">400</price></item>'
    await run(`<?xml version="1.0"?><feed>${['A', 'B', 'C'].map(item).join('')}</feed>`)
    expect(await costs()).toEqual({ A: '500.00', B: '500.00', C: '500.00' })
  })

  it.each([{ currency: 'EUR' }, { meta: { currency_code: 'EUR' } }])(
    'is that of the envelope of JSON, unless a piece has its own',
    async (envelope) => {
      const piece = { title: 'Ring', type: 'Ring', price: 400 }
      const products = [
        { sku: 'A', ...piece },
        { sku: 'B', ...piece, currency: 'GBP' },
        { sku: 'C', ...piece, price: { amount: 400, currency: 'GBP' } },
      ]
      await run(JSON.stringify({ ...envelope, products }))
      expect(await costs()).toEqual({ A: '500.00', B: '800.00', C: '800.00' })
    },
  )

  it('is asked for when a title names another one, and the answer counts', async () => {
    const file = 'All prices in EUR\nSKU,Title,Type,Price\nA,Ring,Ring,400\n'
    await expect(run(file)).rejects.toMatchObject({
      code: 'import_unsure',
      message: expect.stringContaining('--currency EUR'),
    })
    await run(file, { currency: 'EUR' })
    expect(await costs()).toEqual({ A: '500.00' })
  })

  it('rejects a row whose sign contradicts its column', async () => {
    const report = await run('SKU,Title,Type,Price,Currency\nA,Ring,Ring,€ 980,GBP\n')
    expect(report.rejections).toMatchObject([
      { column: 'Currency', value: 'GBP', reason: 'The price is in EUR, the column says GBP' },
    ])
  })
})

describe('a shop that answers with JSON', () => {
  it('names a piece as its product, with the options and pictures of both', async () => {
    const product = {
      id: 7001,
      title: 'Halo ring',
      handle: 'halo-ring',
      body_html: '<p>A halo.</p>',
      vendor: 'Studio',
      product_type: 'Engagement Rings',
      options: [
        { name: 'Metal', position: 1, values: ['14K Gold', '18K Gold'] },
        { name: 'Ring Size', position: 2, values: ['6', '7'] },
      ],
      images: [{ id: 1, src: 'https://img.example/1.jpg' }, { src: 'https://img.example/2.jpg' }],
      variants: [
        {
          id: 1,
          title: '14K Gold / 6',
          option1: '14K Gold',
          option2: '6',
          sku: 'H-1',
          price: '900.00',
          available: true,
        },
        {
          ...{ id: 2, title: '18K Gold / 7', option1: '18K Gold', option2: '7', sku: 'H-2' },
          ...{ price: '990.00', available: false },
          featured_image: { src: 'https://img.example/9.jpg' },
        },
      ],
    }
    const report = await run(JSON.stringify({ products: [product] }))
    expect(report).toMatchObject({ added: 2, rejected: 0 })
    const images = ['https://img.example/1.jpg', 'https://img.example/2.jpg']
    expect(await pieces()).toMatchObject([
      {
        ...{ vendor_sku: 'H-1', product: 'halo-ring', title: 'Halo ring', description: 'A halo.' },
        options: { Metal: '14K Gold', 'Ring Size': '6' },
        attributes: { jewelry_type: 'ring', ring_sub_type: 'engagement', size: '6' },
        media: images,
        quantity: 1,
      },
      {
        ...{ vendor_sku: 'H-2', product: 'halo-ring', title: 'Halo ring', quantity: 0 },
        options: { Metal: '18K Gold', 'Ring Size': '7' },
        media: ['https://img.example/9.jpg', ...images],
      },
    ])
  })
})

describe('an update with fewer columns', () => {
  const FULL =
    'SKU,Parent SKU,Title,Description,Type,Price,MSRP,Metal,Ring Size,Stone,Image,Video,Quantity,' +
    'Brands\nA,P,Halo ring,With a halo,Engagement Ring,1000,2500,14K White Gold,6,Diamond,' +
    'https://i.example/a.jpg,https://i.example/a.mp4,2,Studio\n'

  async function sell(quantity: number): Promise<void> {
    await inTransaction(market.database.db, async (tx) => {
      const { rows } = await market.database.pool.query(
        `select sku from variant v join supplier s on s.id = v.supplier_id
         where s.name = $1 and vendor_sku = 'A'`,
        [supplier],
      )
      await allocateVariants(tx, [{ sku: rows[0].sku, quantity }])
    })
  }

  it('leaves what none of its columns tells, and changes the rest', async () => {
    await run(FULL)
    const [before] = await pieces()
    const report = await run('SKU,Title,Type,Price\nA,Halo ring,Ring,1100\n')
    expect(report).toMatchObject({ changed: 1, rejected: 0 })
    const [after] = await pieces()
    expect(after).toEqual({ ...before, cost: '1100.00' })
    expect(after.attributes.ring_sub_type).toBe('engagement')
  })

  it('does not put back what was sold', async () => {
    await run(FULL)
    await sell(2)
    const prices = 'SKU,Title,Type,Price\nA,Halo ring,Ring,1100\n'
    await run(prices)
    expect(await pieces()).toMatchObject([{ quantity: 0 }])
    await run('SKU,Title,Type,Price,Availability\nA,Halo ring,Ring,1150,In stock\n')
    expect(await pieces()).toMatchObject([{ quantity: 0, feed_quantity: 2 }])
    expect(await run(prices.replace('1100', '1150'))).toMatchObject({ changed: 0, unchanged: 1 })
  })

  it('empties what an empty cell of one of its columns says', async () => {
    await run(FULL)
    await run('SKU,Title,Type,Price,Stone,MSRP\nA,Halo ring,Ring,1000,,\n')
    const [after] = await pieces()
    expect(after.attributes).not.toHaveProperty('stone')
    expect(after.attributes).toMatchObject({ metal: '14k white gold', size: '6' })
    expect(after.retail_price).toBe('2000.00')
  })

  it('computes a retail price again that it computed before', async () => {
    await run(FULL.replace('2500', ''))
    await run('SKU,Title,Type,Price\nA,Halo ring,Ring,1100\n')
    expect(await pieces()).toMatchObject([{ retail_price: '2200.00' }])
  })

  it('keeps nothing of another type of jewelry, nor when it replaces the stock', async () => {
    await run(FULL)
    await run('SKU,Title,Type,Price\nA,Hoops,Earrings,1000\n')
    expect(await pieces()).toMatchObject([{ media: [], options: {} }])
    await run(FULL)
    await run('SKU,Title,Type,Price\nA,Halo ring,Ring,1000\n', { mode: 'replace' })
    expect(await pieces()).toMatchObject([{ media: [], description: '', feed_quantity: 1 }])
  })
})

describe('a piece that is not on offer', () => {
  const on = 'SKU,Title,Type,Price,Availability\nA,Ring,Ring,100,In stock\n'

  it.each(['Reserved', 'Hold', 'On Hold', 'Verkauft', 'Discontinued', 'Sold 12/3', 'Ask Maria'])(
    'leaves the market when its availability is %s',
    async (word) => {
      await run(on)
      const report = await run(on.replace('In stock', word))
      expect(report).toMatchObject({ changed: 1, rejected: 0 })
      expect(await pieces()).toMatchObject([{ quantity: 0 }])
    },
  )

  it('is noted when the word for it is not known, and rejected when it is new', async () => {
    const file = on.replace('In stock', 'Ask Maria')
    expect((await run(file)).rejections).toMatchObject([
      { reason: expect.stringContaining('not known') },
    ])
    await run(on)
    expect((await run(file)).notes.join()).toContain('"Ask Maria" is an availability')
  })

  it.each(['Sold', 'Is Sold Out', 'Hold', 'Reserved'])(
    'is one with a yes in %s',
    async (column) => {
      const file = `SKU,Title,Type,Price,${column}\nA,Ring,Ring,100,Yes\nB,Ring,Ring,100,No\n`
      expect((await run(file)).mapping[column]).toBe('sold')
      expect((await pieces()).map(({ quantity }) => quantity)).toEqual([0, 1])
    },
  )

  it('is told by any of several columns, and by the words of a shop', async () => {
    await run(
      'SKU,Title,Type,Price,Status,Availability\nA,Ring,Ring,500,publish,Out of stock\n' +
        'B,Ring,Ring,500,publish,In stock\nC,Ring,Ring,500,draft,In stock\n',
    )
    const quantities = async () => (await pieces()).map(({ quantity }) => quantity)
    expect(await quantities()).toEqual([0, 1, 0])
    await run('SKU,Title,Type,Price,In stock\nA,Ring,Ring,500,12\nB,Ring,Ring,500,0\n')
    expect(await quantities()).toEqual([12, 0, 0])
  })

  it('is one in a sheet called Sold', async () => {
    const rows = (...skus: string[]) => [
      ['SKU', 'Title', 'Type', 'Price'],
      ...skus.map((sku) => [sku, 'Ring', 'Ring', 100]),
    ]
    const file = workbook([
      { name: 'Stock', rows: rows('A', 'B') },
      { name: 'Sold', rows: rows('C') },
    ])
    expect(await run(file)).toMatchObject({ rejected: 0 })
    expect((await pieces()).map(({ quantity }) => quantity)).toEqual([1, 1, 0])
  })
})

describe('what other programs write', () => {
  it('reads whole numbers with a decimal point or an exponent as they are meant', async () => {
    const number = (text: string) => ({ number: text })
    const file = workbook([
      {
        name: 'Stock',
        rows: [
          ['Stock Number', 'Title', 'Type', 'Ring Size', 'Price'],
          [number('4502.0'), 'Ring', 'Ring', number('7.0'), number('100.0')],
          [number('1.002003E8'), 'Ring', 'Ring', number('6.5'), number('1.5E2')],
        ],
      },
    ])
    await run(file)
    expect(await pieces()).toMatchObject([
      { vendor_sku: '100200300', attributes: { size: '6.5' }, cost: '150.00' },
      { vendor_sku: '4502', attributes: { size: '7' }, cost: '100.00' },
    ])
  })

  it('takes the type of a piece from its category where Type is that of the stone', async () => {
    const file = workbook([
      {
        name: 'Stock',
        rows: [
          [null, null, null, 'Stone', null, null],
          ['SKU', 'Title', 'Category', 'Type', 'Price', 'Quantity'],
          ['A', 'Halo', 'Jewelry > Rings > Engagement Rings', 'Diamond', 100, 1],
        ],
      },
    ])
    expect(await run(file)).toMatchObject({ added: 1 })
    expect((await pieces())[0].attributes).toMatchObject({
      jewelry_type: 'ring',
      ring_sub_type: 'engagement',
    })
  })

  it.each([
    ['Style No', 'Price USD'],
    ['Style #', 'Cost USD'],
    ['Item No.', 'Price'],
    ['Reference', 'Price ($)'],
    ['g:id', 'g:price'],
    ['id', 'price'],
  ])('reads the headings %s and %s', async (number, price) => {
    const report = await run(`${number},Title,Type,${price}\nA,Ring,Ring,100\n`)
    expect(report.mapping).toMatchObject({ [number]: 'vendor_sku', [price]: 'price' })
    expect(await costs()).toEqual({ A: '100.00' })
  })

  it('reads the stones of a piece from columns for its center and its sides', async () => {
    await run(
      'SKU,Style,Title,Type,Metal,Metal Color,Center Stone,Center Stone Shape,Center Carat Weight,' +
        'Side Stones,Total Carat Weight,Diamond Origin,Price,UPC\n' +
        "A,R-100,Ring,Ring,14K,White,Diamond,Oval,1.02,Sapphire,1.37 ctw,Lab Grown,900,'00123\n" +
        'B,R-100,Ring,Ring,18K,Rose,Diamond,Round,1.02,12 pcs,1.37 ctw,Natural,900,\n',
    )
    expect(await pieces()).toMatchObject([
      {
        product: 'R-100',
        attributes: {
          metal: '14k white gold',
          stone: ['lab grown diamond', 'sapphire'],
          stone_shape: 'oval',
        },
        details: { 'Center Carat Weight': '1.02', 'Total Carat Weight': '1.37 ctw' },
      },
      { product: 'R-100', attributes: { metal: '18k rose gold', stone: 'diamond' } },
    ])
    const [{ attributes }] = await pieces()
    expect(attributes).not.toHaveProperty('style')
  })

  it('groups pieces by the number of their style where they have one of their own', async () => {
    await run('Style No,SKU,Title,Type,Price\nS,A,Ring,Ring,100\nS,B,Ring,Ring,110\n')
    expect(await pieces()).toMatchObject([
      { vendor_sku: 'A', product: 'S' },
      { vendor_sku: 'B', product: 'S' },
    ])
  })

  it('reads the nodes of GraphQL, and lists of names and values', async () => {
    const list = (nodes: object[]) => ({ edges: nodes.map((node) => ({ node })) })
    const variant = (sku: string, metal: string, price: string) => ({
      sku,
      price,
      selectedOptions: [
        { name: 'Metal', value: metal },
        { name: 'Size', value: '6' },
      ],
    })
    const product = {
      handle: 'halo',
      title: 'Halo ring',
      productType: 'Ring',
      images: list([{ url: 'https://i.example/1.jpg' }, { url: 'https://i.example/2.jpg' }]),
      variants: list([variant('A', '18K Rose', '900.00'), variant('B', 'Platinum', '990.00')]),
    }
    await run(JSON.stringify({ data: { products: list([product]) } }))
    const images = ['https://i.example/1.jpg', 'https://i.example/2.jpg']
    expect(await pieces()).toMatchObject([
      { product: 'halo', attributes: { metal: '18k rose gold', size: '6' }, media: images },
      { product: 'halo', attributes: { metal: 'platinum' }, cost: '990.00', media: images },
    ])
  })

  it('reads the answer of a shop, in which the regular price has a column of its own', async () => {
    const ring = {
      name: 'Solitaire',
      type: 'simple',
      status: 'publish',
      sku: 'A',
      price: '900',
      regular_price: '1000',
      sale_price: '900',
      date_on_sale_from: '2020-01-01',
      date_on_sale_to: '2020-02-01',
      stock_quantity: null,
      stock_status: 'outofstock',
      categories: [{ id: 1, name: 'Rings' }],
      attributes: [{ id: 1, name: 'Metal', options: ['Platinum'] }],
    }
    await run(JSON.stringify([ring]))
    expect(await pieces()).toMatchObject([
      { attributes: { jewelry_type: 'ring', metal: 'platinum' }, cost: '1000.00', quantity: 0 },
    ])
  })

  it('reads all columns of pictures, and names inside of JSON objects', async () => {
    await run(
      'SKU,Title,Type,Price,Image 1,Image 2\nA,Ring,Ring,100,https://i.example/1.jpg,' +
        'https://i.example/2.jpg\n',
    )
    const item = (sku: string) =>
      `<item><sku>${sku}</sku><title>Ring</title><type>Ring</type><price>100</price><images>` +
      '<image>https://i.example/1.jpg</image><image>https://i.example/2.jpg</image></images></item>'
    await run(`<feed>${item('B')}${item('C')}</feed>`)
    const json = { sku: 'D', title: 'Ring', category: { name: 'Rings' }, price: { amount: 100 } }
    await run(
      JSON.stringify([{ ...json, images: ['https://i.example/1.jpg', 'https://i.example/2.jpg'] }]),
    )
    const both = ['https://i.example/1.jpg', 'https://i.example/2.jpg']
    expect((await pieces()).map(({ media }) => media)).toEqual([both, both, both, both])
  })
})

describe('prices that jump', () => {
  const priced = (price: number) =>
    `SKU,Title,Type,Price\n${['A', 'B', 'C', 'D'].map((sku) => `${sku},Ring,Ring,${price}\n`).join('')}`

  it('refuse the file, unless they are allowed, and nothing changes', async () => {
    await run(priced(1100))
    await expect(run(priced(11))).rejects.toMatchObject({
      code: 'too_many_jumps',
      message: expect.stringContaining('4 of 4 known variants'),
    })
    expect(await costs()).toMatchObject({ A: '1100.00' })
    expect(await run(priced(11), { maxJumpsShare: 1 })).toMatchObject({ changed: 4 })
  })
})
