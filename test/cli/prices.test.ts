import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { lastNumber } from '../support/change-log.ts'
import { runPavilion } from '../support/command-line.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { insertStone } from '../support/stones.ts'

vi.setConfig({ testTimeout: 240_000 })

let clone: ClonedDatabase
let folder: string

beforeAll(async () => {
  clone = await cloneDatabase()
  folder = mkdtempSync(join(tmpdir(), 'pavilion-cli-'))
  await run('--version')
}, 240_000)
afterAll(async () => {
  await clone.drop()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) => runPavilion(args, { DATABASE_URL: clone.url }, folder)

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

const create = (email: string, ...more: string[]) =>
  json(
    ...['merchant', 'create', '--legal-dba', 'Shop', '--country', 'US', '--email', email],
    ...more,
  )

async function onDatabase<T>(work: (of: ReturnType<typeof openDatabase>) => Promise<T>) {
  const database = openDatabase({ url: clone.url })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

describe('pavilion merchant set', () => {
  const buyer = 'terms@shop.example'
  it('changes the percentages that are named, keeps the others and announces new prices', async () => {
    await create(buyer)
    const before = await onDatabase(({ db }) => lastNumber(db))
    const first = await json('merchant', 'set', buyer, '--mined-percent', '-2.5')
    expect(first.price_adjustment).toEqual({
      mined_percent: -2.5,
      lab_percent: 0,
      gemstone_percent: 0,
      jewelry_percent: 0,
    })
    const shown = await run('merchant', 'set', buyer, '--jewelry-percent', '+4.25')
    expect(shown.stdout).toContain(
      'Wholesale prices: mined diamonds and parcels -2.5 %, jewelry and watches +4.25 %',
    )
    expect(await onDatabase(({ db }) => lastNumber(db))).toBe(before + 2)
    expect((await json('merchant', 'show', buyer)).price_adjustment).toMatchObject({
      mined_percent: -2.5,
      jewelry_percent: 4.25,
    })
    const cleared = await run('merchant', 'set', buyer, '--list-prices', '--max-holds', '7')
    expect(cleared.stdout).toContain('Wholesale prices: those of its list')
    expect(await json('merchant', 'show', buyer)).toMatchObject({
      price_adjustment: null,
      limits: { max_holds: 7 },
    })
  })

  it('refuses percentages that are out of range, and both ways at once', async () => {
    for (const percent of ['-50.01', '51', '1.234', 'much']) {
      const { code, stderr } = await run('merchant', 'set', buyer, '--lab-percent', percent)
      expect([code, stderr]).toEqual([2, expect.stringContaining('from -50 to 50')])
    }
    const both = await run('merchant', 'set', buyer, '--list-prices', '--lab-percent', '1')
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--list-prices')])
    const neither = await run('merchant', 'set', buyer)
    expect([neither.code, neither.stderr]).toEqual([2, expect.stringContaining('at least one')])
    const { stdout } = await run('merchant', 'set', '--help')
    expect(stdout).toContain('--gemstone-percent <percent>')
  })

  it('says in one sentence that a file of references cannot be read', async () => {
    const missing = await run('merchant', 'set', buyer, '--references', 'missing.json', '--json')
    expect(missing.code).toBe(1)
    expect(JSON.parse(missing.stdout).error).toMatchObject({ code: 'not_found' })
    expect(missing.stderr).toMatch(/^Cannot read missing\.json: [^\n]+\n$/)
  })
})

describe('pavilion fx remove', () => {
  it('removes a currency, and refuses one that a merchant uses', async () => {
    await json('fx', 'set', 'EUR', '0.92')
    const unknown = await run('fx', 'set', 'ZZZ', '1')
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('ZZZ is not')])
    await create('euro@shop.example', '--currency', 'EUR')
    const refused = await run('fx', 'remove', 'EUR')
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toBe(
      '1 merchant uses EUR: euro@shop.example. Give them another currency first.\n',
    )
    await json('fx', 'set', 'GBP', '0.79')
    expect(await json('fx', 'remove', 'gbp')).toMatchObject({ currency_code: 'GBP', rate: 0.79 })
    await json('fx', 'set', 'GBP', '0.8')
    expect((await run('fx', 'remove', 'GBP')).stdout).toBe('GBP has no exchange rate any more.\n')
    const again = await run('fx', 'remove', 'GBP')
    expect([again.code, again.stderr]).toEqual([1, 'There is no exchange rate for GBP.\n'])
  })
})

describe('pavilion supplier set', () => {
  it('says how many stones have a new price', async () => {
    await onDatabase(async ({ db }) => {
      for (let stone = 0; stone < 3; stone++) await insertStone(db)
    })
    expect(await json('supplier', 'set', 'Test Stones', '--markup', '7')).toMatchObject({
      name: 'Test Stones',
      markup: 7,
      changed: 3,
    })
    const { stdout } = await run('supplier', 'set', 'Test Stones', '--markup', '8')
    expect(stdout).toContain('Changed Test Stones. 3 stones have a new price;')
    expect(await json('supplier', 'set', 'Test Stones', '--markup', '8')).toMatchObject({
      changed: 0,
    })
    const other = await run('supplier', 'set', 'Test Stones', '--return-days', '9')
    expect(other.stdout).toBe('Changed Test Stones. The next import uses the new settings.\n')
  })
})

describe('pavilion grid', () => {
  const rowsOf = (date: string, price: number) => `BR,VS1,G,1.00,1.49,${price},${date}\r\n`

  it('loads a sheet, says how many stones changed, and lists the sheets', async () => {
    expect((await run('grid', 'list')).stdout).toContain('No price sheets yet.')
    const file = join(folder, 'round.csv')
    writeFileSync(file, rowsOf('2026-02-06', 6100))
    const { stdout, code } = await run('grid', 'load', file)
    expect(code).toBe(0)
    expect(stdout).toBe(
      'Loaded the BR sheet of 2026-02-06 with 1 price.\n3 stones have another list price.\n',
    )
    writeFileSync(file, rowsOf('01/30/2026', 5900))
    expect(await json('grid', 'load', file)).toMatchObject({
      changed: 0,
      price_grids: [{ shape: 'BR', dated_on: '2026-01-30', rows: 1, in_force: false }],
    })
    const listed = await json('grid', 'list')
    expect(listed).toMatchObject([
      { dated_on: '2026-02-06', in_force: true, file_name: 'round.csv' },
      { dated_on: '2026-01-30', in_force: false },
    ])
    expect((await run('grid', 'list')).stdout).toMatch(/BR +2026-02-06/)
  })

  it('refuses a file that is not such a sheet, and says what was expected', async () => {
    const file = join(folder, 'stock.csv')
    writeFileSync(file, 'Stock #,Shape,Weight\nA1,Round,1.01\n')
    const { code, stdout, stderr } = await run('grid', 'load', file)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/shape/i)
    const missing = await run('grid', 'load', join(folder, 'none.csv'))
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('none.csv')])
  })
})
