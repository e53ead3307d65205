import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { readStones } from './feed-support.ts'

const NAMES = ['Stock #', 'Shape', 'Weight', 'Color', 'Clarity', 'Price Per Carat', 'Certificate #']
const ROWS = [
  ['A-1', 'Round', 1.01, 'G', 'VS1', 5200, 2141438178],
  ['A-2', 'Oval', '0.90', 'F', 'SI1', '3,100.50', null],
]
const STONES = [
  { vendor_sku: 'A-1', shape: 'round', weight: 1.01, cost: '5252.00', cert_num: '2141438178' },
  { vendor_sku: 'A-2', shape: 'oval', weight: 0.9, cost: '2790.45', cert_num: null },
]
const columnOf = (at: number) => ROWS.map((row) => row[at])
const membersOf = <Value>(memberAt: (at: number) => Value) =>
  Object.fromEntries(NAMES.map((name, at) => [name, memberAt(at)]))
const many = Array.from({ length: 5_000 }, (_, at) => [`B-${at}`, ...ROWS[0].slice(1, -1), null])

const FORMS: Record<string, unknown> = {
  'rows below a row of names': [NAMES, ...ROWS],
  'rows beside a list of names': { meta: { count: 2 }, columns: NAMES, rows: ROWS },
  'rows before a list of names': { data: { values: ROWS, fields: NAMES } },
  'rows beside objects with names': {
    columns: NAMES.map((title, id) => ({ id, title, width: 100 })),
    data: ROWS,
  },
  'a list of values for each name': { stock: membersOf(columnOf), labs: ['GIA', 'IGI', 'HRD'] },
  'values by their position for each name': membersOf((at) =>
    Object.fromEntries(columnOf(at).entries()),
  ),
}

describe('JSON with', () => {
  for (const [form, content] of Object.entries(FORMS)) {
    it.each([false, true])(`${form} is read (in a thread: %s)`, async (inThread) => {
      const read = await readStones(JSON.stringify(content, null, 2), { inThread })
      expect(read.drafts).toMatchObject(STONES)
      expect(read.rejections).toEqual([])
    })
  }

  it('thousands of rows before their names has all of them', async () => {
    const file = JSON.stringify({ rows: [...many, ...ROWS], columns: NAMES })
    const { drafts } = await readStones(file)
    expect(drafts).toHaveLength(5_002)
    expect(drafts.slice(-2)).toMatchObject(STONES)
  })

  it('thousands of values for each name has all of them', async () => {
    const file = JSON.stringify(membersOf((at) => many.map((row) => row[at])))
    expect((await readStones(file)).drafts).toHaveLength(5_000)
  })

  it('the currency of the market beside rows keeps it, and the position of a rejected row', async () => {
    const rows = [ROWS[0], ['A-3', 'Round', 'heavy', 'G', 'VS1', 5200, null]]
    const file = JSON.stringify({ currency: 'EUR', columns: NAMES, rows })
    const { rejections, settings } = await readStones(file, { rates: { EUR: '0.8' } })
    expect(rejections).toMatchObject([{ row: 2, column: 'Weight', value: 'heavy' }])
    expect(settings.currency).toBe('USD')
  })

  it('lists of different lengths is refused: their values are not of the same stones', async () => {
    const file = { ...membersOf(columnOf), Color: ['G'] }
    await expect(readStones(JSON.stringify(file))).rejects.toThrow(
      'of which "Color" has 1 and others have 2',
    )
  })

  it('lists of what can be asked for beside objects has the stones of the objects', async () => {
    const filters = {
      weight: [0.5, 5],
      shape: ['Round', 'Oval'],
      color: ['D', 'E'],
      path: [[1, 2, 3]],
    }
    const items = ROWS.map((row) => membersOf((at) => row[at]))
    const { drafts } = await readStones(JSON.stringify({ filters, items }))
    expect(drafts).toMatchObject(STONES)
  })
})

describe('an import', () => {
  let market: TestMarket
  beforeAll(async () => {
    market = await openTestMarket()
  })
  afterAll(() => market.close())

  const upload = async (content: unknown, supplier: string) => {
    const response = await market.app.inject({
      method: 'POST',
      url: `/api/operator/imports?supplier=${supplier}`,
      headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': 'application/json' },
      payload: JSON.stringify(content),
    })
    return response.json()
  }

  it('sells the stones of rows, and asks about the currency beside them', async () => {
    const file = { columns: NAMES, rows: ROWS }
    expect(await upload(file, 'Rows')).toMatchObject({ rows: 2, added: 2, rejected: 0 })
    expect(await upload(file, 'Rows')).toMatchObject({ added: 0, unchanged: 2 })
    const inEuros = await upload({ currency: 'EUR', ...file }, 'Euros')
    expect(inEuros).toMatchObject({ code: 'import_unsure' })
    expect(inEuros.detail).toContain('EUR')
  })
})
