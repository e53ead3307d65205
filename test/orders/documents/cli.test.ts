import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runPavilion } from '../../support/command-line.ts'
import { TEST_SECRET_KEY } from '../../support/secrets.ts'
import { addStone, type OrderMarket, openOrderMarket } from '../order-support.ts'
import { textOf } from './document-support.ts'

let market: OrderMarket
const folder = mkdtempSync(join(tmpdir(), 'pavilion-papers-'))
beforeAll(async () => {
  market = await openOrderMarket()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await market.close()
})

const run = (...args: string[]) =>
  runPavilion(args, { DATABASE_URL: market.database.url, PAVILION_SECRET_KEY: TEST_SECRET_KEY })

it('pavilion settings sets, lists, shows and clears who sells', async () => {
  const set = await run('settings', 'set', 'seller.address', '48 Market Street', 'New York')
  expect([set.code, set.stdout]).toEqual([0, 'seller.address is set.\n'])
  const shown = await run('settings', 'get', 'seller.address')
  expect(shown.stdout).toBe('48 Market Street\nNew York\n')
  const list = await run('settings', 'list', '--json')
  expect(JSON.parse(list.stdout)).toMatchObject({
    'seller.address': '48 Market Street\nNew York',
    'seller.name': null,
  })
  expect((await run('settings', 'list')).stdout).toContain('48 Market Street / New York')
  await run('settings', 'clear', 'seller.address')
  expect((await run('settings', 'get', 'seller.address')).stdout).toBe('not set\n')
  expect((await run('settings', 'set', 'seller.shoe_size', '42')).code).toBe(2)
  const logo = join(folder, 'logo.png')
  writeFileSync(logo, 'not a picture')
  const refused = await run('settings', 'set', 'seller.logo', logo)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('PNG or JPEG')])
})

it('pavilion order invoice and order document give the PDF', async () => {
  await run('settings', 'set', 'seller.name', 'Demo Gems')
  const { body: placed } = await market.place([await addStone(market.database.db)])
  const early = await run('order', 'document', placed.uuid, 'invoice')
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('has no invoice yet')])
  const invoiced = await run('order', 'invoice', placed.order_id, '--json')
  const { number } = JSON.parse(invoiced.stdout).documents[0]
  const file = join(folder, 'invoice.pdf')
  const saved = await run('order', 'document', placed.order_id, 'invoice', '--out', file)
  expect([saved.code, saved.stdout]).toEqual([0, `${number} is in ${file}.\n`])
  const nowhere = join(folder, 'missing', 'invoice.pdf')
  const unwritten = await run('order', 'document', placed.uuid, 'invoice', '--out', nowhere)
  expect([unwritten.code, unwritten.stderr]).toEqual([
    1,
    expect.stringContaining(`Cannot write ${nowhere}`),
  ])
  const [page] = await textOf(readFileSync(file))
  expect(page).toContain(number)
  expect(page).toContain('Demo Gems')
})
