import { execFile } from 'node:child_process'
import { access, constants, lchown, lstat, readdir, realpath, stat } from 'node:fs/promises'
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

/** How PostgreSQL is run for this folder by us: the first way of which a probe shows it works. */
export async function chooseAccount(
  dataFolder: string,
  cluster: string,
  native: string = findNative(),
): Promise<Account> {
  const links = () => linkNative(native, join(dataFolder, 'native'))
  if (process.getuid?.() !== 0) return probed({ binaries: await links(), wrapper: [] })
  const failures: string[] = []
  const owner = await ownerOf(cluster)
  if (await canEnter(owner, dataFolder)) {
    const reachable = await canEnter(owner, join(native, 'bin', 'postgres'))
    const binaries = reachable
      ? await links()
      : await copyNative(native, join(dataFolder, 'native'))
    const account = { binaries, ...owner, owner, wrapper: [] }
    const failure = await probe(account)
    if (failure === undefined) return account
    failures.push(`as user ${owner.uid}: ${failure}`)
  } else failures.push(`as user ${owner.uid}: that user cannot enter ${dataFolder}`)
  const account = { binaries: await links(), owner: { uid: 0, gid: 0 }, wrapper: NAMESPACE }
  const failure = await probe(account)
  if (failure === undefined) return account
  failures.push(`in a user namespace: ${failure}`)
  throw new Error(
    `PostgreSQL does not run as root, and no other way works here (${failures.join('; ')}). ` +
      'Set PAVILION_DATA to a folder that every user can enter, such as /var/lib/pavilion, or ' +
      `run Pavilion as an ordinary user. ${USE_YOUR_OWN}`,
  )
}

/** Gives the cluster to its account again when an earlier start ran it in another way. */
export async function giveTo(owner: Account['owner'], path: string): Promise<void> {
  if (owner === undefined || (await lstat(path)).uid === owner.uid) return
  const inside = await readdir(path, { recursive: true })
  for (const name of ['', ...inside]) await lchown(join(path, name), owner.uid, owner.gid)
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

/** Who owns an existing cluster keeps it: root may look into an ordinary user's checkout. */
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

async function probed(account: Account): Promise<Account> {
  await access(account.binaries.postgres, constants.X_OK)
  const failure = await probe(account)
  if (failure === undefined) return account
  throw new Error(
    `The embedded PostgreSQL (${account.binaries.postgres}) does not run on this machine: ` +
      `${failure}. ${USE_YOUR_OWN}`,
  )
}

/** What goes wrong when PostgreSQL is asked for its version in this way. */
async function probe(account: Account): Promise<string | undefined> {
  const { command, args } = commandLine(account, account.binaries.postgres, ['--version'])
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
    return (stderr || message).trim()
  }
}
