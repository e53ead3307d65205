import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  dataFolder,
  etcdArguments,
  haproxySettings,
  type LabPorts,
  type PatroniTimes,
  patroniSettings,
  serverName,
} from './configuration.ts'
import { ACCOUNT, createProcess, gone, type LabProcess, send } from './process.ts'
import { pathOf } from './programs.ts'
import { until } from './until.ts'

/** etcd, three servers of PostgreSQL under Patroni, and haproxy before them. */
export interface DatabaseServers {
  etcd: LabProcess
  haproxy: LabProcess
  /** Patroni and its PostgreSQL; killing one kills both. */
  servers: LabProcess[]
  /** The number of the server that leads, if any does. */
  leader(): Promise<number | undefined>
  /** The number of the server whose confirmation commits wait for, if there is one. */
  synchronousStandby(): Promise<number | undefined>
  /** Resolves when one leads and both others follow it, one of them synchronously. */
  healthy(): Promise<void>
  switchOver(): Promise<void>
  close(): Promise<void>
}

interface ServerOptions {
  ports: LabPorts
  folder: string
  password: string
  times: PatroniTimes
}

/** Describes the servers; `begin` starts them, so that `close` can end what was started by then. */
export async function createServers(
  options: ServerOptions,
): Promise<DatabaseServers & { begin(): Promise<void> }> {
  const { ports, folder } = options
  const etcd = createProcess({
    command: pathOf('etcd'),
    args: etcdArguments(ports, folder),
    folder,
    logFile: join(folder, 'etcd.log'),
    // Without this it does not run on arm64.
    env: { ETCD_UNSUPPORTED_ARCH: 'arm64' },
  })
  await writeFile(join(folder, 'haproxy.cfg'), haproxySettings(ports))
  const haproxy = createProcess({
    command: pathOf('haproxy'),
    args: ['-db', '-f', join(folder, 'haproxy.cfg')],
    folder,
    logFile: join(folder, 'haproxy.log'),
  })
  const servers: LabProcess[] = []
  for (const index of ports.patroni.keys()) servers.push(await createServer(index, options))
  const leader = () => findRole(ports, 'primary')
  const healthy = () => until(() => isHealthy(ports), 'the database servers follow a leader')
  return {
    async begin() {
      etcd.start()
      haproxy.start()
      // The others copy the first.
      servers[0].start()
      await until(async () => (await leader()) !== undefined, 'a database server leads')
      for (const server of servers.slice(1)) server.start()
      await healthy()
    },
    etcd,
    haproxy,
    servers,
    leader,
    synchronousStandby: () => findRole(ports, 'synchronous'),
    healthy,
    async switchOver() {
      const settings = settingsFile(0, folder)
      const args = ['-c', settings, 'switchover', 'pavilion', '--force']
      await promisify(execFile)(pathOf('patronictl'), args, { cwd: folder, ...ACCOUNT })
    },
    async close() {
      for (const process of [haproxy, etcd]) await process.kill()
      for (const [index, server] of servers.entries()) {
        server.thaw()
        await stopPostgres(dataFolder(index, folder))
        await server.kill()
      }
    },
  }
}

const settingsFile = (index: number, folder: string) => join(folder, `patroni-${index + 1}.yaml`)

async function createServer(index: number, options: ServerOptions): Promise<LabProcess> {
  const { folder } = options
  const settings = settingsFile(index, folder)
  await writeFile(settings, JSON.stringify(patroniSettings(index, options)))
  await chmod(settings, 0o644)
  const data = dataFolder(index, folder)
  const patroni = createProcess({
    command: pathOf('patroni'),
    args: [settings],
    folder,
    logFile: join(folder, `${serverName(index)}.log`),
    others: () => postmasters(data),
  })
  return {
    ...patroni,
    async kill() {
      await patroni.kill()
      // Where nobody waits for orphans, PostgreSQL would think that the killed one still runs.
      await rm(join(data, 'postmaster.pid'), { force: true })
    },
  }
}

function postmasters(data: string): number[] {
  try {
    return [Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10)]
  } catch {
    return []
  }
}

const STOP_MS = 10_000

/** Stops PostgreSQL so that it removes its shared memory, which a killed one leaves behind. */
async function stopPostgres(data: string): Promise<void> {
  const pids = postmasters(data)
  for (const pid of pids) send(pid, 'SIGQUIT')
  await Promise.race([gone(pids), sleep(STOP_MS, undefined, { ref: false })])
}

const ASK_MS = 2_000

/** Patroni answers with 200 for the role that its server has. */
async function findRole(
  { patroni }: LabPorts,
  role: 'primary' | 'synchronous',
): Promise<number | undefined> {
  const answers = await Promise.all(
    patroni.map((port) => ask(port, role).then((response) => response?.status)),
  )
  const index = answers.indexOf(200)
  return index === -1 ? undefined : index
}

interface Member {
  role: string
  state: string
}

async function isHealthy({ patroni }: LabPorts): Promise<boolean> {
  for (const port of patroni) {
    const response = await ask(port, 'cluster')
    if (response === undefined) return false
    const { members = [] } = (await response.json()) as { members?: Member[] }
    // Patroni 3.1 and later say "streaming" of a standby that follows.
    const running = members.filter(({ state }) => state === 'running' || state === 'streaming')
    const roles = running.map(({ role }) => role).sort()
    if (roles.join() !== 'leader,replica,sync_standby') return false
  }
  return true
}

async function ask(port: number, path: string): Promise<Response | undefined> {
  try {
    const signal = AbortSignal.timeout(ASK_MS)
    return await fetch(`http://127.0.0.1:${port}/${path}`, { signal })
  } catch {
    return undefined
  }
}
