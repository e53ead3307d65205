import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** An account of this machine. */
interface SystemAccount {
  name: string
  uid: number
  gid: number
  isNew: boolean
}

const COMMAND_MS = 10_000
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const NO_HOME = '/nonexistent'
const NO_SHELL = '/usr/sbin/nologin'

/** How an account without home, password and shell is created: most systems, Debian, BusyBox. */
const COMMANDS: ((name: string) => [command: string, ...args: string[]][])[] = [
  (name) => [['useradd', '--system', '--user-group', '--no-create-home', ...folderAndShell(name)]],
  (name) => [
    ['adduser', '--system', '--group', '--no-create-home', '--home', NO_HOME, '--quiet', name],
  ],
  (name) => [
    ['addgroup', '-S', name],
    ['adduser', '-S', '-D', '-H', '-h', NO_HOME, '-s', NO_SHELL, '-G', name, name],
  ],
]

function folderAndShell(name: string): string[] {
  return ['--home-dir', NO_HOME, '--shell', NO_SHELL, name]
}

/**
 * Returns the account of this name, created if necessary. Undefined when there is none and none can
 * be created: a small container has none of the commands, and a read-only one refuses them.
 */
export async function ensureSystemAccount(name: string): Promise<SystemAccount | undefined> {
  const known = await findSystemAccount(name)
  if (known !== undefined) return known
  for (const commandsFor of COMMANDS) {
    try {
      for (const [command, ...args] of commandsFor(name)) await run(command, args)
    } catch {
      // The next command may work; another process may also have created the account meanwhile.
    }
    const created = await findSystemAccount(name)
    if (created !== undefined) return { ...created, isNew: true }
  }
  return undefined
}

/** `id` also knows accounts that are not in /etc/passwd. */
export async function findSystemAccount(name: string): Promise<SystemAccount | undefined> {
  try {
    const uid = Number(await run('id', ['-u', name]))
    const gid = Number(await run('id', ['-g', name]))
    // PostgreSQL refuses to run as root, whatever root is called.
    return uid > 0 && gid > 0 ? { name, uid, gid, isNew: false } : undefined
  } catch {
    return undefined
  }
}

async function run(command: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, {
    env: { PATH, LC_ALL: 'C' },
    timeout: COMMAND_MS,
    cwd: '/',
  })
  return stdout.trim()
}
