import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'

const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
const PROGRAM = FOLDERS.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path))

/** Tests of pgbouncer are skipped without it. */
export const hasPgbouncer = PROGRAM !== undefined

interface Pgbouncer {
  /** The address of a database through pgbouncer. */
  urlOf(databaseUrl: string): string
  close(): Promise<void>
}

/** Starts pgbouncer in transaction mode, as Debian ships it, in front of the server of the address. */
export async function startPgbouncer(serverUrl: string): Promise<Pgbouncer> {
  if (!PROGRAM) throw new Error('pgbouncer is not installed')
  const server = new URL(serverUrl)
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'pavilion-pgbouncer-'))
  const password = decodeURIComponent(server.password)
  const login = `user=${decodeURIComponent(server.username)}${password && ` password=${password}`}`
  const isRoot = process.getuid?.() === 0
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${server.port} ${login}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 5',
    // It refuses to run as root.
    ...(isRoot ? ['user = nobody'] : []),
  ]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, `${settings.join('\n')}\n`)
  // The account that pgbouncer changes to reads the file once more.
  await chmod(folder, 0o755)
  const child = spawn(PROGRAM, [file], { stdio: 'ignore' })
  const urlOf = (databaseUrl: string) => {
    const url = new URL(databaseUrl)
    url.port = String(port)
    return url.href
  }
  await answers(child, urlOf(serverUrl))
  return {
    urlOf,
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answers(child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    const isThere = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
