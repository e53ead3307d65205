import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compareSchema, migrate, pendingMigrations } from '../../src/database/migrate.ts'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { type ClonedDatabase, cloneDatabase, emptyDatabase } from '../support/database.ts'

let empty: ClonedDatabase
let database: Database
let folder: string

beforeEach(async () => {
  empty = await emptyDatabase()
  database = openDatabase({ url: empty.url, poolMax: 4 })
  folder = await mkdtemp(join(tmpdir(), 'pavilion-migrations-'))
})

afterEach(async () => {
  await database.close()
  await empty.drop()
  await rm(folder, { recursive: true })
})

describe('migrate', () => {
  it('applies the migrations of the package in the order of their numbers', async () => {
    const files = await readdir(new URL('../../migrations', import.meta.url))
    const numbered = files.filter((name) => /^\d/.test(name))
    const names = numbered.map((name) => name.replace('.sql', '')).sort()
    expect(await pendingMigrations(database.db)).toEqual(names)
    expect(await migrate(database.db)).toEqual({ applied: names })
    expect(await pendingMigrations(database.db)).toEqual([])
  })

  it('applies nothing the second time', async () => {
    await migrate(database.db)
    expect(await migrate(database.db)).toEqual({ applied: [] })
  })

  it('applies each migration once when two migrators run at once', async () => {
    await writeMigrations({ '0001-one': 'select pg_sleep(0.3); create table one (n int)' })
    const other = openDatabase({ url: empty.url })
    const both = await Promise.all([migrate(database.db, folder), migrate(other.db, folder)])
    await other.close()
    expect(both.flatMap(({ applied }) => applied)).toEqual(['0001-one'])
  })

  it('adds a later migration to those already applied', async () => {
    await writeMigrations({ '0001-one': 'create table one (n int)' })
    await migrate(database.db, folder)
    await writeMigrations({ '0002-two': 'create table two (n int); insert into one values (1)' })
    expect(await migrate(database.db, folder)).toEqual({ applied: ['0002-two'] })
    expect(await listTables()).toEqual(['one', 'two'])
  })

  it('names a failing migration, and leaves nothing of it or of the others', async () => {
    await writeMigrations({
      '0001-one': 'create table one (n int)',
      '0002-two': 'create table two (n int); insert into nowhere values (1)',
    })
    await expect(migrate(database.db, folder)).rejects.toThrow(
      'Migration 0002-two failed: relation "nowhere" does not exist',
    )
    expect(await listTables()).toEqual([])
    expect(await pendingMigrations(database.db, folder)).toEqual(['0001-one', '0002-two'])
  })

  it('leaves a database of another version alone, and says what to do', async () => {
    await writeMigrations({ '0001-one': 'create table one (n int)', '0002-old': 'select 1' })
    await migrate(database.db, folder)
    await rm(join(folder, '0002-old.sql'))
    await writeMigrations({ '0002-new': 'create table two (n int)' })
    const message =
      'The database was made by another version of Pavilion, which has the migration 0002-old: ' +
      'run that version, or start with an empty database by setting PAVILION_DATA to a new ' +
      'folder, or DATABASE_URL to a new database.'
    await expect(migrate(database.db, folder)).rejects.toThrow(message)
    await expect(pendingMigrations(database.db, folder)).rejects.toThrow(message)
    expect(await listTables()).toEqual(['one'])
  })

  it('says whether a database is older, equal, newer or of another version', async () => {
    const compare = async () => (await compareSchema(database.db, folder)).status
    await writeMigrations({ '0001-one': 'create table one (n int)' })
    expect(await compareSchema(database.db, folder)).toEqual({
      status: 'older',
      program: '0001-one',
      database: null,
      pending: ['0001-one'],
      unknown: [],
    })
    await migrate(database.db, folder)
    expect(await compare()).toBe('equal')
    await writeMigrations({ '0002-two': 'create table two (n int)' })
    expect(await compare()).toBe('older')
    await migrate(database.db, folder)
    await rm(join(folder, '0002-two.sql'))
    expect(await compare()).toBe('newer')
    await expect(migrate(database.db, folder)).rejects.toThrow(
      'The database is newer than this version of Pavilion, which knows the migrations up to ' +
        '0001-one and found 0002-two: run the version that made it, or a newer one.',
    )
    await writeMigrations({ '0003-three': 'select 1' })
    expect(await compare()).toBe('different')
  })

  it('is not ended by the timeout of ordinary statements, and restores it', async () => {
    const hasty = openDatabase({ url: empty.url, poolMax: 1, statementTimeoutMs: 100 })
    await writeMigrations({ '0001-slow': 'select pg_sleep(0.4)' })
    expect(await migrate(hasty.db, folder)).toEqual({ applied: ['0001-slow'] })
    await expect(sql`select pg_sleep(0.4)`.execute(hasty.db)).rejects.toThrow('statement timeout')
    await hasty.close()
  })
})

describe('cloneDatabase', () => {
  it('gives each caller a migrated database of its own', async () => {
    const [one, two] = await Promise.all([cloneDatabase(), cloneDatabase()])
    const opened = openDatabase({ url: one.url })
    expect(one.url).not.toBe(two.url)
    expect(await pendingMigrations(opened.db)).toEqual([])
    await opened.close()
    await Promise.all([one.drop(), two.drop()])
  })
})

async function writeMigrations(migrations: Record<string, string>) {
  for (const [name, text] of Object.entries(migrations)) {
    await writeFile(join(folder, `${name}.sql`), text)
  }
}

async function listTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely%' order by 1`.execute(database.db)
  return rows.map(({ name }) => name)
}
