import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DemoTestMarket, openDemoMarket } from '../support/demo-market.ts'

/** Lists that are sorted by their columns, on a market in which something has happened. */
let market: DemoTestMarket
/** The names of the merchants, by UUID. */
let names: Map<string, string>

beforeAll(async () => {
  market = await openDemoMarket()
  const { merchants } = await read('operator', '/api/operator/merchants')
  names = new Map(merchants.map(({ uuid, legal_dba }: Row) => [uuid, legal_dba.toLowerCase()]))
  for (const shape of ['round', 'oval']) {
    const filters = { shape: [shape], on_hold: false }
    const body = { filters, limit: 2, sort_col: 'weight', sort_order: 'desc' }
    const found = await market.call('POST', '/api/v3/diamonds/merchant_search', {
      token: market.keys.merchantKey,
      body,
    })
    const line_items = found.body.gems.map(({ sku }: Row) => {
      return { sku, quantity: 1, offer_price: 100 }
    })
    const token = market.keys.merchantKey
    const asked = await market.call('POST', '/api/v3/quotes', { token, body: { line_items } })
    expect(asked.status, asked.text).toBeLessThan(300)
  }
})
afterAll(() => market.close())

// biome-ignore lint/suspicious/noExplicitAny: rows of every list
type Row = any
type Side = 'operator' | 'merchant' | 'supplier'
const KEYS = { operator: 'adminKey', merchant: 'merchantKey', supplier: 'supplierKey' } as const

async function read(side: Side, path: string): Promise<Row> {
  const { status, text, body } = await market.call('GET', path, { token: market.keys[KEYS[side]] })
  expect(status, text).toBe(200)
  return body
}

const sum = (lines: Row[], price: (line: Row) => number) =>
  lines.reduce((total, line) => total + price(line) * line.quantity, 0)

const quoteSorts = {
  created_on: (quote: Row) => quote.created_on,
  expires_on: (quote: Row) => quote.expires_on,
  status: (quote: Row) => quote.status,
  line_items: (quote: Row) => quote.line_items.length,
  market_total: (quote: Row) =>
    sum(quote.line_items, ({ market_price }) => market_price) / quote.exchange_rate,
  offer_total: (quote: Row) =>
    sum(quote.line_items, (line) => line.offer_price ?? line.market_price) / quote.exchange_rate,
  total: (quote: Row) => quote.total / quote.exchange_rate,
}
const returnSorts = {
  created_on: (each: Row) => each.created_on,
  status: (each: Row) => each.status,
  reason: (each: Row) => each.reason.toLowerCase(),
  external_order_id: (each: Row) => each.external_order_id,
  total: (each: Row) => each.total,
}
const memoSorts = {
  due_date: (memo: Row) => memo.due_date,
  ordered_on: (memo: Row) => memo.ordered_on,
  memo_id: (memo: Row) => memo.memo_id,
  name: (memo: Row) => memo.name,
  quantity: (memo: Row) => memo.quantity,
  value: (memo: Row) => memo.value,
}
const merchantOf = (row: Row) => names.get(row.merchant_uuid)

