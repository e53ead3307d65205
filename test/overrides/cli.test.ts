import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { fillDemoMarket } from '../../src/demo/market.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { insertMerchant, insertStone, leaseOf } from '../support/stones.ts'

vi.setConfig({ testTimeout: 240_000 })

let clone: ClonedDatabase
let folder: string
let sku: string
let held: string
beforeAll(async () => {
  clone = await cloneDatabase()
  folder = await mkdtemp(join(tmpdir(), 'pavilion-cli-'))
  const database = openDatabase({ url: clone.url })
  const { db } = database
  sku = (await insertStone(db, { vendor_sku: 'CL-77' })).sku
  held = (await insertStone(db, leaseOf(await insertMerchant(db), 60))).sku
  await database.close()
})
afterAll(async () => {
  await clone.drop()
  await rm(folder, { recursive: true, force: true })
})

interface Ended {
  code: number
  stdout: string
  stderr: string
}

const gem = (...args: string[]) => pavilion(clone.url, 'gem', ...args)

function pavilion(url: string, ...args: string[]): Promise<Ended> {
  const env = { ...process.env, DATABASE_URL: url, PAVILION_DATA: folder }
  return new Promise((resolve) => {
    const words = ['bin/pavilion', ...args]
    execFile(process.execPath, words, { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

const json = async (...args: string[]) => JSON.parse((await gem(...args, '--json')).stdout)

describe('pavilion gem', () => {
  it('sets fields by hand, shows them with the history, and gives them back to the feed', async () => {
    const set = await json(
      ...['set', sku, '--wholesale-price', '900.50', '--memo', 'yes', '--note', 'Agreed'],
      ...['--v360-info', '{"frame_count": 4}', '--image-top-url', 'none'],
    )
    const overrides = {
      wholesale_price: 900.5,
      memo: true,
      v360_info: { frame_count: 4 },
      image_top_url: '',
    }
    expect(set).toMatchObject({ sku, overrides, note: 'Agreed', is_manual: true })
    const { stdout } = await gem('show', sku)
    expect(stdout).toContain('wholesale_price: 1100 → 900.5')
    expect(stdout).toContain('command line')
    const back = await json(
      ...['set', sku, '--wholesale-price', 'feed', '--memo', 'feed', '--no-note'],
      ...['--v360-info', 'feed', '--image-top-url', 'feed'],
    )
    expect(back).toMatchObject({ wholesale_price: 1100, overrides: {}, note: null })
  })

  it('disables and enables a stone, and ends a hold', async () => {
    expect(await json('disable', sku, '--note', 'Chip')).toMatchObject({
      state: 'disabled',
      note: 'Chip',
    })
    expect(await json('enable', sku)).toMatchObject({ state: 'available', is_manual: false })
    expect(await json('release', held)).toMatchObject({ state: 'available', hold: null })
    const again = await gem('release', held, '--json')
    expect([again.code, JSON.parse(again.stdout).error.code]).toEqual([1, 'not_found'])
  })

  it('lists stones by text, supplier, state and kind of product', async () => {
    expect(await json('list', 'cl-77')).toMatchObject({ total: 1, gems: [{ sku }] })
    expect(await json('list', '--state', 'sold', '--supplier', 'Test Stones')).toMatchObject({
      total: 0,
      gems: [],
    })
    expect((await gem('list', '--product-type', 'diamond')).stdout).toContain('1 to 2 of 2.')
  })

  it('refuses wrong values and no values as wrong usage', async () => {
    for (const args of [
      ['set', sku],
      ['set', sku, '--wholesale-price', '0'],
      ['set', sku, '--wholesale-price-us', '1.234'],
      ['set', sku, '--memo', 'maybe'],
      ['set', sku, '--video-url', 'film.mp4'],
      ['set', sku, '--sustainability-details', '[]'],
      ['list', '--state', 'lost'],
    ]) {
      const { code, stderr } = await gem(...args)
      expect([args, code, stderr.length > 0]).toEqual([args, 2, true])
    }
  })
})

describe('pavilion inventory quarantine', () => {
  it('lists rows, puts one on sale, and refuses to decide twice', async () => {
    const demo = await cloneDatabase()
    const database = openDatabase({ url: demo.url })
    const publicUrl = 'http://pavilion.test'
    await fillDemoMarket(database, { realm: 'live', stones: 300, seed: 1, publicUrl })
    await database.close()
    const quarantine = (...args: string[]) =>
      pavilion(demo.url, 'inventory', 'quarantine', ...args, '--json')
    const [row] = JSON.parse((await quarantine()).stdout)
    expect(row).toMatchObject({ row: 2, reason: expect.stringContaining('times higher') })
    const released = JSON.parse((await quarantine('release', row.uuid)).stdout)
    expect(released).toMatchObject({ decision: 'released', vendor_sku: row.vendor_sku })
    const { stdout } = await pavilion(demo.url, 'gem', 'show', released.sku, '--json')
    const { state, history } = JSON.parse(stdout)
    expect(state).toBe('available')
    expect(history.map(({ action }: { action: string }) => action)).toContain('quarantine.release')
    const again = await quarantine('dismiss', row.uuid)
    expect([again.code, JSON.parse(again.stdout).error.code]).toEqual([1, 'wrong_state'])
    const left: { uuid: string }[] = JSON.parse((await quarantine()).stdout)
    expect(left.map(({ uuid }) => uuid)).not.toContain(row.uuid)
    await demo.drop()
  })
})
