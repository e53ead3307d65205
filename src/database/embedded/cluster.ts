import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chown,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Account, commandLine, environmentOf, giveTo } from './account.ts'
import { USE_YOUR_OWN } from './binaries.ts'
import { isAlive } from './process.ts'

/** The paths of a server below PAVILION_DATA. */
export interface Paths {
  folder: string
  cluster: string
  passwordFile: string
  logFile: string
  serverFile: string
  /** Exists while a backup is restored into the folder, and after an interrupted restore. */
  unfinishedFile: string
  /** Names the part of a WAL archive that belongs to this folder. */
  archiveIdFile: string
}

const INITDB_MS = 120_000

export function pathsIn(folder: string): Paths {
  return {
    folder,
    cluster: join(folder, 'postgres'),
    passwordFile: join(folder, 'postgres.password'),
    logFile: join(folder, 'postgres.log'),
    serverFile: join(folder, 'server.json'),
    unfinishedFile: join(folder, 'restore-unfinished'),
    archiveIdFile: join(folder, 'wal-archive.id'),
  }
}

/**
 * The password is written before the cluster is made, and linked into place: two processes that
 * start at once use the same one, whichever of their clusters is kept.
 */
export async function ensurePassword({ folder, passwordFile }: Paths): Promise<string> {
  const known = await readPassword(passwordFile)
  if (known !== undefined) return known
  const aside = join(folder, `postgres.password.${process.pid}-${randomBytes(4).toString('hex')}`)
  await writeFile(aside, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true })
  await link(aside, passwordFile).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(aside)
  return (await readFile(passwordFile, 'utf8')).trim()
}

async function readPassword(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code !== 'EACCES') throw error
    const { uid } = await stat(path)
    throw new Error(
      `${path} belongs to user ${uid} and cannot be read by this one (${process.getuid?.()}): ` +
        'run Pavilion as the user that started it first, or set PAVILION_DATA to another folder.',
      { cause: error },
    )
  }
}

interface ClusterOptions {
  account: Account
  password: string
  settings?: Record<string, string> | undefined
  onCreate: () => void
}

/**
 * Creates the cluster if there is none: complete with its role in a temporary folder, which is then
 * renamed. A start that is killed leaves only that folder, which the next start removes.
 */
export async function ensureCluster(paths: Paths, options: ClusterOptions): Promise<void> {
  const { account, password, settings } = options
  if (await hasCluster(paths)) return giveTo(account.owner, paths.cluster)
  options.onCreate()
  await removeUnfinished(paths.folder)
  const aside = join(paths.folder, `postgres.new-${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(aside, { mode: 0o700 })
    if (account.owner) await chown(aside, account.owner.uid, account.owner.gid)
    await runInitdb(join(aside, 'cluster'), account, settings?.fsync !== 'off')
    await createRole(join(aside, 'cluster'), account, password)
    await rename(join(aside, 'cluster'), paths.cluster)
    await syncFolder(paths.folder)
  } catch (error) {
    // Another process was faster; its cluster has the same password.
    if (!(await hasCluster(paths))) throw error
  } finally {
    await rm(aside, { recursive: true, force: true, maxRetries: 3 })
  }
}

export function hasCluster({ cluster }: Paths): Promise<boolean> {
  return stat(join(cluster, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
}

/** The builtin locale folds case and sorts the same on every system. */
async function runInitdb(cluster: string, account: Account, isSynced: boolean) {
  const words = [
    ['-D', cluster],
    ['--username=postgres', '--encoding=UTF8', '--locale=C'],
    ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ['--auth=trust', '--data-checksums', '--no-instructions'],
    isSynced ? [] : ['--no-sync'],
  ]
  try {
    await run(account, account.binaries.initdb, words)
  } catch (error) {
    if (!/could not look up effective user ID/.test((error as Error).message)) throw error
    throw new Error(
      'PostgreSQL creates a cluster only for a user that has a name, and user ' +
        `${account.uid ?? process.getuid?.()} has none on this machine: add the user to ` +
        `/etc/passwd, or run Pavilion as another one. ${USE_YOUR_OWN}`,
      { cause: error },
    )
  }
}

/**
 * The superuser has no password and can never log in; Pavilion's role owns the databases. Both are
 * set up in PostgreSQL's single-user mode, before any port is open.
 */
async function createRole(cluster: string, account: Account, password: string) {
  await writeAs(account, join(cluster, 'pg_hba.conf'), ACCESS_RULES)
  const { stderr } = await run(
    account,
    account.binaries.postgres,
    [['--single', '-D', cluster, '-c', 'password_encryption=scram-sha-256', 'postgres']],
    [
      `create role pavilion login createdb password '${password}'`,
      'grant pg_monitor, pg_checkpoint to pavilion',
      'grant execute on function pg_backup_start(text, boolean) to pavilion',
      'grant execute on function pg_backup_stop(boolean) to pavilion',
    ],
  )
  if (/ERROR|FATAL|PANIC/.test(stderr)) throw new Error(`Setting up PostgreSQL failed: ${stderr}`)
}

const ACCESS_RULES = `# Written by Pavilion: this machine only, with a password.
host all all 127.0.0.1/32 scram-sha-256
`

async function writeAs({ owner }: Account, path: string, text: string) {
  await writeFile(path, text, { mode: 0o600 })
  if (owner) await chown(path, owner.uid, owner.gid)
}

async function run(account: Account, program: string, words: string[][], lines: string[] = []) {
  const { command, args } = commandLine(account, program, words.flat())
  const running = promisify(execFile)(command, args, {
    uid: account.uid,
    gid: account.gid,
    env: environmentOf(account),
    timeout: INITDB_MS,
    cwd: '/',
  })
  running.child.stdin?.end(lines.map((line) => `${line}\n`).join(''))
  return running
}

/** Removes what killed starts left; the number in the name is the process that made the folder. */
async function removeUnfinished(folder: string) {
  for (const name of await readdir(folder)) {
    const pid = /^postgres\.(?:new|password)[.-](\d+)-/.exec(name)?.[1]
    if (pid === undefined || (await isAlive(Number(pid)))) continue
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}

async function syncFolder(path: string) {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
