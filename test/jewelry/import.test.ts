import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import { setSupplier } from '../../src/gems/supplier-store.ts'
import { allocateVariants } from '../../src/jewelry/variant-stock.ts'
import { insertRate } from '../../src/pricing/exchange-rates.ts'
import { openTestMarket, type TestMarket, type TestMerchant } from '../support/market.ts'

let market: TestMarket
let german: TestMerchant
let supplier = ''
let suppliers = 0

beforeAll(async () => {
  market = await openTestMarket()
  german = await market.merchant({ country_code: 'DE' })
  await inTransaction(market.database.db, (tx) => insertRate(tx, 'EUR', '0.8'))
})
afterAll(() => market.close())
beforeEach(() => {
  suppliers++
  supplier = `Vendor ${suppliers}`
})

const HEADER =
  'Stock Number,Parent Stock Number,Jewelry Type,Jewelry Title,Jewelry Description,Jewelry Location,' +
  'Jewelry Currency,Jewelry Total Price,Jewelry MSRP,Media File Name,Availability,Jewelry Condition,' +
  'Stone Type,Jewelry Material,Material Karat,Ring Size,Quantity,Jewelry Designer,Shelf'

function row(stock: string, fields: Partial<Record<string, string>> = {}): string {
  const all: Record<string, string> = {
    stock,
    parent: 'P1',
    type: 'Engagement Rings',
    title: 'Halo ring',
    description: '"A ring, with a halo"',
    location: 'Antwerp',
    currency: 'USD',
    price: '1000',
    msrp: '2500',
    media: 'https://media.example/1.jpg',
    availability: 'In stock',
    condition: 'New',
    stone: '"Diamond, Sapphire"',
    material: 'Yellow Gold',
    karat: '18K',
    size: '6.5',
    quantity: '3',
    designer: 'Studio',
    shelf: 'B7',
    ...fields,
  }
  return Object.values(all).join(',')
}

const csv = (...rows: string[]) => [HEADER, ...rows].join('\n')

async function upload(file: string | Buffer, query: Record<string, string> = {}) {
  const search = new URLSearchParams({ supplier, ...query })
  const response = await market.app.inject({
    method: 'POST',
    url: `/api/operator/jewelry/imports?${search.toString()}`,
    headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': 'text/csv' },
    payload: file,
  })
  return { status: response.statusCode, body: response.json() }
}

/** Returns the supplier's variants by stock number, as the operator sees them. */
async function variants(): Promise<
  Map<string, { id: string; sku: string; quantity: number } & Record<string, never>>
> {
  const { rows } = await market.database.pool.query(
    `select variant.id, variant.vendor_sku from variant join supplier on supplier.id = supplier_id
     where name = $1`,
    [supplier],
  )
  if (rows.length === 0) return new Map()
  const response = await market.call('POST', '/api/v3/product_variants/jewelry/query', {
    token: market.adminKey,
    body: { id: rows.map(({ id }) => id), limit: 500, include: ['details'] },
  })
  const byId = new Map(response.body.variants.map((each: { id: string }) => [each.id, each]))
  return new Map(rows.map(({ id, vendor_sku }) => [vendor_sku, byId.get(id)])) as never
}

async function productsSeen(): Promise<{ title: string; variants: unknown[] }[]> {
  const response = await market.call('POST', '/api/v3/products/query', {
    token: german.key,
    body: { limit: 500, order: 'asc', order_by: 'title', include: ['details'] },
  })
  return response.body.products.filter(
    (each: { vendor: { name: string } }) => each.vendor.name === supplier,
  )
}

async function undo(uuid: string) {
  return market.call('POST', `/api/operator/jewelry/imports/${uuid}/undo`, {
    token: market.adminKey,
  })
}

