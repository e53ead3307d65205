/**
 * Updates the schema. `start` does it too, and with the embedded database every command does; an
 * external database is changed by nothing else, because other versions may be using it.
 */
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { migrate } from '../database/migrate.ts'
import { openDatabase } from '../database/open.ts'
import { type CommonOptions, command, runCommand } from './command.ts'
import { withDatabaseUrl } from './market.ts'
import { print } from './output/print.ts'

export function migrateCommand(): Command {
  return command('migrate', 'Update the database schema', 'pavilion migrate').action(
    (options: CommonOptions) =>
      runCommand(options, async () => {
        const realm = options.sandbox ? 'test' : 'live'
        const result = await withDatabaseUrl(readConfig(), realm, migrateDatabase)
        print(options, result, ({ applied }) =>
          applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`,
        )
      }),
  )
}

async function migrateDatabase(url: string): Promise<{ applied: string[] }> {
  // A migration may rewrite a large table, which takes longer than any request may.
  const database = openDatabase({ url, poolMax: 2, statementTimeoutMs: 0 })
  try {
    return await migrate(database.db)
  } finally {
    await database.close()
  }
}
