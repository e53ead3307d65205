import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { createToken } from '../../src/merchants/token-store.ts'
import { addStones } from '../orders/order-support.ts'
import { runPavilion, spawnPavilion } from '../support/command-line.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'

let clone: ClonedDatabase
let database: Database
beforeEach(async () => {
  clone = await cloneDatabase()
  database = openDatabase({ url: clone.url })
})
afterEach(async () => {
  await database.close()
  await clone.drop()
})

async function createBuyer(): Promise<string> {
  const buyer = { email: 'buyer@shop.example', legal_dba: 'Facet Street', country_code: 'US' }
  const { uuid } = await createMerchant(database.db, buyer)
  const key = { realm: 'live', type: 'api_key', merchant_uuid: uuid } as const
  return (await createToken(database.db, key)).token
}

describe('pavilion start', () => {
  it.each([
    [1, []],
    [2, ['--workers', '2']],
  ])(
    'says that it is ready when searches are answered, with %i process(es)',
    async (_, options) => {
      await addStones(database.db, 10)
      const token = await createBuyer()
      const address = `http://127.0.0.1:${await freePort()}`
      // The index cannot be loaded while another session has the table.
      const blocker = await database.pool.connect()
      await blocker.query('begin; lock table gem')
      const settings = { DATABASE_URL: clone.url, PORT: new URL(address).port }
      const child = spawnPavilion(['start', ...options], settings)
      const exited = once(child, 'exit')
      let printed = ''
      child.stdout?.on('data', (chunk) => {
        printed += chunk
      })
      try {
        const healthy = async () =>
          (await fetch(`${address}/healthz`).catch(() => undefined))?.status
        await expect.poll(healthy, { timeout: 60_000 }).toBe(200)
        await expect.poll(() => printed).toContain('Loading the search indexes')
        expect((await fetch(`${address}/readyz`)).status).toBe(503)
        expect(printed).not.toContain('ready')
        await blocker.query('rollback')
        await expect.poll(() => printed, { interval: 1 }).toContain('Pavilion is ready')
        const response = await fetch(`${address}/api/v2/diamonds/merchant_search`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ filters: {} }),
        })
        expect(response.status).toBe(200)
      } finally {
        blocker.release(true)
        child.kill('SIGTERM')
        expect((await exited)[0]).toBe(0)
      }
    },
  )

  it('prints one JSON document with --json, and the log on stderr', async () => {
    const settings = { DATABASE_URL: clone.url, PORT: '0', LOG_LEVEL: 'info' }
    const child = spawnPavilion(['start', '--json'], settings)
    let [stdout, stderr] = ['', '']
    child.stdout?.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    const exited = once(child, 'exit')
    await expect.poll(() => stdout, { timeout: 60_000 }).toContain('metrics')
    child.kill('SIGTERM')
    expect((await exited)[0]).toBe(0)
    const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)
    const documents = expect.stringMatching(/\/docs$/)
    const production = { realm: 'live', address, documents, is_empty: true }
    expect(JSON.parse(stdout)).toEqual({ markets: [production], metrics: null })
    expect(stderr).toContain('"msg":"stopping"')
  })

  it.each([
    [1, []],
    [2, ['--workers', '2']],
  ])('names the setting of an address that %i process(es) cannot listen on', async (_, options) => {
    const settings = { DATABASE_URL: clone.url, HOST: 'nosuch.host.invalid', PORT: '0' }
    const { code, stdout } = await runPavilion(['start', '--json', ...options], settings)
    const printed = JSON.parse(stdout)
    expect([code, printed.error]).toEqual([
      1,
      {
        code: 'address_unavailable',
        detail: expect.stringMatching(/^HOST is "nosuch.host.invalid", which is not an address/),
      },
    ])
  })

  it('stops at a signal although it is still loading', async () => {
    const blocker = await database.pool.connect()
    await blocker.query('begin; lock table gem')
    const child = spawnPavilion(['start'], { DATABASE_URL: clone.url, PORT: '0' })
    const exited = once(child, 'exit')
    try {
      await once(child.stdout as NodeJS.ReadableStream, 'data')
    } finally {
      child.kill('SIGTERM')
      expect((await exited)[0]).toBe(0)
      blocker.release(true)
    }
  })
})
