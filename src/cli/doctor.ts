/** Checks what `start` needs. Every check says what it found and, on failure, what to do. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Config, readConfig } from '../config.ts'
import { pathsIn } from '../database/embedded/cluster.ts'
import { findPostmaster } from '../database/embedded/postmaster.ts'
import { reachableHost } from '../lib/networks.ts'
import { openTransport } from '../notices/outbox/smtp.ts'
import { type CommonOptions, commandOfBoth, EXIT, runCommand } from './command.ts'
import { checkDatabase, type Finding } from './database/check-database.ts'
import { realmsOf } from './market.ts'
import { print } from './output/print.ts'
import { DESCRIPTORS_MIN, findDescriptorProblem, readDescriptorLimit } from './serve/descriptors.ts'
import { findListenError } from './serve/places.ts'

const NEEDED = `${DESCRIPTORS_MIN} are needed`

export function doctorCommand(): Command {
  return commandOfBoth(
    'doctor',
    'Check Node, ports, data folder and database, and say what to fix',
    'pavilion doctor',
  ).action((options: CommonOptions) =>
    runCommand(options, async () => {
      const findings = await runChecks()
      const healthy = findings.every(({ ok }) => ok)
      if (!healthy) process.exitCode = EXIT.failed
      print(options, { healthy, findings }, () =>
        findings
          .map(({ check, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${check}: ${detail}`)
          .join('\n'),
      )
    }),
  )
}

async function runChecks(): Promise<Finding[]> {
  const config = readConfig()
  const server = await findServer(config)
  return [
    checkNode(),
    checkDescriptors(),
    await checkPort('port', 'PORT', config.host, config.port, server),
    ...(await checkSandboxPort(config, server)),
    ...(await checkMetricsPort(config, server)),
    ...(config.databaseUrl ? [] : [await checkFolder(config)]),
    ...(await checkDatabase(config)),
    await checkMail(config),
  ]
}

interface RunningServer {
  pid: number
  /** False when it serves another data folder: the database of this one is not running. */
  isOurs: boolean
}

const HEALTH_TIMEOUT_MS = 1_000

/** Finds a Pavilion server that responds on the configured port. */
async function findServer(config: Config): Promise<RunningServer | undefined> {
  const { host, port } = config
  try {
    const response = await fetch(`http://${reachableHost(host)}:${port}/healthz`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    })
    const { name, pid } = (await response.json()) as { name?: string; pid?: number }
    if (name !== 'pavilion' || pid === undefined) return undefined
    return { pid, isOurs: await isDatabaseRunning(config) }
  } catch {
    return undefined
  }
}

async function isDatabaseRunning({ databaseUrl, dataFolder }: Config): Promise<boolean> {
  if (databaseUrl !== undefined) return true
  return (await findPostmaster(pathsIn(dataFolder))) !== undefined
}

function checkNode(): Finding {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const ok = major > 20 || (major === 20 && minor >= 19)
  const detail = ok
    ? process.versions.node
    : `${process.versions.node} is too old; install 20.19 or newer`
  return { check: 'node', ok, detail }
}

function checkDescriptors(): Finding {
  const limit = readDescriptorLimit()
  const problem = findDescriptorProblem(limit)
  const found = limit === Number.POSITIVE_INFINITY ? 'no limit' : `up to ${limit}`
  return { check: 'open files', ok: !problem, detail: problem ?? `${found}; ${NEEDED}` }
}

async function checkPort(
  check: string,
  setting: string,
  host: string,
  port: number,
  server: RunningServer | undefined,
): Promise<Finding> {
  const error = await findListenError({ host, port })
  if (error === undefined) return { check, ok: true, detail: `${port} is free` }
  if (error !== 'EADDRINUSE') {
    const detail = `cannot listen on ${host}:${port} (${error}); change HOST or ${setting}`
    return { check, ok: false, detail }
  }
  if (server?.isOurs) {
    return { check, ok: true, detail: `Pavilion is running on ${port} (process ${server.pid})` }
  }
  const user = server ? `another Pavilion (process ${server.pid})` : 'another program'
  const detail = `${port} is in use by ${user}; stop it or change ${setting}`
  return { check, ok: false, detail }
}

/** A market in an external database has a sandbox only where it is given a database. */
async function checkSandboxPort(
  config: Config,
  server: RunningServer | undefined,
): Promise<Finding[]> {
  if (!realmsOf(config).includes('test')) return []
  const { host, sandboxPort } = config
  return [await checkPort('sandbox port', 'SANDBOX_PORT', host, sandboxPort, server)]
}

async function checkMetricsPort(
  { metricsHost, metricsPort }: Config,
  server: RunningServer | undefined,
): Promise<Finding[]> {
  if (metricsPort === undefined) return []
  return [await checkPort('metrics port', 'METRICS_PORT', metricsHost, metricsPort, server)]
}

async function checkFolder({ dataFolder }: Config): Promise<Finding> {
  const check = 'data folder'
  try {
    const existing = await nearestFolder(dataFolder)
    await access(existing, constants.W_OK | constants.X_OK)
    const detail =
      existing === dataFolder ? dataFolder : `${dataFolder} (created by the first start)`
    return { check, ok: true, detail }
  } catch (error) {
    const reason = (error as Error).message
    const detail = `${dataFolder} is not writable (${reason}); set PAVILION_DATA to another folder`
    return { check, ok: false, detail }
  }
}

/** Returns the folder or its nearest existing parent; the check itself creates nothing. */
async function nearestFolder(folder: string): Promise<string> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const entry = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' || path === dirname(path)) throw error
    })
    if (entry && !entry.isDirectory()) throw new Error(`${path} is not a folder`)
    if (entry) return path
  }
}

/** Connects and signs in, and sends nothing. */
async function checkMail({ mail }: Config): Promise<Finding> {
  const check = 'mail server'
  if (!mail) return { check, ok: true, detail: 'none; notices are kept and not mailed (SMTP_URL)' }
  const { host, port } = mail.server
  const transport = openTransport(mail)
  const problem = await transport.check().finally(() => transport.close())
  const found = `${host}:${port} accepts e-mails from ${mail.from.address}`
  const detail = `${host}:${port} cannot be used (${problem}); check SMTP_URL`
  return { check, ok: problem === undefined, detail: problem === undefined ? found : detail }
}
