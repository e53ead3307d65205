import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { countSecrets } from '../../src/database/secrets/secret-store.ts'
import { newUuid } from '../../src/lib/uuid.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { runPavilion, spawnPavilion, startPavilion } from '../support/command-line.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'

let clone: ClonedDatabase
let database: Database
let merchantUuid: string
let folder: string
let settings: Record<string, string>

const ONE = randomBytes(32).toString('base64')
const TWO = randomBytes(32).toString('hex')

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase({ url: clone.url, poolMax: 2 })
  const shop = { email: 'shop@shop.example', legal_dba: 'Shop', country_code: 'US' }
  merchantUuid = (await createMerchant(database.db, shop)).uuid
  folder = mkdtempSync(join(tmpdir(), 'pavilion-secret-'))
  settings = { DATABASE_URL: clone.url, HOST: '127.0.0.1', PAVILION_DATA: join(folder, 'one') }
})
afterAll(async () => {
  await database.close()
  await clone.drop()
  rmSync(folder, { recursive: true })
})

const run = (args: string[], own: Record<string, string> = {}) =>
  runPavilion(args, { ...settings, ...own }, folder)

async function json(args: string[], own: Record<string, string> = {}) {
  const { code, stdout, stderr } = await run([...args, '--json'], own)
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

const counts = () => countSecrets(database.db)
const keysInFile = () =>
  readFileSync(join(folder, 'one', 'secret.key'), 'utf8').match(/^[\w-]{43}$/gm) ?? []

async function storePlain(count: number): Promise<void> {
  const uuids = Array.from({ length: count }, () => newUuid())
  await sql`insert into webhook_endpoint (uuid, merchant_uuid, url, secret)
    select uuid, ${merchantUuid}, 'https://shop.example/hooks', ${`whsec_${'A'.repeat(43)}=`}
    from unnest(${uuids}::uuid[]) as uuid`.execute(database.db)
}

const ADD = ['webhook', 'add', '--merchant', 'shop@shop.example', '--url', 'https://shop.example/']

describe('the first start on an external database', () => {
  it('creates a key, says that other nodes need it, and encrypts what was in clear text', async () => {
    const before = await run(ADD)
    expect(before.stderr).toContain('There is no key to encrypt secrets with')
    await storePlain(3)
    const server = await startPavilion(settings)
    const { length } = keysInFile()
    expect(length).toBe(1)
    const [{ key_id, count }] = await counts()
    expect(key_id).toMatch(/^[0-9a-f]{16}$/)
    expect(count).toBe(3)
    await server.stop()
    expect(server.output()).toContain('give other nodes of this database a copy')
    expect(server.output()).not.toContain(keysInFile()[0])
  })
})

describe('a node without the key', () => {
  it.each([
    ['no key', {}],
    ['another key', { PAVILION_SECRET_KEY: ONE }],
  ])('that has %s does not start, and says why in one sentence', async (_, own) => {
    const elsewhere = { PAVILION_DATA: join(folder, 'two'), PORT: '0', ...own }
    const [{ key_id }] = await counts()
    const { code, stdout, stderr } = await run(['start'], elsewhere)
    expect(code).toBe(1)
    expect(stderr).toBe(
      `Secrets in the database are encrypted with the key ${key_id}, which this node does not ` +
        'have: set PAVILION_SECRET_KEY to the key of the node that has it, or copy its secret.key ' +
        `to ${join(folder, 'two', 'secret.key')} (docs/secrets.md).\n`,
    )
    expect(stdout + stderr).not.toContain(ONE)
    const doctor = JSON.parse((await run(['doctor', '--json'], elsewhere)).stdout)
    expect(doctor.findings).toContainEqual({
      check: 'secret key',
      ok: false,
      detail: stderr.trim(),
    })
  })
})

describe('secret rotate', () => {
  it('that is killed in the middle is completed when it is run again', async () => {
    await storePlain(600)
    await json(['secret', 'rotate'])
    const [first] = await counts()
    const holder = openDatabase({ url: clone.url, poolMax: 1 })
    const killed = await holder.db.transaction().execute(async (tx) => {
      // The rows are encrypted in the order of their uuids, 200 at a time.
      await sql`select from webhook_endpoint where uuid = (select uuid from webhook_endpoint
        order by uuid offset 400 limit 1) for update`.execute(tx)
      const child = spawnPavilion(['secret', 'rotate'], settings, folder)
      while ((await counts()).length < 2) await sleep(20)
      child.kill('SIGKILL')
      await once(child, 'exit')
      return counts()
    })
    await holder.close()
    expect(killed).toHaveLength(2)
    expect(killed[0].count + killed[1].count).toBe(603)
    const keys = keysInFile().length
    await json(['secret', 'rotate'])
    const [only, ...others] = await counts()
    expect(others).toEqual([])
    expect(only.count).toBe(603)
    expect(only.key_id).not.toBe(first.key_id)
    expect(keysInFile()).toHaveLength(keys)
  })

  it('moves from the file to PAVILION_SECRET_KEY, and from one key there to the next', async () => {
    const moved = await json(['secret', 'rotate'], { PAVILION_SECRET_KEY: ONE })
    expect(moved).toMatchObject({ source: 'environment', secrets: 603 })
    const again = await run(['secret', 'rotate'], { PAVILION_SECRET_KEY: ONE })
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('put a new one before it')
    const both = { PAVILION_SECRET_KEY: `${TWO},${ONE}` }
    const next = await json(['secret', 'rotate'], both)
    expect(await counts()).toEqual([{ key_id: next.key_id, count: 603 }])
    const status = await json(['secret', 'status'], { PAVILION_SECRET_KEY: TWO })
    expect(status).toMatchObject({ key_in_use: next.key_id, plain_secrets: 0, problem: null })
    expect(status.keys[0]).toEqual({
      key_id: next.key_id,
      source: 'environment',
      in_use: true,
      secrets: 603,
    })
    for (const key of [ONE, TWO, ...keysInFile()]) {
      expect(JSON.stringify([moved, next, status])).not.toContain(key)
    }
  })

  it('prints no key that is too short', async () => {
    const { code, stderr } = await run(['secret', 'status'], { PAVILION_SECRET_KEY: 'too-short' })
    expect(code).toBe(1)
    expect(stderr).toContain('PAVILION_SECRET_KEY has a key of less than 32 characters')
    expect(stderr).not.toContain('too-short')
  })
})

describe('secret reset', () => {
  it('replaces what a lost key encrypts, and disables its webhooks', async () => {
    const other = { email: 'other@shop.example', legal_dba: 'Other', country_code: 'US' }
    await createMerchant(database.db, other)
    const add = ADD.map((word) => (word === 'shop@shop.example' ? other.email : word))
    const kept = await json(add, { PAVILION_SECRET_KEY: TWO })
    expect(kept.secret).toMatch(/^whsec_/)
    expect(await json(['secret', 'reset'], { PAVILION_SECRET_KEY: TWO })).toEqual({
      webhooks: [],
      sources: [],
    })
    const { webhooks } = await json(['secret', 'reset'])
    expect(webhooks).toHaveLength(604)
    const listed = await json(['webhook', 'list'])
    expect(listed.every(({ disabled }: { disabled: boolean }) => disabled)).toBe(true)
    const status = await json(['secret', 'status'])
    expect(status.problem).toBeNull()
    expect(await counts()).toEqual([{ key_id: status.key_in_use, count: 604 }])
    const server = await startPavilion(settings)
    expect(await server.stop()).toBe(0)
  })
})
