import { execFile } from 'node:child_process'
import { constants, lchown, lstat, readdir, realpath, stat } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Binaries, copyNative, findNative, linkNative, USE_YOUR_OWN } from './binaries.ts'
import { ensureSystemAccount } from './system-account.ts'

/**
 * PostgreSQL refuses to run as root. An ordinary user runs it directly. Root runs it with an
 * account of its own, which is created where that is possible, so that no other program of "nobody"
 * can read its files; otherwise as "nobody", or in a user namespace that maps root to "nobody".
 */
export interface Account {
  binaries: Binaries
  /** Set when the program must be started as another user. */
  uid?: number
  gid?: number
  /** The command that starts PostgreSQL's own, if any. */
  wrapper: string[]
  /** The owner that PostgreSQL's files must have outside a namespace; unset: the current user. */
  owner?: Owner
  /** One sentence for the operator; unset: PostgreSQL runs as the user that started Pavilion. */
  description?: string
  /** Whether this start created the account. */
  isNew?: boolean
}

interface Owner {
  uid: number
  gid: number
}

const NOBODY = 65_534
/** A user that owns nothing and is in no group of a folder. */
const UNKNOWN = { uid: -1, gid: -1 }
const NAMESPACE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]
const PROBE_MS = 10_000

interface Folders {
  dataFolder: string
  cluster: string
  /** The installed binaries. */
  native: string
  /** The account that root would like to use; unset: "nobody". */
  name?: string | undefined
}

/** Returns an account to run PostgreSQL with, why it cannot, or undefined when there is none. */
type FindAccount = (folders: Folders) => Promise<Account | string | undefined>

/** Returns the first account that can run PostgreSQL in this folder, as a probe shows. */
export async function chooseAccount(
  dataFolder: string,
  cluster: string,
  { name, native = findNative() }: { name?: string | undefined; native?: string } = {},
): Promise<Account> {
  const isRoot = process.getuid?.() === 0
  const candidates = isRoot ? await candidatesOfRoot(cluster) : [asCurrentUser]
  const failures: string[] = []
  for (const findAccount of candidates) {
    const account = await findAccount({ dataFolder, cluster, native, name })
    if (account === undefined) continue
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
async function candidatesOfRoot(cluster: string): Promise<FindAccount[]> {
  const owner = await stat(cluster).catch(() => undefined)
  if (owner === undefined || owner.uid === 0) return [asNamedUser, asNobody, inNamespace]
  const description = `PostgreSQL runs as user ${owner.uid}, who owns ${cluster}.`
  const asOwner = (folders: Folders) =>
    asUser(folders, { uid: owner.uid, gid: owner.gid }, description)
  return [asOwner, inNamespace]
}

/** With the account of this name, which is not created before it is clear that it would help. */
async function asNamedUser(folders: Folders): Promise<Account | string | undefined> {
  const { name, dataFolder } = folders
  if (name === undefined || !(await canEnter(UNKNOWN, dataFolder))) return undefined
  const account = await ensureSystemAccount(name)
  if (account === undefined) return undefined
  const { uid, gid, isNew } = account
  const origin = isNew ? ', which Pavilion has created for it' : ''
  const description = `PostgreSQL runs with the account "${name}"${origin}.`
  const found = await asUser(folders, { uid, gid }, description)
  return typeof found === 'string' ? found : { ...found, isNew }
}

async function asNobody(folders: Folders): Promise<Account | string> {
  const reason = folders.name === undefined ? '' : `: no account "${folders.name}" can be used`
  const description = `PostgreSQL runs as "nobody"${reason}.`
  return asUser(folders, { uid: NOBODY, gid: NOBODY }, description)
}

async function asUser(
  { dataFolder, native }: Folders,
  owner: Owner,
  description: string,
): Promise<Account | string> {
  if (!(await canEnter(owner, dataFolder))) return `user ${owner.uid} cannot enter ${dataFolder}`
  const isReachable = await canEnter(owner, join(native, 'bin', 'postgres'))
  const binaries = await (isReachable ? linkNative : copyNative)(native, join(dataFolder, 'native'))
  return { binaries, ...owner, owner, wrapper: [], description }
}

/** In a user namespace that maps root to "nobody"; outside it the files belong to root. */
async function inNamespace({ dataFolder, native }: Folders): Promise<Account | string> {
  const root = { uid: 0, gid: 0 }
  // In a namespace, root may no longer enter folders that others may not.
  if (!(await canEnter(root, dataFolder))) return `${dataFolder} is below another user's folder`
  const binaries = await linkNative(native, join(dataFolder, 'native'))
  const description = 'PostgreSQL runs as "nobody" in a user namespace, with files that root owns.'
  return { binaries, owner: root, wrapper: NAMESPACE, description }
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

/** Whether the user may enter every folder of the path, with links resolved. */
async function canEnter(user: Owner, path: string): Promise<boolean> {
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
