import { execFile } from 'node:child_process'
import { constants, lchown, lstat, readdir, realpath, stat } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Binaries, copyNative, findNative, linkNative, USE_YOUR_OWN } from './binaries.ts'

/**
 * PostgreSQL refuses to run as root. An ordinary user runs it directly; root runs it as "nobody",
 * so that no user must be created, or in a user namespace that maps root to "nobody".
 */
export interface Account {
  binaries: Binaries
  /** Set when the program must be started as another user. */
  uid?: number
  gid?: number
  /** The command that starts PostgreSQL's own, if any. */
  wrapper: string[]
  /** The owner that PostgreSQL's files must have outside a namespace; unset: the current user. */
  owner?: { uid: number; gid: number }
}

const NOBODY = 65_534
const NAMESPACE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]
const PROBE_MS = 10_000

interface Folders {
  dataFolder: string
  cluster: string
  /** The installed binaries. */
  native: string
}

/** Returns an account to run PostgreSQL with, or why there is none. */
type FindAccount = (folders: Folders) => Promise<Account | string>

/** Returns the first account that can run PostgreSQL in this folder, as a probe shows. */
export async function chooseAccount(
  dataFolder: string,
  cluster: string,
  native: string = findNative(),
): Promise<Account> {
  const isRoot = process.getuid?.() === 0
  const candidates: FindAccount[] = isRoot ? [asOtherUser, inNamespace] : [asCurrentUser]
  const failures: string[] = []
  for (const findAccount of candidates) {
    const account = await findAccount({ dataFolder, cluster, native })
    const failure = typeof account === 'string' ? account : await probe(account)
    if (typeof account !== 'string' && failure === undefined) return account
    failures.push(failure ?? '')
  }
  if (!isRoot) {
    throw new Error(`The embedded PostgreSQL does not run here: ${failures[0]}. ${USE_YOUR_OWN}`)
  }
  throw new Error(
    `PostgreSQL does not run as root, and no other account works here (${failures.join('; ')}). ` +
      'Set PAVILION_DATA to a folder that every user can enter, such as /var/lib/pavilion, or ' +
      `run Pavilion as an ordinary user. ${USE_YOUR_OWN}`,
  )
}

async function asCurrentUser({ dataFolder, native }: Folders): Promise<Account> {
  return { binaries: await linkNative(native, join(dataFolder, 'native')), wrapper: [] }
}

/** The owner of an existing cluster keeps it: root may use an ordinary user's checkout. */
async function asOtherUser({ dataFolder, cluster, native }: Folders): Promise<Account | string> {
  const owner = await ownerOf(cluster)
  if (!(await canEnter(owner, dataFolder))) return `user ${owner.uid} cannot enter ${dataFolder}`
  const isReachable = await canEnter(owner, join(native, 'bin', 'postgres'))
  const binaries = await (isReachable ? linkNative : copyNative)(native, join(dataFolder, 'native'))
  return { binaries, ...owner, owner, wrapper: [] }
}

/** In a user namespace that maps root to "nobody"; outside it the files belong to root. */
async function inNamespace({ dataFolder, native }: Folders): Promise<Account | string> {
  const root = { uid: 0, gid: 0 }
  // In a namespace, root may no longer enter folders that others may not.
  if (!(await canEnter(root, dataFolder))) return `${dataFolder} is below another user's folder`
  const binaries = await linkNative(native, join(dataFolder, 'native'))
  return { binaries, owner: root, wrapper: NAMESPACE }
}

/** Changes the owner of the cluster when an earlier start ran it with another account. */
export async function giveTo(owner: Account['owner'], path: string): Promise<void> {
  if (owner === undefined || (await lstat(path)).uid === owner.uid) return
  const names = await readdir(path, { recursive: true })
  // The folder itself is last: its owner tells that all files are done.
  for (const name of [...names, '']) await lchown(join(path, name), owner.uid, owner.gid)
}

/** The command line of a program, with the account's wrapper. */
export function commandLine({ wrapper }: Account, program: string, args: string[]) {
  const [first, ...others] = wrapper
  if (first === undefined) return { command: program, args }
  return { command: first, args: [...others, program, ...args] }
}

export function environmentOf({ binaries }: Account): Record<string, string> {
  const libraries = binaries.libraries.join(delimiter)
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(process.platform === 'darwin'
      ? { DYLD_LIBRARY_PATH: libraries }
      : { LD_LIBRARY_PATH: libraries }),
  }
}

async function ownerOf(cluster: string): Promise<{ uid: number; gid: number }> {
  const owner = await stat(cluster).catch(() => undefined)
  if (owner === undefined || owner.uid === 0) return { uid: NOBODY, gid: NOBODY }
  return { uid: owner.uid, gid: owner.gid }
}

/** Whether the user may enter every folder of the path, with links resolved. */
async function canEnter(user: { uid: number; gid: number }, path: string): Promise<boolean> {
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder)
    const bits = uid === user.uid ? mode >> 6 : gid === user.gid ? mode >> 3 : mode
    if ((bits & constants.X_OK) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** Returns the error when the account cannot run PostgreSQL to print its version. */
async function probe(account: Account): Promise<string | undefined> {
  const { command, args } = commandLine(account, account.binaries.postgres, ['--version'])
  const user = account.uid === undefined ? '' : `as user ${account.uid}: `
  try {
    await promisify(execFile)(command, args, {
      uid: account.uid,
      gid: account.gid,
      env: environmentOf(account),
      timeout: PROBE_MS,
      cwd: '/',
    })
    return undefined
  } catch (error) {
    const { message, stderr } = error as Error & { stderr?: string }
    return `${user}${(stderr || message).trim()}`
  }
}
