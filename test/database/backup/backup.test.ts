import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addParcels } from '../../../bench/orders/market.ts'
import { type BackupOptions, makeBackup } from '../../../src/database/backup/make-backup.ts'
import type { Manifest } from '../../../src/database/backup/manifest.ts'
import {
  refuseOtherSchema,
  refuseUsedDatabase,
  restoreMarket,
} from '../../../src/database/backup/restore-market.ts'
import { readBackup } from '../../../src/database/backup/verify-backup.ts'
import { pendingMigrations } from '../../../src/database/migrate.ts'
import { type Database, openDatabase } from '../../../src/database/open.ts'
import { buildApp } from '../../../src/http/app.ts'
import { lastNumber, listChanges } from '../../support/change-log.ts'
import { type ClonedDatabase, emptyDatabase } from '../../support/database.ts'
import { type DemoTestMarket, openDemoMarket } from '../../support/demo-market.ts'
import { printSchema } from '../../support/schema.ts'

/** Enough orders before, during and after the backup to see whether it cuts one in two. */
const CLIENTS = 4

let market: DemoTestMarket
let parent: string
let sku: string
let buyer: string

beforeAll(async () => {
  market = await openDemoMarket(300)
  parent = await mkdtemp(join(tmpdir(), 'pavilion-backup-'))
  ;[sku] = (await addParcels(market.database.db, 1, 100_000)) as [string]
  buyer = (await market.merchant()).key
})
afterAll(async () => {
  await market.close()
  await rm(parent, { recursive: true })
})

const optionsOf = (more: Partial<BackupOptions> = {}): BackupOptions => ({
  markets: [{ realm: 'live', url: market.database.url }],
  dataFolder: join(parent, 'data'),
  withKey: true,
  hasEnvironmentKey: false,
  program: 'test',
  ...more,
})

let made = 0
const newFolder = () => join(parent, `backup-${made++}`)

/** Restores the only market of a backup into an empty database, which is removed at the end. */
async function restored(
  folder: string,
  manifest: Manifest,
  work: (database: Database, clone: ClonedDatabase) => Promise<void>,
) {
  const clone = await emptyDatabase()
  const database = openDatabase({ url: clone.url, poolMax: 2 })
  try {
    await restoreMarket(clone.url, folder, manifest.markets[0]!, () => {})
    await work(database, clone)
  } finally {
    await database.close()
    await clone.drop()
  }
}

async function order(): Promise<string> {
  const response = await market.call('POST', '/api/v2/orders/place', {
    token: buyer,
    headers: { 'idempotency-key': randomUUID() },
    body: { order_type: 'invoice', line_items: [{ sku, quantity: 1 }] },
  })
  expect(response.status, response.text).toBe(200)
  return response.body.uuid as string
}

/** What must be the same on both sides: every row of every table, the log, the money. */
async function pictureOf({ db }: Database) {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind = 'r' order by 1`.execute(db)
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(name)}`.execute(db)
    counts[name] = rows[0]!.count
  }
  const { rows } = await sql<Record<string, unknown>>`
    select (select sum(amount) from ledger_entry) as ledger, (select last from change_clock),
      (select count(*) = max(sequence) - min(sequence) + 1 from change) as is_log_whole,
      (select max(sequence) from change) as newest,
      (select sum(quantity) from gem) as stock,
      (select md5(string_agg(g::text, '' order by id)) from gem g) as gems,
      (select md5(string_agg(o::text, '' order by uuid)) from orders o) as orders`.execute(db)
  return { counts, ...rows[0]! } as { counts: typeof counts } & Record<string, unknown>
}

const ATTEMPTS = 10

/** What the server does beside requests may write in the same moment; then it is done again. */
async function backUpAtRest() {
  for (let attempt = 1; ; attempt++) {
    const folder = newFolder()
    const before = await pictureOf(market.database)
    const manifest = await makeBackup(folder, optionsOf())
    const picture = await pictureOf(market.database)
    if (attempt === ATTEMPTS || JSON.stringify(before) === JSON.stringify(picture)) {
      return { folder, manifest, picture }
    }
  }
}

