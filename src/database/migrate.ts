import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Migration, type MigrationProvider, Migrator, sql } from 'kysely'
import type { Db } from './open.ts'

/** The same two steps up from `src/database` and from the compiled `dist/database`. */
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Applies what is missing, all or nothing, in one transaction. Two migrators at once take turns:
 * Kysely's migrator holds a lock, and the second one finds nothing left to do.
 */
export function migrate(db: Db, folder = MIGRATIONS): Promise<{ applied: string[] }> {
  return db.connection().execute(async (connection) => {
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

/** Names of the migrations that this version brings and the database does not have yet. */
export async function pendingMigrations(db: Db, folder = MIGRATIONS): Promise<string[]> {
  const all = await migratorOf(db, folder).getMigrations()
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}

function migratorOf(db: Db, folder: string): Migrator {
  return new Migrator({ db, provider: sqlFiles(folder) })
}

/** `NNNN-words.sql`, forward only; the name without its ending is what the database remembers. */
function sqlFiles(folder: string): MigrationProvider {
  return {
    async getMigrations() {
      const names = (await readdir(folder)).filter((name) => /^\d{4}-.+\.sql$/.test(name)).sort()
      const migrations: Record<string, Migration> = {}
      for (const name of names) {
        const text = await readFile(join(folder, name), 'utf8')
        migrations[name.replace(/\.sql$/, '')] = {
          up: async (db) => {
            await sql.raw(text).execute(db)
          },
        }
      }
      return migrations
    },
  }
}
