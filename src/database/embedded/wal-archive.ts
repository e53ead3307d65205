/**
 * An archive of PostgreSQL's write-ahead log (WAL): with a copy of the server's files it gives the
 * market back as it was at any moment. PostgreSQL itself copies each file of 16 MB when it is full,
 * and after a minute in any case. Each data folder has a folder of its own in the archive, so that
 * a restored market does not mix its log with that of the one it came from.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Account, commandLine, environmentOf } from './account.ts'
import type { Paths } from './cluster.ts'

/** At most so much of the latest work is not in the archive yet. */
const ARCHIVE_SECONDS = 60
const PROBE_MS = 10_000

/** The settings with which PostgreSQL archives its log. Creates the folder, and tests it. */
export async function archiveSettings(
  archive: string,
  paths: Paths,
  account: Account,
): Promise<Record<string, string>> {
  const folder = join(archive, await ensureArchiveId(paths))
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (account.owner) {
    await chown(folder, account.owner.uid, account.owner.gid)
    // PostgreSQL's account must be able to enter what root has just created.
    if (first !== undefined && first !== folder) await chmod(archive, 0o711)
  }
  await refuseUnwritable(folder, account)
  return {
    archive_mode: 'on',
    archive_timeout: String(ARCHIVE_SECONDS),
    archive_command: archiveCommand(folder),
  }
}

/** The name of the data folder's own part of an archive. */
export async function ensureArchiveId({ archiveIdFile }: Paths): Promise<string> {
  const id = randomBytes(8).toString('hex')
  await writeFile(archiveIdFile, `${id}\n`, { flag: 'wx', mode: 0o600, flush: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return (await readFile(archiveIdFile, 'utf8')).trim()
}

async function refuseUnwritable(folder: string, account: Account): Promise<void> {
  const { command, args } = commandLine(account, 'test', ['-w', folder])
  const { uid, gid } = account
  const options = { uid, gid, env: environmentOf(account), timeout: PROBE_MS, cwd: '/' }
  await promisify(execFile)(command, args, options).catch((error: unknown) => {
    throw new Error(
      `PostgreSQL cannot write its log to ${folder}: let the account that runs it enter and ` +
        'write the folder of PAVILION_WAL_ARCHIVE, or set it to another one.',
      { cause: error },
    )
  })
}

/** A file that is there already is right if it is the same; PostgreSQL may ask twice. */
function archiveCommand(folder: string): string {
  const file = `${quotedForShell(folder)}/%f.gz`
  const isSame = `gzip -dc ${file} | cmp -s - "%p"`
  const toDisk = `{ sync ${file}.new 2>/dev/null || sync; }`
  const copy = `gzip -1 -c "%p" > ${file}.new && ${toDisk} && mv ${file}.new ${file}`
  return `if test -e ${file}; then ${isSame}; else ${copy}; fi`
}

/** The command that gives an archived file back while a server is restored. */
export function restoreCommand(folder: string): string {
  const file = `${quotedForShell(folder)}/%f.gz`
  return `test -e ${file} && gzip -dc ${file} > "%p"`
}

/** PostgreSQL replaces %p and %f, and %% by one per cent sign. */
function quotedForShell(path: string): string {
  return `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
}

const SEGMENT = /^[0-9A-F]{24}(\.[0-9A-F]{8}\.backup)?\.gz$/
/** After the number of the timeline. */
const POSITION = [8, 24] as const

/** Removes the archived files before the first that is still needed; returns how many. */
export async function removeOldWal(folder: string, firstNeeded: string): Promise<number> {
  const names = (await readdir(folder)).filter(
    (name) => SEGMENT.test(name) && name.slice(...POSITION) < firstNeeded.slice(...POSITION),
  )
  for (const name of names) await rm(join(folder, name), { force: true })
  return names.length
}