const LISTS: [Side, path: string, name: string, sorts: Record<string, (row: Row) => unknown>][] = [
  ['operator', '/api/operator/quotes', 'quotes', { ...quoteSorts, merchant_legal_dba: merchantOf }],
  ['merchant', '/api/v3/quotes', 'quotes', quoteSorts],
  [
    'operator',
    '/api/operator/returns',
    'returns',
    { ...returnSorts, merchant_legal_dba: merchantOf },
  ],
  ['merchant', '/api/v3/returns', 'returns', returnSorts],
  [
    'operator',
    '/api/operator/memos',
    'memos',
    { ...memoSorts, merchant_legal_dba: (memo) => memo.merchant_legal_dba },
  ],
  ['merchant', '/api/v3/memos', 'memos', memoSorts],
  [
    'operator',
    '/api/operator/inventory/conflicts',
    'conflicts',
    {
      cert_num: ({ cert_num }) => cert_num,
      lab: ({ lab }) => lab,
      suppliers: ({ suppliers }) => suppliers,
    },
  ],
  [
    'operator',
    '/api/operator/inventory/quarantine',
    'rows',
    {
      supplier: ({ supplier }) => supplier.toLowerCase(),
      row: ({ row }) => row,
      vendor_sku: ({ vendor_sku }) => vendor_sku,
      reason: ({ reason }) => reason,
    },
  ],
  [
    'operator',
    '/api/operator/jewelry/imports',
    'imports',
    {
      created_on: ({ created_on }) => created_on,
      file_name: ({ file_name }) => file_name.toLowerCase(),
      supplier: ({ supplier }) => supplier.toLowerCase(),
      catalogue: ({ catalogue }) => catalogue.toLowerCase(),
      added: ({ added }) => added,
      changed: ({ changed }) => changed,
      removed: ({ removed }) => removed,
      rejected: ({ rejected }) => rejected,
    },
  ],
  [
    'supplier',
    '/api/supplier/orders',
    'orders',
    {
      ordered_on: ({ ordered_on }) => ordered_on,
      line_items: ({ line_items }) => line_items.length,
    },
  ],
  [
    'supplier',
    '/api/supplier/inventory',
    'stones',
    {
      vendor_sku: ({ vendor_sku }) => vendor_sku,
      sku: ({ sku }) => sku,
      weight: ({ weight }) => weight,
      price: ({ price }) => price,
      quantity: ({ quantity }) => quantity,
      updated_on: ({ updated_on }) => updated_on,
    },
  ],
]

describe.each(LISTS)('for the %s, GET %s', (side, path, name, sorts) => {
  it.each(Object.keys(sorts))('sorts by %s, both ways', async (column) => {
    const value = sorts[column]
    const rowsBy = async (order: string) => {
      const query = `limit=100&sort_col=${column}&sort_order=${order}`
      const rows: Row[] = (await read(side, `${path}?${query}`))[name]
      return rows.map(value)
    }
    // Whole lists, so that one is the other backwards; which text comes first is the database's.
    const { total } = await read(side, path)
    const [up, down] = [await rowsBy('asc'), await rowsBy('desc')]
    if (total <= 100) expect(down.toReversed()).toEqual(up)
    for (const [values, sign] of [[up, 1] as const, [down, -1] as const]) {
      const numbers = values.filter((each): each is number => typeof each === 'number')
      const steps = numbers.slice(1).map((each, at) => sign * (each - numbers[at]))
      expect(Math.min(0, ...steps)).toBeGreaterThan(-1e-6)
    }
    expect(up.length).toBeGreaterThan(0)
  })

  it('refuses a column that it does not have', async () => {
    const token = market.keys[KEYS[side]]
    const refused = await market.call('GET', `${path}?sort_col=constructor`, { token })
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'sort_col'])
  })
})

describe('the audit log', () => {
  const page = (query: string) => read('operator', `/api/operator/audit?${query}`)

  it.each([
    'sort_col=at&sort_order=asc',
    'sort_col=action&sort_order=asc',
    'sort_col=action&sort_order=desc',
    'sort_col=actor&sort_order=asc',
    'sort_col=actor&sort_order=desc',
  ])('is read page by page with %s', async (sort) => {
    const { entries: whole } = await page(`${sort}&limit=20`)
    const seen: Row[] = []
    let cursor = ''
    while (seen.length < whole.length) {
      const { entries, next_cursor } = await page(`${sort}&limit=7${cursor}`)
      seen.push(...entries)
      cursor = `&cursor=${next_cursor}`
    }
    expect(seen.slice(0, whole.length)).toEqual(whole)
    const { entries: skipped } = await page(`${sort}&limit=7&offset=7`)
    expect(skipped).toEqual(whole.slice(7, 14))
    const keys = whole.map(({ at, action, actor }: Row) => {
      if (sort.includes('actor')) return actor.name
      return sort.includes('action') ? action : at
    })
    const sorted = keys.toSorted()
    expect(keys).toEqual(sort.endsWith('desc') ? sorted.toReversed() : sorted)
  })

  it('is not sorted by actor for a merchant, whom the order would tell who it was', async () => {
    const token = market.keys.merchantKey
    const refused = await market.call('GET', '/api/v3/audit?sort_col=actor', { token })
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'sort_col'])
  })

  it('refuses the cursor of another order', async () => {
    const { next_cursor } = await page('limit=2')
    const refused = await market.call(
      'GET',
      `/api/operator/audit?limit=2&sort_col=action&cursor=${next_cursor}`,
      { token: market.keys.adminKey },
    )
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'cursor'])
  })
})

