/**
 * What a backup folder says about itself. `backup.json` is written first, as unfinished, and again
 * when everything else is on the disk; `SHA256SUMS` is written last and covers every other file.
 */
import { createHash } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Refusal } from '../../lib/refusal.ts'
import { isStorageFull } from '../errors.ts'

export interface Manifest {
  format: 'pavilion-backup'
  format_version: number
  status: 'unfinished' | 'complete'
  /** The version of the program that wrote it. */
  program: string
  begun_on: string
  ended_on: string | null
  /** Where the key of stored secrets was: in `secret.key` of this folder, or not here. */
  secret_key: 'included' | 'left_out' | 'none'
  /** Whether the node also had keys from PAVILION_SECRET_KEY, which are never here. */
  environment_key: boolean
  /** Which databases were read; a restored one is another. */
  databases: DatabasePart[]
  markets: MarketPart[]
  /** A copy of the embedded server's files, to which archived WAL can be added. */
  base: BasePart | null
}

export interface DatabasePart {
  realm: 'live' | 'test'
  name: string
  /** What the server has called itself since it was created; its replicas say the same. */
  system_identifier: string
  server_version: string
}

/** One database, as one transaction saw it. */
export interface MarketPart {
  realm: 'live' | 'test'
  /** The time of the market at which it was read. */
  taken_on: string
  migrations: string[]
  /** The last number of the change log. */
  change_sequence: number
  /** How far the clock of a sandbox was moved. */
  clock_offset_seconds: number
  rows: number
  tables: TablePart[]
  sequences: SequencePart[]
}

export interface TablePart extends FilePart {
  name: string
  /** Without those that PostgreSQL computes. */
  columns: string[]
  rows: number
  /** Of the text that COPY printed, before it was compressed. */
  content_sha256: string
}

export interface SequencePart {
  name: string
  last_value: string
  is_called: boolean
}

export interface BasePart extends FilePart {
  /** The folder below PAVILION_WAL_ARCHIVE that has the WAL of this server. */
  archive: string
  archive_id: string
  /** The name of the first archived file that it needs. */
  first_wal: string
  begun_on: string
  ended_on: string
  content_bytes: number
}

export interface FilePart {
  /** The path below the backup folder. */
  file: string
  bytes: number
  sha256: string
}

export const MANIFEST_FILE = 'backup.json'
export const SUMS_FILE = 'SHA256SUMS'
export const FORMAT_VERSION = 1
/** A backup shows what the market knows, so only its owner may read it. */
export const FOLDER_MODE = 0o700
export const FILE_MODE = 0o600

/** Creates the folder of a new backup. One with anything in it is refused. */
export async function createFolder(folder: string): Promise<void> {
  const names: string[] = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code !== 'ENOTDIR') throw unusable(folder, error)
    throw new Refusal('invalid_request', `${folder} is a file; name a folder for the backup.`)
  })
  if (names.length > 0) {
    throw new Refusal(
      'market_not_empty',
      `${folder} is not empty: it has ${listed(names)}. Name a new folder for the backup.`,
    )
  }
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE }).catch((error: Error) => {
    throw unusable(folder, error)
  })
  await chmod(folder, FOLDER_MODE)
}

/** A full disk is not the fault of the folder that was named. */
function unusable(folder: string, error: Error): Error {
  if (isStorageFull(error)) return error
  return new Refusal('invalid_request', `${folder} cannot be used: ${error.message}.`)
}

const LISTED_MAX = 5

/** The first names of a list, for a message. */
export function listed(names: readonly string[]): string {
  const more = names.length - LISTED_MAX
  return names.slice(0, LISTED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Writes the file beside its place and renames it, so that it is never seen half written. */
async function writeWhole(path: string, text: string): Promise<void> {
  const aside = `${path}.new`
  const file = await open(aside, 'w', FILE_MODE)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(aside, path)
  await syncFolder(dirname(path))
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeWhole(join(folder, MANIFEST_FILE), textOf(manifest))
}

/** Completes the backup: from now on it can be restored. */
export async function completeManifest(
  folder: string,
  manifest: Manifest,
  files: readonly FilePart[],
): Promise<void> {
  await writeManifest(folder, manifest)
  const own = createHash('sha256').update(textOf(manifest)).digest('hex')
  const lines = files.map(({ file, sha256 }) => `${sha256}  ${file}\n`)
  await writeWhole(join(folder, SUMS_FILE), [...lines, `${own}  ${MANIFEST_FILE}\n`].join(''))
}

function textOf(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 1)}\n`
}

/** Reads what a folder says about itself; undefined when it is not a backup. */
export async function findManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const manifest = JSON.parse(text) as Partial<Manifest> | null
    return manifest?.format === 'pavilion-backup' ? (manifest as Manifest) : undefined
  } catch {
    return undefined
  }
}
