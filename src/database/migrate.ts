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
  return db.connection().execute(async (connection) => {
    await refuseUnknown(connection, folder)
    // A migration, or the wait for another migrator, may take longer than a request may.
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      const { error, results = [] } = await migratorOf(connection, folder).migrateToLatest()
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
  await refuseUnknown(db, folder)
  const all = await migratorOf(db, folder).getMigrations()
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}

/** A database of another version is left alone, and the message says what to do about it. */
async function refuseUnknown(db: Db, folder: string): Promise<void> {
  const applied = await listApplied(db)
  const known = new Set(await listNames(folder))
  const unknown = applied.filter((name) => !known.has(name))
  if (unknown.length === 0) return
  const newest = [...known].at(-1) ?? ''
  if (unknown.every((name) => numberOf(name) > numberOf(newest))) {
    throw new Error(
      `The database is newer than this version of Pavilion, which knows the migrations up to ` +
        `${newest} and found ${unknown.at(-1)}: run the version that made it, or a newer one.`,
    )
  }
  throw new Error(
    'The database was made by another version of Pavilion, ' +
      `which has the migration ${unknown[0]}: run that version, or start with an empty database ` +
      'by setting PAVILION_DATA to a new folder, or DATABASE_URL to a new database.',
  )
}

function numberOf(name: string): number {
  return Number.parseInt(name, 10)
}

async function listApplied(db: Db): Promise<string[]> {
  const exists = await sql<{ exists: boolean }>`
    select to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null as exists`.execute(db)
  if (!exists.rows[0].exists) return []
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
