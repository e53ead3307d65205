import type { Database } from '../../src/database/open.ts'
import type { App } from '../../src/http/route.ts'
import { CLARITIES, COLORS } from '../../src/reference/attributes.ts'

type Call = () => Promise<number>

const TEMPLATES = 500
const LINES = 200

/** The calls whose cost is measured, by name. Each returns its status. */
export async function callsOn(
  app: App,
  database: Database,
  key: string,
): Promise<Record<string, Call>> {
  const send = (method: 'GET' | 'POST', url: string, body?: unknown): Call => {
    const headers = { authorization: `Bearer ${key}` }
    const payload = body as object | undefined
    return async () => (await app.inject({ method, url, headers, payload })).statusCode
  }
  const search = (body: object) => send('POST', '/api/v3/diamonds/merchant_search', body)
  const types = ['mined', 'lab grown']
  const curate = (body: object) =>
    send('POST', '/api/v3/diamonds/get_diamonds_by_merchant_templates', { types, ...body })
  const place = (skus: string[], dry_run: boolean) =>
    send('POST', '/api/v3/orders/place', {
      external_order_id: 'bench',
      order_type: 'invoice',
      dry_run,
      line_items: skus.map((sku) => ({ sku, quantity: 1 })),
    })
  await addTemplates(database, key, app)
  const free = await skusOf(database, LINES, `state = 'available' and not is_fancy`)
  const sold = await sellSome(database)
  const huge = { line_items: Array.from({ length: 20_000 }, () => ({ sku: 5, wrong: true })) }
  return {
    'search, a page of 50': search({ limit: 50 }),
    'search, a page of 1000': search({ limit: 1000 }),
    'search, a page of 1000, far down': search({ limit: 1000, offset: 100_000 }),
    'search with facets': search({ limit: 50, include: ['facets'] }),
    'search without a result, with relaxations': search({
      filters: { shape: ['heart'], color: ['D'], clarity: ['FL'], weight_min: 9.9 },
      include: ['relaxations'],
    }),
    'curated, 500 templates': curate({ shape: 'round', weight: 1 }),
    'curated, 500 templates, pairs': curate({ shape: 'round', weight: 1, count_per_grade: 2 }),
    'curated, 500 templates, rare, pairs': curate({
      shape: 'heart',
      weight: 4.9,
      count_per_grade: 2,
      explain: true,
    }),
    'curated, 500 templates, 0.30 ct pairs': curate({
      shape: 'round',
      weight: 0.3,
      count_per_grade: 2,
    }),
    'order, 1 line, dry run': place(free.slice(0, 1), true),
    'order, 200 lines, dry run': place(free, true),
    'order, 200 refused lines': place(sold, true),
    'order, 20,000 wrong lines': send('POST', '/api/v3/orders/place', huge),
    'order list, 500': send('GET', '/api/v3/orders/list?limit=500'),
    'product query, 500': send('POST', '/api/v3/products/query', { limit: 500 }),
    'variant query, 500': send('POST', '/api/v3/product_variants/jewelry/query', { limit: 500 }),
    'parcel filters': send('GET', '/api/v3/diamonds/get_parcel_filters'),
    'gemstone search, a page of 1000': send('POST', '/api/v3/gemstones/search', { limit: 1000 }),
    'changes, 1000': send('GET', '/api/v3/inventory/changes?after=0&limit=1000'),
    'margin preview': send('POST', '/api/v3/profit_margins/preview', {
      product_type: 'diamond',
      mode: 'weight',
      tiers: [{ min: 0, max: 5, mined_percent: 10, lab_percent: 20 }],
    }),
    snapshot: () => takeSnapshot(app, key),
  }
}

/** A snapshot is longer than the longest string, so its bytes are read and dropped. */
async function takeSnapshot(app: App, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  const url = '/api/v3/inventory/snapshot'
  const response = await app.inject({ method: 'GET', url, headers, payloadAsStream: true })
  for await (const _ of response.stream());
  return response.statusCode
}

async function skusOf({ pool }: Database, limit: number, where: string): Promise<string[]> {
  const { rows } = await pool.query(
    `select sku from gem where product_type = 'diamond' and ${where} order by id limit ${limit}`,
  )
  return rows.map(({ sku }) => sku as string)
}

/** Stones of many kinds that an order cannot have. */
async function sellSome(database: Database): Promise<string[]> {
  const skus = await skusOf(database, LINES, `state = 'available' and id % 7 = 3`)
  await database.pool.query(
    `update gem set state = 'gone', mover = 'feed' where sku = any($1::text[])`,
    [skus],
  )
  return skus
}

/** Fills the merchant's list of templates with every color, clarity and grade in turn. */
async function addTemplates({ pool }: Database, key: string, app: App): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  const session = await app.inject({ url: '/api/v3/session', headers })
  const merchantUuid = session.json().merchant.uuid
  const grades = ['ideal', 'excellent', 'very good']
  for (let n = 0; n < TEMPLATES; n++) {
    await pool.query(
      `insert into merchant_template (uuid, merchant_uuid, "group", position, label, color,
        clarity, grade_name) values (gen_random_uuid(), $1, 'bench', $2, $3, $4, $5, $6)`,
      [
        merchantUuid,
        n + 1,
        `Template ${n}`,
        COLORS[n % 10],
        CLARITIES[1 + (n % 8)],
        grades[n % grades.length],
      ],
    )
  }
}
