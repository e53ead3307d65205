import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { openEmbedded } from '../database/embedded/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { openDatabase } from '../database/open.ts'
import type { Realm } from '../merchants/token.ts'
import { type CommonOptions, command, print, runCommand } from './command.ts'
import { embeddedUrlOf, externalUrlOf } from './market.ts'

export function migrateCommand(): Command {
  return command('migrate', 'bring the database up to date', 'pavilion migrate').action(
    (options: CommonOptions) =>
      runCommand(async () => {
        const result = await migrateRealm(options.sandbox ? 'test' : 'live')
        print(options, result, ({ applied }) =>
          applied.length === 0 ? 'Nothing to do.' : `Applied ${applied.join(', ')}.`,
        )
      }),
  )
}

async function migrateRealm(realm: Realm): Promise<{ applied: string[] }> {
  const config = readConfig()
  const external = externalUrlOf(config, realm)
  const embedded = external
    ? undefined
    : await openEmbedded({ dataFolder: config.dataFolder, serve: false })
  try {
    const url = external ?? (embedded && (await embeddedUrlOf(embedded, realm))) ?? ''
    const database = openDatabase({ url, poolMax: 2, statementTimeoutMs: 0 })
    try {
      return await migrate(database.db)
    } finally {
      await database.close()
    }
  } finally {
    await embedded?.close()
  }
}
