import { chmod, copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Progress, startProgress } from '../../lib/progress.ts'
import { Refusal } from '../../lib/refusal.ts'
import { keyFileIn } from '../secrets/key-file.ts'
import { exportMarket, identifyDatabase } from './export-market.ts'
import { measureFile } from './files.ts'
import {
  type BasePart,
  completeManifest,
  createFolder,
  type DatabasePart,
  FILE_MODE,
  type FilePart,
  FORMAT_VERSION,
  type Manifest,
  type MarketPart,
  syncFolder,
  writeManifest,
} from './manifest.ts'
import { filesOf, verifyWritten } from './verify-backup.ts'

export interface BackupOptions {
  /** The databases to read. */
  markets: readonly { realm: MarketPart['realm']; url: string }[]
  /** Where the key file is, if the node has one. */
  dataFolder: string
  /** Whether the key of stored secrets is copied, too. */
  withKey: boolean
  /** Whether PAVILION_SECRET_KEY is set. */
  hasEnvironmentKey: boolean
  program: string
  /** Copies the files of the embedded server; absent without an archive of its WAL. */
  copyBase?: ((folder: string) => Promise<BasePart>) | undefined
  onProgress?: ((progress: Progress) => void) | undefined
}

export const KEY_FILE = 'secret.key'

/**
 * Writes a backup into a new folder and reads it again. The folder is removed when that fails; one
 * that a killed process leaves says that it is unfinished.
 */
export async function makeBackup(folder: string, options: BackupOptions): Promise<Manifest> {
  await createFolder(folder)
  try {
    return await writeBackup(folder, options)
  } catch (error) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
    throw error
  }
}

async function writeBackup(folder: string, options: BackupOptions): Promise<Manifest> {
  const begunOn = systemTime()
  const databases = await identifyDatabases(options)
  const unfinished: Manifest = {
    format: 'pavilion-backup',
    format_version: FORMAT_VERSION,
    status: 'unfinished',
    program: options.program,
    begun_on: begunOn,
    ended_on: null,
    secret_key: 'none',
    environment_key: options.hasEnvironmentKey,
    databases,
    markets: [],
    base: null,
  }
  await writeManifest(folder, unfinished)
  const rows = countTwice(options.onProgress)
  const key = await copyKey(folder, options)
  const markets: MarketPart[] = []
  for (const { realm, url } of options.markets) {
    if (databases.every((database) => database.realm !== realm)) continue
    markets.push(await exportMarket(url, folder, realm, rows))
  }
  const base = (await options.copyBase?.(folder)) ?? null
  const written: Manifest = { ...unfinished, ...key.state, markets, base }
  await verifyWritten(folder, written, (read) => rows.add(read))
  for (const { realm } of markets) await syncFolder(join(folder, realm))
  const complete: Manifest = { ...written, status: 'complete', ended_on: systemTime() }
  await completeManifest(folder, complete, [...filesOf(complete), ...key.files])
  return complete
}

async function identifyDatabases({ markets }: BackupOptions): Promise<DatabasePart[]> {
  const found: DatabasePart[] = []
  for (const { realm, url } of markets) {
    const database = await identifyDatabase(url, realm)
    if (database) found.push(database)
  }
  if (found.length > 0) return found
  throw new Refusal('not_found', 'The database has no market yet, so there is nothing to back up.')
}

/** Backups are told apart by the time of the machine; no rule of the market depends on it. */
export function systemTime(): string {
  return new Date(performance.timeOrigin + performance.now()).toISOString()
}

/** Each row is written once and read once. */
function countTwice(onProgress: BackupOptions['onProgress']) {
  let total = 0
  let done = 0
  const report = startProgress(() => total, onProgress)
  return {
    expect(rows: number) {
      total += rows * 2
    },
    add(rows: number) {
      done += rows
      report(done)
    },
  }
}

async function copyKey(
  folder: string,
  { dataFolder, withKey }: BackupOptions,
): Promise<{ state: Pick<Manifest, 'secret_key'>; files: FilePart[] }> {
  if (!withKey) return { state: { secret_key: 'left_out' }, files: [] }
  const copy = join(folder, KEY_FILE)
  try {
    await copyFile(keyFileIn(dataFolder), copy)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { state: { secret_key: 'none' }, files: [] }
  }
  await chmod(copy, FILE_MODE)
  const { bytes, sha256 } = await measureFile(copy)
  return { state: { secret_key: 'included' }, files: [{ file: KEY_FILE, bytes, sha256 }] }
}
