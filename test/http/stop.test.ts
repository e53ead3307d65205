import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { createToken } from '../../src/merchants/token-store.ts'
import { type RunningServer, startPavilion } from '../support/command-line.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { getOnce, loadUntilDrained } from './stop-support.ts'

let clone: ClonedDatabase
let token: string

beforeAll(async () => {
  clone = await cloneDatabase()
  const database = openDatabase({ url: clone.url, poolMax: 1 })
  token = (await createToken(database.db, { realm: 'live', type: 'admin' })).token
  await database.close()
})
afterAll(() => clone.drop())

function start(settings: Record<string, string> = {}, options: string[] = []) {
  return startPavilion({ DATABASE_URL: clone.url, HOST: '127.0.0.1', ...settings }, options)
}

describe.each([1, 2])('a server of %i processes that is stopped under load', (workers) => {
  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'resets no call after %s, finishes them and exits with 0',
    async (signal) => {
      const server = await start({ DRAIN_SECONDS: '1' }, ['--workers', String(workers)])
      const load = loadUntilDrained(server.address, token)
      await expect.poll(() => load.answered).toBeGreaterThan(100)
      expect(await server.stop(signal)).toBe(0)
      await load.ended
      expect(load.broken).toEqual([])
      expect([...load.statuses]).toEqual([200])
    },
  )

  it('turns /readyz red first and serves until DRAIN_SECONDS have passed', async () => {
    const server = await start({ DRAIN_SECONDS: '4' }, ['--workers', String(workers)])
    try {
      const ready = async () => (await getOnce(server.address, '/readyz')).status
      await expect.poll(ready).toBe(200)
      const before = await getOnce(server.address, '/healthz')
      expect(before.headers.connection).toBe('keep-alive')
      const stoppedAt = Date.now()
      server.child.kill('SIGTERM')
      await expect.poll(ready, { interval: 20 }).toBe(503)
      const { status, headers } = await getOnce(server.address, '/healthz')
      expect(status).toBe(200)
      expect(headers.connection).toBe('close')
      expect(await server.exited).toBe(0)
      expect(Date.now() - stoppedAt).toBeGreaterThan(4_000)
    } finally {
      await server.stop()
    }
  })
})

describe('a server whose terminal is closed', () => {
  it('finishes its requests although nothing can be printed any more', async () => {
    const server = await start({ LOG_LEVEL: 'info' })
    server.child.stdout?.destroy()
    server.child.stderr?.destroy()
    expect((await getOnce(server.address, '/healthz')).status).toBe(200)
    expect(await server.stop('SIGHUP')).toBe(0)
  })

  it.each([1, 2])('exits although nobody reads what its %i processes print', async (workers) => {
    const server = await start({ LOG_LEVEL: 'info' }, ['--workers', String(workers)])
    server.child.stdout?.pause()
    // A line for each call: more than a pipe holds.
    for (let calls = 0; calls < 3_000; calls += 50) {
      await Promise.all(Array.from({ length: 50 }, () => getOnce(server.address, '/healthz')))
    }
    expect(await server.stop('SIGTERM')).toBe(0)
  })

  it('is not ended by a second SIGHUP, which the shell sends', async () => {
    const server = await start({ DRAIN_SECONDS: '4' })
    server.child.kill('SIGHUP')
    await sleep(1_200)
    server.child.kill('SIGHUP')
    await sleep(100)
    expect((await getOnce(server.address, '/healthz')).status).toBe(200)
    expect(await server.exited).toBe(0)
  })
})

describe('a worker that dies before it takes over a connection', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await start({}, ['--workers', '2'])
  })
  afterAll(async () => {
    await server.stop()
  })

  it('leaves no caller waiting', async () => {
    const { pid } = (await getOnce(server.address, '/healthz')).body as { pid: number }
    // A stopped process takes nothing over, and dies without having done so.
    process.kill(pid, 'SIGSTOP')
    const calls = Array.from({ length: 20 }, () => getOnce(server.address, '/healthz'))
    await sleep(200)
    process.kill(pid, 'SIGKILL')
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses).toEqual(calls.map(() => 200))
  })
})