describe('a backup', () => {
  it('is restored to the same rows, sums, schema and change log', async () => {
    await order()
    const { folder, manifest, picture } = await backUpAtRest()
    expect(await readBackup(folder)).toEqual(manifest)
    await restored(folder, manifest, async (database) => {
      expect(await pictureOf(database)).toEqual(picture)
      expect(await printSchema(database.db)).toBe(await printSchema(market.database.db))
      expect(await pendingMigrations(database.db)).toEqual([])
    })
  })

  it('holds what was acknowledged before it, and of later orders no half and no gap', async () => {
    const acknowledged = await Promise.all(Array.from({ length: CLIENTS }, order))
    let isDone = false
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isDone) await order()
    })
    const folder = newFolder()
    const manifest = await makeBackup(folder, optionsOf()).finally(() => {
      isDone = true
    })
    await Promise.all(clients)
    // The clock of a sandbox is not in a table.
    manifest.markets[0]!.clock_offset_seconds = 86_400
    await restored(folder, manifest, async (database) => {
      const { db } = database
      const kept = await db.selectFrom('orders').select('uuid').execute()
      const uuids = new Set(kept.map(({ uuid }) => uuid))
      expect(acknowledged.filter((uuid) => !uuids.has(uuid))).toEqual([])
      const picture = await pictureOf(database)
      expect(picture).toMatchObject({ is_log_whole: true })
      expect(manifest.markets[0]!.change_sequence).toBe(picture.last)
      // Each order of the parcel took one unit, and has its lines, its entry and its event.
      const { rows } = await sql<Record<string, number>>`
        select (select quantity from gem where sku = ${sku}) as stock,
          (select sum(quantity)::int from order_line where sku = ${sku}) as ordered,
          (select count(*) from orders o where not exists
            (select from order_line l where l.order_uuid = o.uuid)) as without_lines,
          extract(epoch from market_offset())::int as moved`.execute(db)
      expect(Number(rows[0]!.stock) + Number(rows[0]!.ordered)).toBe(100_000)
      expect(rows[0]!.without_lines).toBe(0)
      expect(rows[0]!.moved).toBe(86_400)
    })
  })

  it('becomes a market that serves, takes orders and goes on numbering', async () => {
    const folder = newFolder()
    const manifest = await makeBackup(folder, optionsOf())
    await restored(folder, manifest, async (database) => {
      const app = await buildApp({ ...market.deps, database })
      await app.ready()
      const placed = await app.inject({
        method: 'POST',
        url: '/api/v2/orders/place',
        headers: { authorization: `Bearer ${buyer}` },
        payload: { order_type: 'invoice', line_items: [{ sku, quantity: 1 }] },
      })
      expect(placed.statusCode, placed.body).toBe(200)
      const { uuid } = placed.json() as { uuid: string }
      const orders = await database.db.selectFrom('orders').select('uuid').execute()
      expect(orders.map((each) => each.uuid)).toContain(uuid)
      // Above all numbers that merchants may have seen after the backup.
      const { change_sequence } = manifest.markets[0]!
      expect(await lastNumber(database.db)).toBeGreaterThan(change_sequence + 1_000_000)
      await expect(listChanges(database.db, change_sequence, 10)).rejects.toThrow('snapshot')
      await app.close()
    })
  })

  it('can be read by its owner only, and keeps the key of stored secrets unless told', async () => {
    const dataFolder = join(parent, 'data')
    await mkdir(dataFolder, { recursive: true })
    await writeFile(join(dataFolder, 'secret.key'), '# keys\n', { mode: 0o600 })
    const folder = newFolder()
    expect(await makeBackup(folder, optionsOf())).toMatchObject({ secret_key: 'included' })
    const names = await readdir(folder, { recursive: true })
    expect(names).toEqual(expect.arrayContaining(['backup.json', 'SHA256SUMS', 'secret.key']))
    for (const name of [...names, '']) {
      expect((await stat(join(folder, name))).mode & 0o077, name).toBe(0)
    }
    const apart = await makeBackup(newFolder(), optionsOf({ withKey: false }))
    expect(apart.secret_key).toBe('left_out')
    await rm(dataFolder, { recursive: true })
  })
})

