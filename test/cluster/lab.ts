/**
 * The failover lab: three Pavilion nodes on three servers of PostgreSQL under Patroni, with etcd
 * and haproxy, as `deploy/cluster/` describes them, in one temporary folder and on loopback.
 */
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startPavilion } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'
import { execute, withDatabase } from '../support/postgres.ts'
import type { LabPorts, PatroniTimes } from './configuration.ts'
import { type LabMarket, makeMarket } from './market.ts'
import { ACCOUNT } from './process.ts'
import { createServers, type DatabaseServers } from './servers.ts'

const SERVERS = 3

/** A node of Pavilion, which may be started again at its address. */
export interface LabNode {
  readonly address: string
  readonly running: RunningServer
  kill(): Promise<void>
  /** Lets running calls finish. */
  stop(): Promise<void>
  start(): Promise<void>
}

export interface Lab extends Omit<DatabaseServers, 'close'> {
  folder: string
  /** The leader's database, through haproxy. */
  url: string
  /** haproxy before the nodes. */
  frontAddress: string
  nodes: LabNode[]
  market: LabMarket
  /** Ends all processes and removes their files, unless the logs are to be kept. */
  close(options?: { keepLogs: boolean }): Promise<void>
}

interface LabOptions {
  stones: number
  times: PatroniTimes
}

export async function startLab({ stones, times }: LabOptions): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'pavilion-cluster-'))
  const { uid, gid } = ACCOUNT
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid)
  await chmod(folder, 0o755)
  const ports = await choosePorts()
  const password = randomBytes(12).toString('hex')
  const servers = await createServers({ ports, folder, password, times })
  const nodes: LabNode[] = []
  const close: Lab['close'] = async ({ keepLogs } = { keepLogs: false }) => {
    await Promise.all(nodes.map((node) => node.kill()))
    await servers.close()
    for (const [index, { running }] of nodes.entries()) {
      await writeFile(join(folder, `node-${index + 1}.log`), running.output())
    }
    if (!keepLogs) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await servers.begin()
    const serverUrl = `postgres://postgres:${password}@127.0.0.1:${ports.leader}/postgres`
    await execute(serverUrl, 'create database pavilion')
    const url = withDatabase(serverUrl, 'pavilion')
    const market = await makeMarket(url, stones)
    await Promise.all(ports.nodes.map(async (port) => nodes.push(await startNode(url, port))))
    const frontAddress = `http://127.0.0.1:${ports.market}`
    return { ...servers, folder, url, frontAddress, nodes, market, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The same on all nodes. */
const SECRET_KEY = randomBytes(32).toString('base64')

async function startNode(url: string, port: number): Promise<LabNode> {
  const settings = {
    DATABASE_URL: url,
    PORT: String(port),
    PAVILION_SECRET_KEY: SECRET_KEY,
    RATE_LIMIT_PER_MINUTE: '0',
    // So that haproxy notices a node that stops, before it does.
    DRAIN_SECONDS: '4',
  }
  let running = await startPavilion(settings)
  const { address } = running
  return {
    address,
    get running() {
      return running
    },
    async kill() {
      await running.stop('SIGKILL')
    },
    async stop() {
      await running.stop()
    },
    async start() {
      running = await startPavilion(settings)
    },
  }
}

async function choosePorts(): Promise<LabPorts> {
  const several = () => Promise.all(Array.from({ length: SERVERS }, freePort))
  return {
    etcd: await freePort(),
    etcdPeers: await freePort(),
    postgres: await several(),
    patroni: await several(),
    nodes: await several(),
    market: await freePort(),
    leader: await freePort(),
  }
}
