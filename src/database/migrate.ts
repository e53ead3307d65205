import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  DEFAULT_MIGRATION_TABLE,
  type Migration,
  type MigrationProvider,
  Migrator,
  sql,
} from 'kysely'
import type { Db } from './open.ts'

/** Two folders up, both from `src/database` and from the compiled `dist/database`. */
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Applies the missing migrations in one transaction, all or nothing. Kysely's migrator holds a
 * lock: of two that run at once, the second finds nothing left to do.
 */
export function migrate(db: Db, folder = MIGRATIONS): Promise<{ applied: string[] }> {
  return migrateThrough(db, folder, undefined)
}

/** For a restore, which marks its database as unfinished: migrates up to a name, or to the end. */
export function migrateRestored(db: Db, last?: string): Promise<{ applied: string[] }> {
  return migrateThrough(db, MIGRATIONS, { last })
}

/** Names of all migrations of this version, in their order. */
export function knownMigrations(): Promise<string[]> {
  return listNames(MIGRATIONS)
}

function migrateThrough(
  db: Db,
  folder: string,
  restored: { last: string | undefined } | undefined,
): Promise<{ applied: string[] }> {
  return db.connection().execute(async (connection) => {
    if (restored === undefined) await refuseUnfinished(connection)
    await refuseUnknown(connection, folder)
    // A migration, or the wait for another migrator, may take longer than a request may.
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      const migrator = migratorOf(connection, folder)
      const { error, results = [] } = await (restored?.last === undefined
        ? migrator.migrateToLatest()
        : migrator.migrateTo(restored.last))
      if (error === undefined) return { applied: results.map((result) => result.migrationName) }
      const failed = results.find((result) => result.status === 'Error')?.migrationName
      throw new Error(
        `${failed ? `Migration ${failed}` : 'Migrating'} failed: ${(error as Error).message}`,
        { cause: error },
      )
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

/** Names of the migrations that this version has and the database does not. */
export async function pendingMigrations(db: Db, folder = MIGRATIONS): Promise<string[]> {
  await refuseUnfinished(db)
  await refuseUnknown(db, folder)
  const all = await migratorOf(db, folder).getMigrations()
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}

/** A restore makes this table first and removes it last. */
export const UNFINISHED_RESTORE = 'unfinished_restore'

/** A database whose restore was interrupted has not all of its market. */
async function refuseUnfinished(db: Db): Promise<void> {
  if (!(await hasTable(db, UNFINISHED_RESTORE))) return
  throw new Error(
    'The restore into this database was not finished: create the database again and restore into ' +
      'it, or wait if "pavilion restore" is still running.',
  )
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass(${name}) is not null as exists`.execute(db)
  return rows[0].exists
}

/** How the schema of a database compares with the one that this version makes. */
export interface SchemaComparison {
  status: 'older' | 'equal' | 'newer' | 'different'
  /** The newest migration of this version, and of the database; null when it has none. */
  program: string
  database: string | null
  /** Migrations that the database lacks, and those that this version does not know. */
  pending: string[]
  unknown: string[]
}

/** Compares without changing anything. */
export async function compareSchema(db: Db, folder = MIGRATIONS): Promise<SchemaComparison> {
  await refuseUnfinished(db)
  return compare(db, folder)
}

async function compare(db: Db, folder: string): Promise<SchemaComparison> {
  const applied = await listApplied(db)
  const known = await listNames(folder)
  const newest = known.at(-1) ?? ''
  const pending = known.filter((name) => !applied.includes(name))
  const unknown = applied.filter((name) => !known.includes(name))
  const isNewer = unknown.every((name) => numberOf(name) > numberOf(newest))
  const status =
    unknown.length === 0
      ? pending.length === 0
        ? 'equal'
        : 'older'
      : isNewer
        ? 'newer'
        : 'different'
  return { status, program: newest, database: applied.at(-1) ?? null, pending, unknown }
}

/** A sentence about a database that this version must leave alone; undefined for any other. */
export function describeOther(comparison: SchemaComparison): string | undefined {
  const { status, program, unknown } = comparison
  if (status === 'newer') {
    return (
      `The database is newer than this version of Pavilion, which knows the migrations up to ` +
      `${program} and found ${unknown.at(-1)}: run the version that made it, or a newer one.`
    )
  }
  if (status !== 'different') return undefined
  return (
    'The database was made by another version of Pavilion, ' +
    `which has the migration ${unknown[0]}: run that version, or start with an empty database ` +
    'by setting PAVILION_DATA to a new folder, or DATABASE_URL to a new database.'
  )
}

/** A database of another version is left alone, and the message says what to do about it. */
async function refuseUnknown(db: Db, folder: string): Promise<void> {
  const problem = describeOther(await compare(db, folder))
  if (problem !== undefined) throw new Error(problem)
}

function numberOf(name: string): number {
  return Number.parseInt(name, 10)
}

async function listApplied(db: Db): Promise<string[]> {
  if (!(await hasTable(db, DEFAULT_MIGRATION_TABLE))) return []
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

function migratorOf(db: Db, folder: string): Migrator {
  return new Migrator({ db, provider: sqlFiles(folder) })
}

/** The names of the files `NNNN-words.sql` without their ending, which the database remembers. */
async function listNames(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}-.+\.sql$/.test(name))
  return files.map((name) => name.replace(/\.sql$/, '')).sort()
}

function sqlFiles(folder: string): MigrationProvider {
  return {
    async getMigrations() {
      const migrations: Record<string, Migration> = {}
      for (const name of await listNames(folder)) {
        const text = await readFile(join(folder, `${name}.sql`), 'utf8')
        migrations[name] = {
          up: async (db) => {
            await sql.raw(text).execute(db)
          },
        }
      }
      return migrations
    },
  }
}
