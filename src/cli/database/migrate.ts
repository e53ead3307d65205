/**
 * Updates the schema. `start` does it too, and with the embedded database every command does; an
 * external database is changed by nothing else, because other versions may be using it.
 */
import type { Command } from 'commander'
import { type Config, readConfig } from '../../config.ts'
import {
  compareSchema,
  describeOther,
  migrate,
  type SchemaComparison,
} from '../../database/migrate.ts'
import { type Db, openDatabase } from '../../database/open.ts'
import type { Realm } from '../../merchants/token.ts'
import { type CommonOptions, command, EXIT, runCommand } from '../command.ts'
import { withDatabaseUrl } from '../market.ts'
import { print } from '../output/print.ts'
import { refuseNoCluster, refuseOtherMarket } from './find-market.ts'

export function migrateCommand(): Command {
  return command('migrate', 'Update the database schema', 'pavilion migrate --check')
    .option('--check', 'Change nothing; exit with 1 unless the database is of this version')
    .action((options: CommonOptions & { check?: boolean }) =>
      runCommand(options, async () => {
        const config = readConfig()
        const realm = options.sandbox ? 'test' : 'live'
        if (options.check) {
          await refuseNoCluster(config, realm)
          const comparison = await onDatabase(config, realm, compareSchema)
          if (comparison.status !== 'equal') process.exitCode = EXIT.failed
          print(options, comparison, showComparison)
        } else {
          const result = await onDatabase(config, realm, async (db) => {
            const migrated = await migrate(db)
            await refuseOtherMarket(db, realm)
            return migrated
          })
          print(options, result, ({ applied }) =>
            applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`,
          )
        }
      }),
    )
}

function onDatabase<T>(config: Config, realm: Realm, work: (db: Db) => Promise<T>): Promise<T> {
  const run = async (url: string) => {
    // A migration may rewrite a large table, which takes longer than any request may.
    const database = openDatabase({ url, poolMax: 2, statementTimeoutMs: 0 })
    try {
      return await work(database.db)
    } finally {
      await database.close()
    }
  }
  return withDatabaseUrl(config, realm, run, { mayCreate: true })
}

function showComparison(comparison: SchemaComparison): string {
  const { status, program, pending } = comparison
  if (status === 'equal') return `The database is of this version: both have ${program}.`
  const older =
    `The database is older than this version of Pavilion: it lacks ${pending.join(', ')}. ` +
    'Run "pavilion migrate".'
  return describeOther(comparison) ?? older
}
