/** Copies the markets into a folder, once or again and again. docs/backup.md explains it. */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { type Config, readConfig } from '../../config.ts'
import { recordBackup } from '../../database/backup/backup-status.ts'
import { copyBase } from '../../database/backup/base-backup.ts'
import { makeBackup, systemTime } from '../../database/backup/make-backup.ts'
import { FOLDER_MODE, type Manifest } from '../../database/backup/manifest.ts'
import { listOwn, nameInSeries, removeOld } from '../../database/backup/series.ts'
import { filesOf } from '../../database/backup/verify-backup.ts'
import { pathsIn } from '../../database/embedded/cluster.ts'
import { removeOldWal } from '../../database/embedded/wal-archive.ts'
import { openDatabase } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Realm } from '../../merchants/token.ts'
import { readVersion } from '../../version.ts'
import { readWholeNumber } from '../arguments.ts'
import { type CommonOptions, command, runCommand } from '../command.ts'
import { realmsOf, withUrls } from '../market.ts'
import { print } from '../output/print.ts'
import { startProgressBar } from '../output/progress-bar.ts'
import { hasMarket, noMarket, refuseNoCluster } from './find-market.ts'
import { type BackupReport, repeatBackups } from './repeat.ts'

interface BackupCommandOptions extends CommonOptions {
  every?: number
  keep?: number
  key: boolean
}

/** Enough for backups of several hours over days; a larger number must be a typing error. */
const KEEP_MAX = 100_000
const KEEP_ABSENT = 14

export function backupCommand(): Command {
  return command(
    'backup',
    'Copy production and sandbox into a folder, and read the copy again',
    'pavilion backup /mnt/backups --every 6h --keep 14',
  )
    .argument(
      '[folder]',
      'A new folder; with --every or --keep the folder of all backups, as without any name ' +
        '"backups" in the data folder',
    )
    .option('--every <duration>', 'Keep running, and make one so often: 15m, 6h or 1d', readEvery)
    .option(
      '--keep <count>',
      `Keep so many in the folder and remove older ones; ${KEEP_ABSENT} with --every`,
      readWholeNumber(1, KEEP_MAX),
    )
    .option('--no-key', 'Leave out the key of stored secrets, to keep it apart')
    .action((folder: string | undefined, options: BackupCommandOptions) =>
      runCommand(options, async () => {
        const config = readConfig()
        await refuseNoCluster(config, options.sandbox ? 'test' : 'live')
        if (options.every !== undefined) {
          const parent = seriesFolder(config, folder)
          await repeatBackups({
            everyMs: options.every,
            run: () => recorded(config, options, () => backUpNext(config, parent, options)),
            show: showReport,
            json: options.json ?? false,
          })
        } else {
          print(options, await backUpOnce(config, folder, options), showReport)
        }
      }),
    )
}

async function backUpOnce(
  config: Config,
  folder: string | undefined,
  options: BackupCommandOptions,
): Promise<BackupReport> {
  return recorded(config, options, async () =>
    folder !== undefined && options.keep === undefined
      ? (await backUp(config, resolve(folder), options)).report
      : backUpNext(config, seriesFolder(config, folder), options),
  )
}

/** Backups on the disk of the market do not survive that disk, so this is only the default. */
function seriesFolder(config: Config, folder: string | undefined): string {
  return folder === undefined ? join(config.dataFolder, 'backups') : resolve(folder)
}

/** Makes the next backup of a folder, and removes those that are too old if any are to be. */
async function backUpNext(
  config: Config,
  parent: string,
  options: BackupCommandOptions,
): Promise<BackupReport> {
  await mkdir(parent, { recursive: true, mode: FOLDER_MODE })
  const folder = join(parent, nameInSeries(systemTime()))
  const { report, manifest } = await backUp(config, folder, options)
  const keep = options.keep ?? (options.every === undefined ? undefined : KEEP_ABSENT)
  if (keep === undefined) return report
  const removed = await removeOld(parent, keep, manifest)
  await removeUnneededWal(parent, manifest)
  return { ...report, removed }
}

/** The log before the oldest backup that is left cannot be added to anything. */
async function removeUnneededWal(parent: string, manifest: Manifest): Promise<void> {
  if (manifest.base === null) return
  const { archive, archive_id } = manifest.base
  const left = (await listOwn(parent, manifest)).flatMap(({ manifest: { base } }) =>
    base?.archive_id === archive_id ? [base.first_wal] : [],
  )
  const [oldest] = left.sort()
  if (oldest !== undefined) await removeOldWal(join(archive, archive_id), oldest)
}

async function backUp(
  config: Config,
  folder: string,
  options: BackupCommandOptions,
): Promise<{ report: BackupReport; manifest: Manifest }> {
  const startMs = performance.now()
  const realms = realmsFor(config, options)
  const bar = startProgressBar('rows')
  try {
    const manifest = await withUrls(config, realms, async (markets) => {
      await refuseEmpty(config, markets)
      return makeBackup(folder, {
        markets,
        dataFolder: config.dataFolder,
        withKey: options.key,
        hasEnvironmentKey: config.secretKeys.length > 0,
        program: readVersion(),
        copyBase: baseCopierOf(config, options, markets),
        onProgress: bar.show,
      })
    })
    const report = reportOf(folder, manifest, (performance.now() - startMs) / 1000)
    return { report, manifest }
  } finally {
    bar.end()
  }
}

