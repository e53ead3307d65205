import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refuseUsedDatabase } from '../../src/database/backup/restore-market.ts'
import { readBackup } from '../../src/database/backup/verify-backup.ts'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { type CommandResult, runPavilion, spawnPavilion } from '../support/command-line.ts'
import { type ClonedDatabase, cloneDatabase, emptyDatabase } from '../support/database.ts'
import { openTestMarket } from '../support/market.ts'

const MINUTES = 60_000

interface Findings {
  findings: { check: string; ok: boolean; detail: string }[]
}

let clone: ClonedDatabase
let settings: Record<string, string>
let parent: string
/** The folder of a backup that the tests share, and what the command printed. */
let first: string
let written: CommandResult

const run = (...args: string[]) => runPavilion(args, settings, parent)

beforeAll(async () => {
  clone = await cloneDatabase()
  parent = await mkdtemp(join(tmpdir(), 'pavilion-cli-backup-'))
  await chmod(parent, 0o711)
  settings = { DATABASE_URL: clone.url, PAVILION_DATA: join(parent, 'none') }
  const database = openDatabase({ url: clone.url, poolMax: 1 })
  await createMerchant(database.db, {
    email: 'kept@shop.example',
    legal_dba: 'Kept',
    country_code: 'US',
  })
  await database.close()
  first = join(parent, 'first')
  written = await run('backup', first, '--json')
}, 2 * MINUTES)
afterAll(async () => {
  await clone.drop()
  await rm(parent, { recursive: true, force: true, maxRetries: 5 })
})

