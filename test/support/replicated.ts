import { execFile, spawn } from 'node:child_process'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Binaries, copyNative, findNative } from '../../src/database/embedded/binaries.ts'
import { migrate } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import { until } from '../cluster/until.ts'
import { freePort } from './free-port.ts'
import { query } from './postgres.ts'

/** A migrated database on a server of its own, and a standby that follows it. */
interface ReplicatedDatabase {
  url: string
  replicaUrl: string
  /** Lets the standby replay nothing until `resume`. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Ends the standby as a power cut would. */
  killReplica(): Promise<void>
  /** Makes the standby a server of its own. */
  promoteReplica(): Promise<void>
  close(): Promise<void>
}

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const ACCOUNT = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
const run = promisify(execFile)

/** The standby begins as a copy of the stopped primary, for which no program is needed. */
export async function startReplicated(): Promise<ReplicatedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'pavilion-replica-'))
  await chmod(folder, 0o755)
  if (isRoot) await chown(folder, NOBODY, NOBODY)
  const binaries = await copyNative(findNative(), join(folder, 'binaries'))
  const env = { ...process.env, LD_LIBRARY_PATH: binaries.libraries.join(':') }
  const primary = join(folder, 'primary')
  const initdb = ['-D', primary, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  await run(binaries.initdb, initdb, { env, cwd: folder, ...ACCOUNT })
  const first = await startServer(binaries, primary, await freePort())
  await migrateAt(first.url)
  await first.stop('SIGINT')
  const standby = join(folder, 'standby')
  await run('cp', ['-a', primary, standby])
  await writeFile(join(standby, 'standby.signal'), '')
  if (isRoot) await chown(join(standby, 'standby.signal'), NOBODY, NOBODY)
  const server = await startServer(binaries, primary, first.port)
  const replica = await startServer(binaries, standby, await freePort(), {
    primary_conninfo: `host=127.0.0.1 port=${server.port} user=postgres`,
    wal_retrieve_retry_interval: '100ms',
  })
  return {
    url: server.url,
    replicaUrl: replica.url,
    pause: () => ask(replica.url, 'select pg_wal_replay_pause()'),
    resume: () => ask(replica.url, 'select pg_wal_replay_resume()'),
    promoteReplica: () => ask(replica.url, 'select pg_promote()'),
    killReplica: () => replica.stop('SIGKILL'),
    async close() {
      await replica.stop('SIGQUIT')
      await server.stop('SIGQUIT')
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function ask(url: string, text: string): Promise<void> {
  await query(url, text)
}

async function migrateAt(url: string): Promise<void> {
  const database = openDatabase({ url, poolMax: 2 })
  await migrate(database.db)
  await database.close()
}

async function startServer(
  { postgres, libraries }: Binaries,
  data: string,
  port: number,
  more: Record<string, string> = {},
) {
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    ...more,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(postgres, ['-D', data, ...args], {
    env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') },
    cwd: data,
    stdio: 'ignore',
    ...ACCOUNT,
  })
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  const isUp = () =>
    query(url, 'select 1').then(
      () => true,
      () => false,
    )
  await until(isUp, `PostgreSQL answers on ${port}`)
  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }
  return { url, port, stop }
}
