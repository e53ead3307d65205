import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOutage } from '../../src/database/errors.ts'
import { openDatabase } from '../../src/database/open.ts'
import { runPavilion } from '../support/command-line.ts'
import { cloneDatabase } from '../support/database.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
  await market.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => market.close())

describe('a full disk', () => {
  it('refuses a write with storage_full, and turns only /readyz/write red', async () => {
    const { db } = market.database
    const status = async (path: string) => (await market.call('GET', path)).status
    await expect.poll(() => status('/readyz')).toBe(200)
    expect(await status('/readyz/write')).toBe(200)
    // What PostgreSQL reports when it cannot extend the file of a table.
    await sql`create function refuse_to_extend() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`.execute(db)
    await sql`create trigger full_disk before insert on supplier
      execute function refuse_to_extend()`.execute(db)
    const refused = await market.call('POST', '/api/operator/suppliers', {
      token: market.adminKey,
      body: { name: 'Northlight' },
    })
    expect([refused.status, refused.body.code]).toEqual([503, 'storage_full'])
    expect(refused.headers['retry-after']).toBeDefined()
    const writes = await market.call('GET', '/readyz/write')
    expect([writes.status, writes.body.checks.storage]).toEqual([503, 'full'])
    expect(await status('/readyz')).toBe(200)
  })
})

describe('a database that only reads', () => {
  it('turns /readyz/write red', async () => {
    const other = await openTestMarket()
    try {
      const { db, pool } = other.database
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
      await sql`alter database ${sql.id(rows[0].name)} set default_transaction_read_only = on`.execute(
        db,
      )
      // The setting holds for new connections.
      await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and usename = current_user`)
      const client = await pool.connect()
      client.release(true)
      const writes = async () => (await other.call('GET', '/readyz/write')).body.checks.database
      await expect.poll(writes).toBe('read only')
    } finally {
      await other.close()
    }
  })
})

describe('a lack of descriptors', () => {
  it('is an outage and not a bug', () => {
    for (const code of ['EMFILE', 'ENFILE']) {
      expect(isOutage(Object.assign(new Error('too many open files'), { code }))).toBe(true)
    }
  })

  it('is found at the start, which says how many are needed', async () => {
    const command = `ulimit -n 256 && exec "${process.execPath}" "${resolve('bin/pavilion')}" start`
    const { PATH = '' } = process.env
    const env = { PATH, DATABASE_URL: 'postgres://x@127.0.0.1:1/x', PORT: '0' }
    const child = spawn('sh', ['-c', command], { env, stdio: 'pipe' })
    const printed = text(child.stderr)
    const [code] = await once(child, 'close')
    expect(code).toBe(1)
    expect(await printed).toMatch(
      /^Only 256 files may be open .* needs 1024; .*ulimit -n 1024.*\n$/,
    )
  })
})

describe('a database that is newer than the program', () => {
  it('is named in one sentence by start and by doctor, which shows both versions', async () => {
    const clone = await cloneDatabase()
    try {
      const database = openDatabase({ url: clone.url, poolMax: 1 })
      await sql`insert into kysely_migration values ('9999-tomorrow', '2099-01-01')`.execute(
        database.db,
      )
      await database.close()
      const settings = { DATABASE_URL: clone.url, PORT: '0', SANDBOX_PORT: '0' }
      const sentence =
        /^The database is newer than this version of Pavilion, [^.]*9999-tomorrow[^.]*\.\n$/
      const { code, stderr } = await runPavilion(['start'], settings)
      expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)])
      const doctor = await runPavilion(['doctor', '--json'], settings)
      const details = Object.fromEntries(
        JSON.parse(doctor.stdout).findings.map((each: { check: string; detail: string }) => [
          each.check,
          each.detail,
        ]),
      )
      expect(doctor.code).toBe(1)
      expect(details.database).toMatch(/^PostgreSQL \d+\S*; 15 or newer is needed$/)
      expect(`${details.migrations}\n`).toMatch(sentence)
    } finally {
      await clone.drop()
    }
  })
})

describe('a request', () => {
  it('with a leap second in a timestamp is refused with 422', async () => {
    const post = (expires_on: string) => {
      const body = { type: 'admin', expires_on }
      return market.call('POST', '/api/operator/tokens', { token: market.adminKey, body })
    }
    const refused = await post('2030-06-30T23:59:60Z')
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'expires_on'])
    expect((await post('2030-06-30T23:59:59Z')).status).toBe(201)
  })

  it.each([
    ['without Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    [
      'with an unknown Expect',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n',
      417,
      'expectation_failed',
    ],
    ['for a tunnel', 'CONNECT shop.example:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'bad_request'],
    ['for an asterisk', 'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404, 'not_found'],
  ])('%s is refused in the problem shape', async (_which, sent, status, code) => {
    const { port } = market.app.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1')
    socket.write(sent)
    const [head, body] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head.toLowerCase()).toContain('content-type: application/problem+json')
    expect(head.toLowerCase()).toContain('connection: close')
    const problem = JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1))
    expect(problem).toMatchObject({ status, code, type: `urn:pavilion:problem:${code}` })
    expect(problem.request_id).toMatch(/^req-/)
  })

  it('of HTTP/1.0 needs no Host', async () => {
    const { port } = market.app.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /healthz HTTP/1.0\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /)
  })
})