describe('reading', () => {
  it('reads the RapNet jewelry columns and groups variants by their parent', async () => {
    const { status, body } = await upload(
      csv(
        row('A1'),
        row('A2', { size: '7' }),
        row('B1', { parent: '', title: 'Band', type: 'Wedding Bands', stone: '', media: 'b.jpg' }),
      ),
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({ rows: 3, added: 3, changed: 0, rejected: 0, catalogue: 'General' })
    expect(body.mapping['Jewelry Total Price']).toBe('price')
    expect(body.unmapped).toEqual(['Shelf'])
    const found = await productsSeen()
    expect(found.map(({ title, variants: own }) => [title, own.length])).toEqual([
      ['Band', 1],
      ['Halo ring', 2],
    ])
    const all = await variants()
    expect(all.get('A1')).toMatchObject({
      wholesale_price: 1000,
      retail_price: 2500,
      quantity: 3,
      variant_options: { metal: '18k yellow gold', size: '6.5' },
      filter_variant_options: {
        jewelry_type: 'ring',
        ring_sub_type: 'engagement',
        metal: '18k yellow gold',
        stone: ['diamond', 'sapphire'],
        condition: 'new',
      },
      media: [{ kind: 'image', url: 'https://media.example/1.jpg' }],
    })
    expect(all.get('B1')).toMatchObject({
      filter_variant_options: { ring_sub_type: 'wedding band' },
      media: [],
    })
    const kept = await market.database.pool.query(
      "select details, country_code from variant where vendor_sku = 'A1' and id = $1",
      [all.get('A1')?.id],
    )
    expect(kept.rows[0]).toEqual({ details: { 'Jewelry Designer': 'Studio' }, country_code: 'BEL' })
  })

  it('reads products with their variants, and watches, from JSON', async () => {
    const file = {
      products: [
        {
          vendor_sku: 'W',
          type: 'Dive watch',
          title: 'Harbour diver',
          description: 'For depths.',
          variants: [
            {
              vendor_sku: 'W-1',
              price: 400,
              dial: 'Blue',
              strap: 'Rubber',
              metal: 'Steel',
              images: ['https://x.example/1.jpg', 'https://x.example/2.mp4'],
            },
            {
              vendor_sku: 'W-2',
              price: 410,
              variant_options: { dial: 'green', strap: 'leather' },
              filter_variant_options: { movement: 'automatic', nonsense: 'x' },
            },
          ],
        },
      ],
    }
    const { body } = await upload(JSON.stringify(file))
    expect(body).toMatchObject({ rows: 2, added: 2, rejected: 0 })
    const [watch] = (await productsSeen()) as {
      variants: Record<string, unknown>[]
      title: string
    }[]
    expect(watch).toMatchObject({ title: 'Harbour diver', type: 'watch' })
    expect(watch.variants[0]).toMatchObject({
      variant_options: { metal: 'steel', dial: 'blue', strap: 'rubber' },
      filter_variant_options: { watch_type: 'dive', dial: 'blue' },
      media: [
        { kind: 'image', url: 'https://x.example/1.jpg' },
        { kind: 'video', url: 'https://x.example/2.mp4' },
      ],
      retail_price: 800,
    })
    expect(watch.variants[1]).toMatchObject({
      variant_options: { dial: 'green', strap: 'leather' },
      filter_variant_options: { watch_type: 'dive', movement: 'automatic' },
    })
    expect(watch.variants[1]).not.toHaveProperty('filter_variant_options.nonsense')
  })

  it.each([
    ['semicolons and CRLF', (file: string) => file.replaceAll(',', ';').replaceAll('\n', '\r\n')],
    [
      'tabs and carriage returns',
      (file: string) => file.replaceAll(',', '\t').replaceAll('\n', '\r'),
    ],
    ['a title above the header', (file: string) => `Stock of today\n\n${file}`],
    ['a byte order mark', (file: string) => `\ufeff${file}`],
    ['gzip', (file: string) => gzipSync(file)],
    ['Latin-1', (file: string) => Buffer.from(file, 'latin1')],
  ])('reads %s', async (_, write) => {
    const plain = { description: 'Plain', stone: 'Diamond', title: 'Café ring' }
    const { body } = await upload(write(csv(row('C1', plain))))
    expect(body).toMatchObject({ rows: 1, added: 1 })
    expect((await productsSeen())[0].title).toBe('Café ring')
  })

  it('converts currencies and applies the markups of both price lists', async () => {
    await upload(csv(row('D0')))
    await setSupplier(market.database.db, supplier, { markup: '10', markup_us: '25' })
    const { body } = await upload(
      csv(row('D1', { currency: 'EUR', price: '"1.000,40"', msrp: '', parent: '' })),
    )
    expect(body.added).toBe(1)
    // 1000.40 EUR are 1250.50 USD.
    const { rows } = await market.database.pool.query(
      'select cost, wholesale_price, wholesale_price_us, retail_price from variant where id = $1',
      [(await variants()).get('D1')?.id],
    )
    expect(rows[0]).toEqual({
      cost: '1250.50',
      wholesale_price: '1375.55',
      wholesale_price_us: '1563.13',
      retail_price: '2751.10',
    })
  })
})

describe('a row that cannot be sold is rejected with a reason, and the others are imported', () => {
  it.each([
    [{ price: 'ask' }, 'Jewelry Total Price', 'ask', 'The price is not a number above zero'],
    [{ price: '0' }, 'Jewelry Total Price', '0', 'The price is not a number above zero'],
    [{ price: '' }, 'Jewelry Total Price', '', 'The price is missing'],
    [{ title: '' }, 'Jewelry Title', '', 'The title is missing'],
    [{ type: '' }, 'Jewelry Type', '', 'The jewelry type is missing'],
    [{ currency: 'XTS' }, 'Jewelry Currency', 'XTS', 'There is no exchange rate for XTS'],
    [{ quantity: '2.5' }, 'Quantity', '2.5', 'The quantity is not a whole number'],
    [{ quantity: 'many' }, 'Quantity', 'many', 'The quantity is not a whole number'],
    [{ availability: 'perhaps' }, 'Availability', 'perhaps', 'The availability is not known'],
    [
      { title: 'x'.repeat(301) },
      'Jewelry Title',
      'x'.repeat(200),
      'The title has more than 300 characters',
    ],
  ])('%j', async (fields, column, value, reason) => {
    const { body } = await upload(csv(row('E1'), row('E2', fields)))
    expect(body).toMatchObject({ rows: 2, added: 1, rejected: 1 })
    expect(body.rejections).toEqual([{ row: 3, column, value, reason }])
  })

  it('uses the first of two rows with the same stock number', async () => {
    const { body } = await upload(csv(row('F1'), row('F1', { price: '1' })))
    expect(body).toMatchObject({ added: 1, rejected: 1 })
    expect(body.rejections[0]).toMatchObject({ row: 3, value: 'F1' })
    expect((await variants()).get('F1')).toMatchObject({ wholesale_price: 1000 })
  })

  it.each([
    ['Out of Stock', '3', 0],
    ['Memo', '', 0],
    ['In stock', '', 1],
    ['', '4', 4],
    ['In stock', '0', 0],
  ])('reads availability %j with quantity %j as %i', async (availability, quantity, expected) => {
    await upload(csv(row('G1', { availability, quantity })))
    expect((await variants()).get('G1')?.quantity).toBe(expected)
  })
})

describe('a file that is not jewelry is refused, and nothing is written', () => {
  it.each([
    ['', 'The file is empty'],
    ['hello\nworld', 'no header row'],
    ['{"a": 1}', 'no list of products'],
    ['[{"a": 1', 'not valid JSON'],
    ['Stock Number,Jewelry Title,Jewelry Type\nA,B,Ring', 'no column for the price'],
  ])('%j', async (file, words) => {
    const { status, body } = await upload(file)
    expect([status, body.code]).toEqual([422, 'invalid_request'])
    expect(body.detail).toContain(words)
    const { rows } = await market.database.pool.query('select from supplier where name = $1', [
      supplier,
    ])
    expect(rows).toHaveLength(0)
  })

  it('refuses an unknown currency, an unknown catalogue and a wrong mode', async () => {
    expect((await upload(csv(row('A')), { currency: 'XTS' })).body.code).toBe('unknown_currency')
    expect((await upload(csv(row('A')), { catalogue: 'Nowhere' })).status).toBe(404)
    expect((await upload(csv(row('A')), { mode: 'merge' })).status).toBe(422)
    expect((await upload(csv(row('A')), { max_removed: '101' })).status).toBe(422)
  })
})

describe('a mapping over HTTP', () => {
  it('is returned by explain, taken as a parameter, and remembered with the supplier', async () => {
    const file = csv(row('X1')).replace('Jewelry Title', 'Bezeichnung')
    const response = await market.app.inject({
      method: 'POST',
      url: `/api/operator/jewelry/imports/explain?supplier=${encodeURIComponent(supplier)}`,
      headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': 'text/csv' },
      payload: file,
    })
    expect(response.json()).toMatchObject({
      'Stock Number': 'vendor_sku',
      Bezeichnung: { field: null, note: expect.stringContaining('"Halo ring"') },
    })
    expect((await upload(file)).body.detail).toContain('--explain')
    const mapping = JSON.stringify({ Bezeichnung: 'title', condition: { value: 'used' } })
    expect((await upload(file, { mapping })).body).toMatchObject({ added: 1, notes: [] })
    expect((await upload(file)).body).toMatchObject({ unchanged: 1 })
    expect((await upload(file, { mapping: '{' })).body.errors).toMatchObject([{ field: 'mapping' }])
    await upload('hello\nworld')
    const { body } = await market.call('GET', '/api/operator/jewelry/imports?limit=1', {
      token: market.adminKey,
    })
    expect(body.imports[0]).toMatchObject({
      rows: 0,
      failure: expect.stringContaining('no header row'),
    })
  })
})

describe('importing again', () => {
  it('finds the same file unchanged, even after a sale', async () => {
    const file = csv(row('H1'), row('H2', { parent: '', media: '', stone: '' }))
    await upload(file)
    const sku = (await variants()).get('H1')?.sku ?? ''
    await inTransaction(market.database.db, (tx) => allocateVariants(tx, [{ sku, quantity: 2 }]))
    expect((await upload(file)).body).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
    expect((await variants()).get('H1')?.quantity).toBe(1)
    const news = csv(row('H1', { quantity: '9' }))
    expect((await upload(news)).body).toMatchObject({ changed: 1, unchanged: 0 })
    expect((await variants()).get('H1')?.quantity).toBe(9)
  })

  it('changes what changed, keeps ids and SKUs, and removes nothing in update mode', async () => {
    await upload(csv(row('I1'), row('I2', { size: '7' })))
    const before = await variants()
    const { body } = await upload(csv(row('I1', { price: '1100', title: 'Halo ring II' })))
    expect(body).toMatchObject({ added: 0, changed: 1, unchanged: 0, removed: 0 })
    const after = await variants()
    expect(after.get('I1')).toMatchObject({
      id: before.get('I1')?.id,
      sku: before.get('I1')?.sku,
      wholesale_price: 1100,
    })
    expect(after.get('I2')).toMatchObject({ quantity: 3 })
    expect((await productsSeen())[0].title).toBe('Halo ring II')
  })

  it('removes what a replacing file no longer lists, up to the allowed share', async () => {
    const rows = ['J1', 'J2', 'J3', 'J4', 'J5'].map((stock) => row(stock))
    await upload(csv(...rows))
    const few = await upload(csv(rows[0], rows[1]), { mode: 'replace' })
    expect([few.status, few.body.code]).toEqual([409, 'too_many_removed'])
    expect(few.body).toMatchObject({ removed: 3, live: 5, max_removed_percent: 40 })
    expect((await variants()).get('J5')?.quantity).toBe(3)
    const most = await upload(csv(...rows.slice(0, 3)), { mode: 'replace' })
    expect(most.body).toMatchObject({ unchanged: 3, removed: 2 })
    expect((await variants()).get('J5')?.quantity).toBe(0)
    const again = await upload(csv(...rows.slice(0, 3)), { mode: 'replace' })
    expect(again.body.removed).toBe(0)
    const back = await upload(csv(...rows), { mode: 'replace', max_removed: '0' })
    expect(back.body).toMatchObject({ changed: 2, unchanged: 3 })
    expect((await variants()).get('J5')?.quantity).toBe(3)
  })

  it('changes nothing in a dry run and reports what it would do', async () => {
    const dry = await upload(csv(row('K1')), { dry_run: 'true' })
    expect(dry.body).toMatchObject({ added: 1, dry_run: true })
    expect((await variants()).size).toBe(0)
    const { rows } = await market.database.pool.query('select from supplier where name = $1', [
      supplier,
    ])
    expect(rows).toHaveLength(0)
    const list = await market.call('GET', '/api/operator/jewelry/imports', {
      token: market.adminKey,
    })
    expect(list.body.imports.map((each: { uuid: string }) => each.uuid)).not.toContain(
      dry.body.uuid,
    )
  })
})

describe('the catalogue that imports fill when none is named', () => {
  it('is made once when the first imports of two suppliers come at the same time', async () => {
    const { pool } = market.database
    await pool.query(`update catalogue set name = 'Earlier' where name = 'General'`)
    const other = await pool.connect()
    await other.query(`begin; insert into catalogue (uuid, name, published, public)
      values (gen_random_uuid(), 'General', true, true)`)
    const importing = upload(csv(row('R1')))
    await expect.poll(countWaiting).toBe(1)
    await other.query('commit')
    other.release()
    expect(await importing).toMatchObject({ status: 200, body: { added: 1, catalogue: 'General' } })
  })
})

async function countWaiting(): Promise<number> {
  const { rows } = await market.database.pool.query(`select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return Number(rows[0].count)
}

describe('undoing the latest import', () => {
  it('restores changed, removed and added variants', async () => {
    await upload(csv(row('L1'), row('L2'), row('L3')))
    const before = await variants()
    const { body } = await upload(
      csv(
        row('L1', { price: '1', title: 'Other' }),
        row('L2'),
        row('L4', { parent: '', title: 'New' }),
      ),
      { mode: 'replace' },
    )
    expect(body).toMatchObject({ added: 1, changed: 2, removed: 1 })
    const undone = await undo(body.uuid)
    expect(undone.status).toBe(200)
    expect(undone.body.undone_on).not.toBeNull()
    const after = await variants()
    for (const stock of ['L1', 'L2', 'L3']) {
      expect(after.get(stock)).toEqual({ ...before.get(stock), updated_on: expect.any(String) })
    }
    expect(after.get('L4')?.quantity).toBe(0)
    expect((await productsSeen()).map(({ title }) => title)).toEqual(['Halo ring'])
  })

  it('keeps what was sold since as sold', async () => {
    await upload(csv(row('M1', { quantity: '5' })))
    const { body } = await upload(csv(row('M1', { quantity: '8' })))
    const sku = (await variants()).get('M1')?.sku ?? ''
    await inTransaction(market.database.db, (tx) => allocateVariants(tx, [{ sku, quantity: 2 }]))
    await undo(body.uuid)
    expect((await variants()).get('M1')?.quantity).toBe(3)
  })

  it('undoes one import after the other and refuses any other order', async () => {
    const first = await upload(csv(row('N1')))
    const second = await upload(csv(row('N1', { price: '1200' })))
    const early = await undo(first.body.uuid)
    expect([early.status, early.body.code]).toEqual([409, 'nothing_to_undo'])
    expect(early.body.detail).toContain(second.body.uuid)
    expect((await undo(second.body.uuid)).status).toBe(200)
    expect((await undo(second.body.uuid)).body.code).toBe('nothing_to_undo')
    expect((await variants()).get('N1')).toMatchObject({ wholesale_price: 1000 })
    expect((await undo(first.body.uuid)).status).toBe(200)
    expect(await productsSeen()).toEqual([])
    expect((await undo('0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90')).status).toBe(404)
    expect((await upload(csv(row('N1')))).body).toMatchObject({ changed: 1 })
    expect(await productsSeen()).toHaveLength(1)
  })

  it('is recorded in the history with its report', async () => {
    const { body } = await upload(csv(row('O1'), row('O2', { price: 'x' })), { file_name: 'o.csv' })
    const path = `/api/operator/jewelry/imports/${body.uuid}`
    const record = await market.call('GET', path, { token: market.adminKey })
    const { dry_run: _, ...report } = body
    expect(record.body).toMatchObject({ ...report, file_name: 'o.csv', undone_on: null })
  })
})

it('runs one import of a supplier at a time', async () => {
  await upload(csv(row('Q1')))
  const { rows } = await market.database.pool.query('select id from supplier where name = $1', [
    supplier,
  ])
  const other = await market.database.pool.connect()
  try {
    await other.query('select pg_advisory_lock($1, $2)', [0x6a657765, rows[0].id])
    expect((await upload(csv(row('Q1')))).body.code).toBe('import_running')
  } finally {
    await other.query('select pg_advisory_unlock_all()')
    other.release()
  }
})
