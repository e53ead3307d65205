import { execFile } from 'node:child_process'
import { constants, lchown, lstat, readdir, realpath, stat } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Binaries, copyNative, findNative, linkNative, USE_YOUR_OWN } from './binaries.ts'

/**
 * PostgreSQL refuses to run as root. An ordinary user just runs it; root runs it as "nobody",
 * without any user being created on the machine, or inside a user namespace in which root is
 * called "nobody".
 */
export interface Account {
  binaries: Binaries
  /** Set when the program is to be started as somebody else. */
  uid?: number
  gid?: number
  /** The command that comes before PostgreSQL's own. */
  wrapper: string[]
  /** Whom the files of PostgreSQL must belong to, seen from outside; unset: whoever we are. */
  owner?: { uid: number; gid: number }
}

const NOBODY = 65_534
const NAMESPACE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]
const PROBE_MS = 10_000

interface Home {
  dataFolder: string
  cluster: string
  /** The installed binaries. */
  native: string
}

/** A way to run PostgreSQL, or why it is none. */
type Way = (home: Home) => Promise<Account | string>

/** The first way to run PostgreSQL on this folder of which a probe shows that it works. */
export async function chooseAccount(
  dataFolder: string,
  cluster: string,
  native: string = findNative(),
): Promise<Account> {
  const isRoot = process.getuid?.() === 0
  const ways: Way[] = isRoot ? [asSomebodyElse, inNamespace] : [asOurselves]
  const failures: string[] = []
  for (const way of ways) {
    const account = await way({ dataFolder, cluster, native })
    const failure = typeof account === 'string' ? account : await probe(account)
    if (typeof account !== 'string' && failure === undefined) return account
    failures.push(failure ?? '')
  }
  if (!isRoot) {
    throw new Error(`The embedded PostgreSQL does not run here: ${failures[0]}. ${USE_YOUR_OWN}`)
  }
  throw new Error(
    `PostgreSQL does not run as root, and no other way works here (${failures.join('; ')}). ` +
      'Set PAVILION_DATA to a folder that every user can enter, such as /var/lib/pavilion, or ' +
      `run Pavilion as an ordinary user. ${USE_YOUR_OWN}`,
  )
}

async function asOurselves({ dataFolder, native }: Home): Promise<Account> {
  return { binaries: await linkNative(native, join(dataFolder, 'native')), wrapper: [] }
}

/** Who owns an existing cluster keeps it: root may look into an ordinary user's checkout. */
async function asSomebodyElse({ dataFolder, cluster, native }: Home): Promise<Account | string> {
  const owner = await ownerOf(cluster)
  if (!(await canEnter(owner, dataFolder))) return `user ${owner.uid} cannot enter ${dataFolder}`
  const isReachable = await canEnter(owner, join(native, 'bin', 'postgres'))
  const binaries = await (isReachable ? linkNative : copyNative)(native, join(dataFolder, 'native'))
  return { binaries, ...owner, owner, wrapper: [] }
}

/** In a user namespace that calls root "nobody"; seen from outside the files stay root's. */
async function inNamespace({ dataFolder, native }: Home): Promise<Account | string> {
  const root = { uid: 0, gid: 0 }
  // There root has lost the right to pass where others may not.
  if (!(await canEnter(root, dataFolder))) return `${dataFolder} is below another user's folder`
  const binaries = await linkNative(native, join(dataFolder, 'native'))
  return { binaries, owner: root, wrapper: NAMESPACE }
}

/** Gives the cluster to its account again when an earlier start ran it in another way. */
export async function giveTo(owner: Account['owner'], path: string): Promise<void> {
  if (owner === undefined || (await lstat(path)).uid === owner.uid) return
  const inside = await readdir(path, { recursive: true })
  // The folder comes last: its owner tells that the work is done.
  for (const name of [...inside, '']) await lchown(join(path, name), owner.uid, owner.gid)
}

/** The program with what must stand before it. */
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

/** Whether every folder of the path, links resolved, may be passed and read through by them. */
async function canEnter(who: { uid: number; gid: number }, path: string): Promise<boolean> {
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder)
    const bits = uid === who.uid ? mode >> 6 : gid === who.gid ? mode >> 3 : mode
    if ((bits & constants.X_OK) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** What goes wrong when PostgreSQL is asked for its version in this way. */
async function probe(account: Account): Promise<string | undefined> {
  const { command, args } = commandLine(account, account.binaries.postgres, ['--version'])
  const who = account.uid === undefined ? '' : `as user ${account.uid}: `
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
    return `${who}${(stderr || message).trim()}`
  }
}
