/** Makes a market again from a backup. docs/backup.md explains it. */
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../../config.ts'
import { readBackup } from '../../database/backup/verify-backup.ts'
import { startProgress } from '../../lib/progress.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type CommonOptions, command, runCommand } from '../command.ts'
import { print } from '../output/print.ts'
import { startProgressBar } from '../output/progress-bar.ts'
import type { Moment } from './restore-at.ts'
import { type Restored, restoreIntoFolder, restoreIntoUrl } from './restore-into.ts'

interface RestoreOptions extends CommonOptions {
  into: string
  at?: Moment
}

const AT_FOLDER =
  'error: --at restores the whole embedded server, so --into must be a data folder, without ' +
  '--sandbox. An external PostgreSQL has its own ways to go back to a moment.'

const URL_SCHEME = /^postgres(ql)?:\/\//

export function restoreCommand(): Command {
  return command(
    'restore',
    'Make a market again from a backup, in a new data folder or an empty database',
    'pavilion restore /mnt/backups/monday --into /var/lib/pavilion',
  )
    .argument('<folder>', 'Folder that "pavilion backup" wrote')
    .requiredOption('--into <folder|url>', 'New data folder, or address of an empty database')
    .option(
      '--at <time>',
      'Go on to this moment (ISO 8601) or to "latest", with the log of PAVILION_WAL_ARCHIVE',
      readMoment,
    )
    .action((folder: string, options: RestoreOptions, self: Command) => {
      const isOneDatabase = URL_SCHEME.test(options.into) || options.sandbox
      if (options.at !== undefined && isOneDatabase) self.error(AT_FOLDER)
      return runCommand(options, async () => {
        const startMs = performance.now()
        const restored = await restore(resolve(folder), options)
        const seconds = Math.round((performance.now() - startMs) / 100) / 10
        print(options, { ...restored, seconds }, showRestored)
      })
    })
}

async function restore(folder: string, options: RestoreOptions): Promise<Restored> {
  const config = readConfig()
  const manifest = await readBackup(folder)
  const isUrl = URL_SCHEME.test(options.into)
  // An address names one database; a data folder has both.
  const wanted = options.sandbox ? ['test'] : isUrl ? ['live'] : ['live', 'test']
  const markets = manifest.markets.filter(({ realm }) => wanted.includes(realm))
  if (markets.length === 0) {
    const has = manifest.markets.map(({ realm }) => (realm === 'live' ? 'production' : 'sandbox'))
    const asked = options.sandbox ? 'sandbox' : 'production'
    throw new Refusal('not_found', `The backup has no ${asked}, only the ${has.join(' and ')}.`)
  }
  const total = markets.reduce((sum, { rows }) => sum + rows, 0)
  const bar = startProgressBar('rows')
  const report = startProgress(total, bar.show)
  let done = 0
  // Each row is counted when it is written and when it is read again.
  const onRows = (rows: number) => {
    done += rows / 2
    report(Math.floor(done))
  }
  try {
    const request = { backup: folder, manifest, markets, config, onRows, at: options.at }
    return await (isUrl
      ? restoreIntoUrl(options.into, request)
      : restoreIntoFolder(resolve(options.into), request))
  } finally {
    bar.end()
  }
}

function showRestored(restored: Restored & { seconds: number }): string {
  const rows = restored.markets.reduce((sum, market) => sum + market.rows, 0).toLocaleString('en')
  const realms = restored.markets.map(({ realm }) => (realm === 'live' ? 'production' : 'sandbox'))
  const names = realms.join(' and ')
  if (restored.at !== null) {
    const done = `Restored ${names} into ${restored.into} as of ${restored.at}`
    return [`${done} in ${restored.seconds} s.`, ...restored.notes].join('\n')
  }
  const done = `Restored ${names} into ${restored.into}: ${rows} rows in ${restored.seconds} s.`
  return [done, ...restored.notes].join('\n')
}

/** A time without an offset is in UTC, as every time of the market. */
function readMoment(text: string): Moment {
  if (text === 'latest') return text
  const hasOffset = /(Z|[+-]\d\d:?\d\d)$/.test(text)
  const isTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text)
  const moment = new Date(hasOffset ? text : `${text}Z`)
  if (isTime && !Number.isNaN(moment.getTime())) return moment
  throw new InvalidArgumentError('Expected a time such as 2026-11-16T14:30:00Z, or latest.')
}