describe('what a merchant owes', () => {
  const OWED = '/api/v3/orders/list?owed=true&limit=100'

  it('is every invoice with a balance, sorted by due date and by balance', async () => {
    const { orders, total } = await read('merchant', OWED)
    const { unpaid } = await read('merchant', '/api/v3/account')
    const wholeOf = async (query: string): Promise<Row[]> => {
      const page = await read('merchant', `${OWED}&${query}`)
      expect(page.total).toBe(total)
      return Promise.all(
        page.orders.map(({ uuid }: Row) => read('merchant', `/api/v3/orders/${uuid}`)),
      )
    }
    const byBalance = (await wholeOf('sort_col=balance&sort_order=desc')).map(
      ({ balance }) => balance,
    )
    expect(byBalance).toEqual(byBalance.toSorted((a, b) => b - a))
    expect(byBalance.at(-1)).toBeGreaterThan(0)
    expect(byBalance.reduce((sum, each) => sum + each, 0)).toBeCloseTo(unpaid, 2)
    expect(byBalance.length).toBe(orders.length)
    expect(new Set(byBalance).size).toBeGreaterThan(1)
    const byDay = (await wholeOf('order_by=due_on')).map((each) => String(each.due_on ?? '9999'))
    expect(byDay).toEqual(byDay.toSorted())
    expect(new Set(byDay).size).toBeGreaterThan(1)
    const overdue = await read('merchant', '/api/v3/orders/list?past_due=true&limit=100')
    expect(overdue.total).toBeLessThan(total)
  })

  it.each(['due_on', 'balance'])(
    'refuses to sort orders by %s that owe nothing',
    async (column) => {
      const token = market.keys.merchantKey
      const path = `/api/v3/orders/list?sort_col=${column}`
      const refused = await market.call('GET', path, { token })
      expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'sort_col'])
      const sorted = await market.call('GET', `${path}&owed=true`, { token })
      expect(sorted.status).toBe(200)
    },
  )
})

describe('a filtered list', () => {
  it('of merchants has those whose name, e-mail or number contains a text, or with access', async () => {
    const { merchants } = await read('operator', '/api/operator/merchants')
    const [first] = merchants
    const part = first.legal_dba.slice(1, 6).toUpperCase()
    const found = await read('operator', `/api/operator/merchants?q=${encodeURIComponent(part)}`)
    const named = merchants.filter(({ legal_dba, email }: Row) =>
      `${legal_dba}\n${email}`.toUpperCase().includes(part),
    )
    expect(found.merchants.map(({ uuid }: Row) => uuid)).toEqual(named.map(({ uuid }: Row) => uuid))
    expect(found.total).toBe(named.length)
    expect((await read('operator', '/api/operator/merchants?q=%25')).total).toBe(0)
    const off = await read('operator', '/api/operator/merchants?api_enabled=false')
    const without = merchants.filter(({ api_enabled }: Row) => !api_enabled)
    expect(off.total).toBe(without.length)
  })

  it('of jewelry imports has those of a supplier', async () => {
    const { imports } = await read('operator', '/api/operator/jewelry/imports')
    const { supplier } = imports[0]
    const list = '/api/operator/jewelry/imports?supplier='
    const own = await read('operator', list + encodeURIComponent(supplier))
    expect(own.total).toBe(imports.filter((each: Row) => each.supplier === supplier).length)
    expect((await read('operator', `${list}Nobody`)).total).toBe(0)
  })
})