function realmsFor(config: Config, { sandbox }: CommonOptions): Realm[] {
  return sandbox ? ['test'] : realmsOf(config)
}

/**
 * Records what became of a backup, for metrics and `doctor`. A person who names a folder that
 * cannot be used reads the refusal; only on a schedule is it a backup that failed.
 */
async function recorded<T>(
  config: Config,
  options: BackupCommandOptions,
  work: () => Promise<T>,
): Promise<T> {
  const record = async (problem?: string) => {
    // It decides nothing, so a database that cannot take it is left alone.
    await withUrls(config, realmsFor(config, options), async (markets) => {
      for (const { url } of markets) await recordIn(url, problem)
    }).catch(() => {})
  }
  try {
    const result = await work()
    await record()
    return result
  } catch (error) {
    const isScheduled = options.every !== undefined || options.keep !== undefined
    if (isScheduled || !(error instanceof Refusal)) await record((error as Error).message)
    throw error
  }
}

async function recordIn(url: string, problem: string | undefined): Promise<void> {
  const database = openDatabase({ url, poolMax: 1 })
  try {
    await recordBackup(database.db, problem)
  } finally {
    await database.close()
  }
}

/** One of the databases may be empty, such as that of a sandbox that was never started. */
async function refuseEmpty(
  config: Config,
  markets: readonly { realm: Realm; url: string }[],
): Promise<void> {
  for (const { url } of markets) {
    const database = openDatabase({ url, poolMax: 1 })
    try {
      if (await hasMarket(database.db)) return
    } finally {
      await database.close()
    }
  }
  throw noMarket(config, markets[0].realm)
}

/** Only the embedded server archives its log for us, and its files have both markets. */
function baseCopierOf(
  { databaseUrl, dataFolder, walArchive }: Config,
  { sandbox }: CommonOptions,
  [market]: readonly { url: string }[],
) {
  if (walArchive === undefined || databaseUrl !== undefined || sandbox || !market) return undefined
  const url = new URL(market.url)
  // Where the role may begin a copy (embedded/cluster.ts).
  url.pathname = '/postgres'
  const paths = pathsIn(dataFolder)
  return (folder: string) => copyBase({ url: url.href, paths, archive: walArchive }, folder)
}

function reportOf(folder: string, manifest: Manifest, seconds: number): BackupReport {
  const markets = manifest.markets.map(({ realm, rows, tables, migrations, ...market }) => ({
    realm,
    taken_on: market.taken_on,
    rows,
    tables: tables.length,
    change_sequence: market.change_sequence,
    migration: migrations.at(-1) ?? '',
  }))
  return {
    folder,
    begun_on: manifest.begun_on,
    ended_on: manifest.ended_on ?? '',
    seconds: Math.round(seconds * 10) / 10,
    bytes: filesOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0),
    secret_key: manifest.secret_key,
    environment_key: manifest.environment_key,
    point_in_time: manifest.base !== null,
    markets,
    removed: [],
  }
}

const KEY_NOTES: Record<Manifest['secret_key'], string[]> = {
  included: ['It contains the key of stored secrets: keep it where nobody else can read it.'],
  left_out: ['It does not contain the key of stored secrets (secret.key): keep that apart.'],
  none: [],
}
const ENVIRONMENT_NOTE = 'It does not contain PAVILION_SECRET_KEY: keep that apart.'

function showReport(report: BackupReport): string {
  const { folder, seconds, bytes, markets, removed, secret_key } = report
  const rows = markets.reduce((sum, market) => sum + market.rows, 0).toLocaleString('en')
  const size = `${(bytes / 1e6).toFixed(1)} MB`
  const lines = [`Backed up ${rows} rows to ${folder} in ${seconds} s, ${size}, and read it again.`]
  if (report.point_in_time) lines.push('Archived WAL can be added to it: restore --at <time>.')
  lines.push(...KEY_NOTES[secret_key], ...(report.environment_key ? [ENVIRONMENT_NOTE] : []))
  for (const path of removed) lines.push(`Removed ${path}.`)
  return lines.join('\n')
}

const UNIT_MS = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['s', 1_000],
])
/** More often, one backup would follow the other without pause. */
const EVERY_MS_MIN = 1_000
const EVERY_MS_MAX = 31 * 86_400_000

function readEvery(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const ms = Number(count) * (UNIT_MS.get(unit) ?? Number.NaN)
  if (ms >= EVERY_MS_MIN && ms <= EVERY_MS_MAX) return ms
  throw new InvalidArgumentError('Expected a duration from 1s to 31d, such as 15m, 6h or 1d.')
}