async function connected(url: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** A command whose file never ends stops the PostgreSQL that it has started. */
async function interruptCommand(data: string): Promise<void> {
  const args = ['import', '-', '--supplier', 'Northlight Diamonds']
  const command = spawnPavilion(args, { PAVILION_DATA: data }, parent)
  const exited = once(command, 'exit')
  const lock = join(data, 'postgres', 'postmaster.pid')
  await expect.poll(() => existsSync(lock), { timeout: 60_000 }).toBe(true)
  command.kill('SIGINT')
  expect(await exited).toEqual([130, null])
  expect(existsSync(lock)).toBe(false)
}

it('moves a market from a database into a data folder, and refuses one that is used', async () => {
  expect(written.code, written.stderr).toBe(0)
  expect(JSON.parse(written.stdout)).toMatchObject({
    folder: first,
    secret_key: 'none',
    point_in_time: false,
    markets: [{ realm: 'live', rows: expect.any(Number) }],
  })
  const data = join(parent, 'data')
  const restored = await run('restore', first, '--into', data, '--json')
  expect(restored.code, restored.stderr).toBe(0)
  expect(JSON.parse(restored.stdout)).toMatchObject({ into: data, markets: [{ realm: 'live' }] })
  expect(existsSync(join(data, 'restore-unfinished'))).toBe(false)
  const list = await runPavilion(['merchant', 'list', '--json'], { PAVILION_DATA: data }, parent)
  expect(list.stdout).toContain('kept@shop.example')
  await interruptCommand(data)

  const used = await run('restore', first, '--into', data, '--json')
  expect(used.code).toBe(1)
  expect(JSON.parse(used.stdout).error).toMatchObject({
    code: 'market_not_empty',
    detail: expect.stringContaining('it has a market'),
  })
  // A restore that was killed in the middle leaves this file.
  await writeFile(join(data, 'restore-unfinished'), '')
  const opening = openEmbedded({ dataFolder: data, serve: false })
  await expect(opening).rejects.toThrow('was not finished')
}, 180_000)

it('tells doctor and the metrics what became of the last backups', async () => {
  const doctor = async () => {
    const { findings } = JSON.parse((await run('doctor', '--json')).stdout) as Findings
    return findings.find(({ check }) => check === 'backup')
  }
  const last = 'the last one that succeeded was made less than a minute ago'
  // Without a folder it goes to the data folder.
  expect((await run('backup')).code).toBe(0)
  expect(await readdir(join(parent, 'none', 'backups'))).toEqual([
    expect.stringMatching(/^pavilion-\d{8}T\d{6}Z$/),
  ])
  // A folder that has a backup is not overwritten. That is nobody's backup that failed.
  expect((await run('backup', first)).code).toBe(1)
  expect(await doctor()).toEqual({ check: 'backup', ok: true, detail: last })
  // On a schedule it is one.
  expect((await run('backup', join(first, 'backup.json'), '--keep', '3')).code).toBe(1)
  const failed = await doctor()
  expect(failed?.ok).toBe(false)
  expect(failed?.detail).toMatch(/^1 failed since, at last with ".+"; the last one that succeeded/)
  const market = await openTestMarket({}, { clone: { url: clone.url, drop: async () => {} } })
  const { text } = await market.call('GET', '/metrics')
  await market.close()
  expect(text).toMatch(/^pavilion_backup_failures 1$/m)
  expect(text).toMatch(/^pavilion_backup_age_seconds [\d.]+$/m)
  expect(text).not.toMatch(/^pavilion_wal_archive_failing /m)
}, 180_000)

it('leaves a folder and a database that say they are unfinished after kill -9', async () => {
  const folder = join(parent, 'killed')
  const holder = await connected(clone.url)
  await holder.query('begin; lock table gem in access exclusive mode')
  const writing = spawnPavilion(['backup', folder], settings, parent)
  await expect.poll(() => existsSync(join(folder, 'backup.json')), { timeout: MINUTES }).toBe(true)
  writing.kill('SIGKILL')
  await once(writing, 'exit')
  await holder.end()
  await expect(readBackup(folder)).rejects.toThrow('was not finished')

  const target = await emptyDatabase()
  const other = await connected(target.url)
  // The lock of the migrator: the restore waits for it in the middle.
  await other.query('select pg_advisory_lock(3853314791062309107)')
  const restoring = spawnPavilion(['restore', first, '--into', target.url], settings, parent)
  const hasBegun = async () =>
    (await other.query(`select to_regclass('unfinished_restore') as name`)).rows[0].name !== null
  await expect.poll(hasBegun, { timeout: MINUTES }).toBe(true)
  restoring.kill('SIGKILL')
  await once(restoring, 'exit')
  await other.end()
  await expect(refuseUsedDatabase(target.url)).rejects.toThrow('was not finished')
  await target.drop()
}, 180_000)

it('goes on after a run that fails, and removes only old backups of the same market', async () => {
  const series = join(parent, 'series')
  const kept = join(parent, 'kept')
  const foreign = join(kept, 'pavilion-20200101T000000Z')
  await mkdir(foreign, { recursive: true })
  // A link is replaced in one step, also while the backups create the folder that they need.
  const leadTo = async (target: string) => {
    await symlink(target, `${series}.new`)
    await rename(`${series}.new`, series)
  }
  await leadTo(kept)
  await writeFile(join(foreign, 'backup.json'), '{"format":"another"}')
  await writeFile(join(series, 'notes.txt'), 'stays')
  const args = ['backup', series, '--every', '1s', '--keep', '2', '--json']
  const child = spawnPavilion(args, settings, parent)
  let printed = ''
  let complaints = ''
  child.stdout?.on('data', (chunk) => {
    printed += chunk
  })
  child.stderr?.on('data', (chunk) => {
    complaints += chunk
  })
  const runs = () =>
    printed
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { folder?: string; error?: object })
  const done = () => runs().filter(({ folder }) => folder !== undefined).length
  await expect.poll(done, { timeout: MINUTES }).toBeGreaterThanOrEqual(2)
  // The folder of the backups is gone for a while, with whatever was being written in it.
  await writeFile(join(parent, 'file'), 'not a folder')
  await leadTo(join(parent, 'file'))
  const hasFailed = () => runs().some(({ error }) => error !== undefined)
  await expect.poll(hasFailed, { timeout: MINUTES }).toBe(true)
  expect(complaints).toContain('This backup failed:')
  await leadTo(kept)
  const before = done()
  await expect.poll(done, { timeout: MINUTES }).toBeGreaterThan(before)
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(code).toBe(0)
  const names = await readdir(series)
  expect(names).toEqual(expect.arrayContaining(['notes.txt', 'pavilion-20200101T000000Z']))
  const complete = names.filter((name) => existsSync(join(series, name, 'SHA256SUMS')))
  expect(complete).toHaveLength(2)
}, 240_000)

it('says whether the database is of this version, and creates none', async () => {
  const check = async (url: string) => {
    const checked = await runPavilion(
      ['migrate', '--check', '--json'],
      { DATABASE_URL: url },
      parent,
    )
    return { code: checked.code, ...JSON.parse(checked.stdout) }
  }
  expect(await check(clone.url)).toMatchObject({ code: 0, status: 'equal', pending: [] })
  const newer = await cloneDatabase()
  const client = await connected(newer.url)
  await client.query(`insert into kysely_migration values ('9999-later', now())`)
  await client.end()
  expect(await check(newer.url)).toMatchObject({
    code: 1,
    status: 'newer',
    database: '9999-later',
    unknown: ['9999-later'],
  })
  const old = await runPavilion(['merchant', 'list'], { DATABASE_URL: newer.url }, parent)
  expect(old.code).toBe(1)
  expect(old.stderr).toContain('The database is newer than this version of Pavilion')
  await newer.drop()
  const nowhere = join(parent, 'nothing')
  const none = await runPavilion(['migrate', '--check'], { PAVILION_DATA: nowhere }, parent)
  expect(none.code).toBe(1)
  expect(none.stderr).toContain(nowhere)
  expect(existsSync(nowhere)).toBe(false)
}, 240_000)
