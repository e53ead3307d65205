/**
 * Fetches from a place that has files and folders: SFTP, FTP or this machine. The newest file that
 * fits is taken, unless it is the one that was imported last.
 */
import { posix } from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SeenFile } from '../../../database/tables/sources.ts'
import { FetchError } from './fetch-error.ts'
import type { FetchContext, FetchResult } from './fetch-settings.ts'
import { tooLarge } from './spool.ts'

export interface RemoteFile {
  path: string
  isFolder: boolean
  /** Undefined when the server does not tell. */
  size: number | undefined
  modifiedMs: number | undefined
}

export interface RemoteFiles {
  /** Returns undefined when there is nothing at the path. */
  stat(path: string): Promise<RemoteFile | undefined>
  /** Returns the files of a folder, without its subfolders; refuses more than `LISTED_MAX`. */
  list(folder: string): Promise<RemoteFile[]>
  read(path: string, sink: Writable): Promise<void>
  close(): void
}

/** A folder with more is not one that a supplier clears away. */
export const LISTED_MAX = 10_000

export function tooManyFiles(folder: string): FetchError {
  const detail = `${folder} has more than ${LISTED_MAX} files; name a folder with fewer.`
  return new FetchError('bad_response', detail)
}

export async function fetchRemote(
  files: RemoteFiles,
  path: string,
  seen: SeenFile | undefined,
  { settings, signal, spool }: FetchContext,
): Promise<FetchResult> {
  const file = await chooseFile(files, path)
  const fileName = posix.basename(file.path)
  if (seen && isSameFile(file, seen)) return { isUnchanged: true, fileName, seen }
  if ((file.size ?? 0) > settings.fileBytesMax) throw tooLarge(settings.fileBytesMax)
  await files.read(file.path, spool.sink())
  signal.throwIfAborted()
  await checkComplete(files, file, spool.bytes(), settings.settleMs)
  const sha256 = spool.sha256()
  return {
    isUnchanged: seen?.sha256 === sha256,
    fileName,
    seen: { path: file.path, sha256, size: file.size, modified_ms: file.modifiedMs },
  }
}

/** Without a size and a time only the content can tell. */
function isSameFile({ path, size, modifiedMs }: RemoteFile, seen: SeenFile): boolean {
  return (
    size !== undefined &&
    modifiedMs !== undefined &&
    path === seen.path &&
    size === seen.size &&
    modifiedMs === seen.modified_ms
  )
}

/** What the import can read, gzipped or not. */
const FEED_NAME = /\.(csv|tsv|txt|json|ndjson|jsonl|xlsx|xlsm|xls|xml|html?|zip)(\.gz)?$|\.gz$/i
/** Hidden files, and names that programs give to a file while they write it. */
const UNFINISHED = /^[.~]|\.(part|partial|filepart|tmp|temp|crdownload|swp|lock)$/i

type NameCheck = (name: string) => boolean

async function chooseFile(files: RemoteFiles, path: string): Promise<RemoteFile> {
  const name = posix.basename(path)
  if (name.includes('*')) return newestOf(files, posix.dirname(path), patternOf(name), name)
  const found = await files.stat(path)
  if (!found) throw new FetchError('file_not_found', `There is no ${path}.`)
  if (!found.isFolder) return found
  return newestOf(files, path, (each) => FEED_NAME.test(each), undefined)
}

/**
 * `*` stands for any characters. Upper and lower case are the same, as on many servers. Each part
 * is searched behind the one before: a regular expression would try all ways to divide a long
 * name, which takes minutes for a pattern with many stars.
 */
function patternOf(pattern: string): NameCheck {
  const [first, ...others] = pattern.toLowerCase().split('*')
  const last = others.pop() ?? ''
  return (text) => {
    const name = text.toLowerCase()
    if (!name.startsWith(first)) return false
    let end = first.length
    for (const part of others) {
      const at = name.indexOf(part, end)
      if (at === -1) return false
      end = at + part.length
    }
    return name.length - last.length >= end && name.endsWith(last)
  }
}

async function newestOf(
  files: RemoteFiles,
  folder: string,
  fits: NameCheck,
  pattern: string | undefined,
): Promise<RemoteFile> {
  const listed = (await files.list(folder)).filter(({ isFolder }) => !isFolder)
  const candidates = listed.filter(({ path }) => {
    const name = posix.basename(path)
    return !UNFINISHED.test(name) && fits(name)
  })
  const [newest] = candidates.sort(newestFirst)
  if (newest) return newest
  const wanted = pattern === undefined ? 'that can be imported' : `that fits ${pattern}`
  const detail = `None of the ${listed.length} files in ${folder} is one ${wanted}.`
  throw new FetchError('file_not_found', detail)
}

/** By time; without one, or at the same time, the last name: dates in names are then in order. */
function newestFirst(a: RemoteFile, b: RemoteFile): number {
  const byTime = (b.modifiedMs ?? 0) - (a.modifiedMs ?? 0)
  return byTime !== 0 ? byTime : a.path < b.path ? 1 : -1
}

/** How recent a file must be for a second look, by a clock that may differ from the server's. */
const RECENT_MS = 60_000

/**
 * Refuses a file that the supplier is still writing: half a list would be taken for the whole one.
 * Its size must be what was read, and must not change any more.
 */
async function checkComplete(
  files: RemoteFiles,
  file: RemoteFile,
  bytesRead: number,
  settleMs: number,
): Promise<void> {
  const name = posix.basename(file.path)
  const changing = new FetchError(
    'file_is_changing',
    `${name} changed while it was read; it is fetched again when it is complete.`,
  )
  if (file.size !== undefined && file.size !== bytesRead) throw changing
  // The clock of this machine: files carry real times.
  const nowMs = performance.timeOrigin + performance.now()
  const isRecent = file.modifiedMs !== undefined && Math.abs(nowMs - file.modifiedMs) < RECENT_MS
  if (isRecent) await sleep(settleMs)
  const after = await files.stat(file.path)
  if (after?.size !== file.size || after?.modifiedMs !== file.modifiedMs) throw changing
}
