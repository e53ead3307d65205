import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface SoakServer {
  pid: number
  address: string
  /** Rejects when the server exits before it is told to. */
  died: Promise<never>
  stop(): Promise<number | null>
}

interface ServerOptions {
  databaseUrl: string
  workers: number
  /** The file that its output is written to. */
  logFile: string
  webhookHost: string
}

const BIN = fileURLToPath(new URL('../../bin/pavilion', import.meta.url))
const READY_MS_MAX = 120_000

/** Runs `pavilion start` with the limits of production, and waits until it is ready. */
export async function startServer(options: ServerOptions): Promise<SoakServer> {
  const output = openSync(options.logFile, 'w')
  const child = spawn(process.execPath, [BIN, 'start', '--workers', String(options.workers)], {
    env: settingsOf(options),
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  let isStopping = false
  const exited = once(child, 'exit') as Promise<[number | null]>
  const died = new Promise<never>((_, reject) => {
    child.once('exit', (code, signal) => {
      const how = `exited with ${code ?? signal}`
      if (!isStopping) reject(new Error(`the server ${how}; its log is ${options.logFile}`))
    })
  })
  died.catch(() => undefined)
  const address = await Promise.race([died, readAddress(options.logFile)]).catch((error) => {
    child.kill()
    throw error
  })
  return {
    pid: child.pid ?? 0,
    address,
    died,
    async stop() {
      isStopping = true
      child.kill('SIGTERM')
      return (await exited)[0]
    },
  }
}

/** Nothing of the environment of this machine, except what finds programs. */
function settingsOf({ databaseUrl, webhookHost }: ServerOptions): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  return {
    PATH,
    HOME,
    PORT: '0',
    DATABASE_URL: databaseUrl,
    PAVILION_DEMO: 'off',
    PAVILION_SECRET_KEY: 'the key of stored secrets in the soak',
    WEBHOOK_ALLOWED_HOSTS: webhookHost,
    DRAIN_SECONDS: '0',
  }
}

async function readAddress(logFile: string): Promise<string> {
  const deadline = performance.now() + READY_MS_MAX
  while (performance.now() < deadline) {
    const printed = await readFile(logFile, 'utf8')
    const found = /Pavilion is ready[\s\S]*?production\s+(\S+)[\s\S]*documents/.exec(printed)
    if (found) return found[1]
    await pause(200)
  }
  throw new Error(`the server was not ready in time; its log is ${logFile}`)
}

/** The resident memory of a process and of all that descend from it, in megabytes. */
export async function residentMegabytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss='])
  const processes = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const family = new Set([pid])
  // A child may be listed before its parent.
  for (let size = 0; size < family.size; ) {
    size = family.size
    for (const [each, parent] of processes) if (family.has(parent)) family.add(each)
  }
  const kilobytes = processes.filter(([each]) => family.has(each)).map(([, , rss]) => rss)
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024
}

/** The values of `/metrics`, by the name with its labels. */
export async function readMetrics(address: string): Promise<Map<string, number>> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    }),
  )
}

/** Lines of the log of level `warn` and above, counted by message. */
export async function countWarnings(logFile: string): Promise<Record<string, number>> {
  const WARN = 40
  const counts = new Map<string, number>()
  for (const line of (await readFile(logFile, 'utf8')).split('\n')) {
    if (!line.startsWith('{')) continue
    const { level, msg, err } = JSON.parse(line)
    if (level < WARN) continue
    const name = `${msg}${err ? `: ${err.message}` : ''}`.slice(0, 160)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}