describe('a backup that cannot be used', () => {
  it('is found by one broken byte in any of its files, and nothing is restored', async () => {
    const folder = newFolder()
    const manifest = await makeBackup(folder, optionsOf())
    const gems = manifest.markets[0]!.tables.find(({ name }) => name === 'gem')!.file
    for (const file of [gems, 'backup.json', 'SHA256SUMS']) {
      const bytes = await readFile(join(folder, file))
      const broken = Buffer.from(bytes)
      const middle = Math.floor(broken.length / 2)
      broken[middle] = broken[middle]! ^ 1
      await writeFile(join(folder, file), broken)
      await expect(readBackup(folder), file).rejects.toThrow(/is damaged: .*Nothing was restored/)
      await writeFile(join(folder, file), bytes)
    }
    await rm(join(folder, gems))
    await expect(readBackup(folder)).rejects.toThrow(`is damaged: ${gems} is not as it was written`)
  })

  it('says that it is unfinished, does not exist, or is of a later version', async () => {
    const folder = newFolder()
    const manifest = await makeBackup(folder, optionsOf())
    await rm(join(folder, 'SHA256SUMS'))
    const unfinished = JSON.stringify({ ...manifest, status: 'unfinished' })
    await writeFile(join(folder, 'backup.json'), unfinished)
    await expect(readBackup(folder)).rejects.toThrow('was not finished')
    await expect(readBackup(join(parent, 'nowhere'))).rejects.toThrow('does not exist')
    await expect(readBackup(parent)).rejects.toThrow('so it is not a backup')
    const later = { ...manifest.markets[0]!, migrations: ['9999-later'] }
    await expect(refuseOtherSchema(later)).rejects.toThrow('9999-later, which this version')
  })

  it('is not written into a folder with something in it, and leaves nothing when it fails', async () => {
    await expect(makeBackup(parent, optionsOf())).rejects.toThrow(/is not empty: it has .*backup-0/)
    const folder = newFolder()
    const nowhere = market.database.url.replace(/\/[^/]+$/, '/no_such_database')
    const options = optionsOf({ markets: [{ realm: 'live', url: nowhere }] })
    await expect(makeBackup(folder, options)).rejects.toThrow('does not exist')
    await expect(stat(folder)).rejects.toThrow('ENOENT')
    const clone = await emptyDatabase()
    const empty = optionsOf({ markets: [{ realm: 'live', url: clone.url }] })
    await expect(makeBackup(folder, empty)).rejects.toThrow('nothing to back up')
    await clone.drop()
  })
})

describe('a database to restore into', () => {
  it('must be empty, and what is in it is said', async () => {
    await expect(refuseUsedDatabase(market.database.url)).rejects.toThrow(
      /it has a market with \d+ stones, \d+ merchants and \d+ orders/,
    )
    const clone = await emptyDatabase()
    await expect(refuseUsedDatabase(clone.url)).resolves.toBeUndefined()
    const database = openDatabase({ url: clone.url, poolMax: 1 })
    await sql`create table recipe (name text)`.execute(database.db)
    await expect(refuseUsedDatabase(clone.url)).rejects.toThrow('it has the tables recipe')
    await database.close()
    await clone.drop()
  })

  it('says that it is unfinished when the restore was interrupted', async () => {
    const folder = newFolder()
    const manifest = await makeBackup(folder, optionsOf())
    const [file] = manifest.markets[0]!.tables.filter(({ name }) => name === 'token')
    await rm(join(folder, file!.file))
    const clone = await emptyDatabase()
    const database = openDatabase({ url: clone.url, poolMax: 1 })
    await expect(restoreMarket(clone.url, folder, manifest.markets[0]!, () => {})).rejects.toThrow(
      'ENOENT',
    )
    await expect(pendingMigrations(database.db)).rejects.toThrow('was not finished')
    await expect(refuseUsedDatabase(clone.url)).rejects.toThrow('was not finished')
    expect(await database.db.selectFrom('gem').select('id').execute()).toEqual([])
    await database.close()
    await clone.drop()
  })
})
