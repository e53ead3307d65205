/** Checks what `start` needs. Every check says what it found and, on failure, what to do. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { type Config, readConfig } from '../config.ts'
import { measureDifference } from '../database/clock.ts'
import { findNative } from '../database/embedded/binaries.ts'
import { hasCluster, pathsIn } from '../database/embedded/cluster.ts'
import { openEmbedded } from '../database/embedded/embedded.ts'
import { findPostmaster } from '../database/embedded/postmaster.ts'
import { pendingMigrations } from '../database/migrate.ts'
import { type Database, openDatabase } from '../database/open.ts'
import { readSecretStatus } from '../database/secrets/secret-status.ts'
import { inspectReplica } from '../events/bulk-reads.ts'
import { openTransport } from '../notices/outbox/smtp.ts'
import { type CommonOptions, command, EXIT, runCommand } from './command.ts'
import { checkBackups } from './database/check-backups.ts'
import { embeddedOptions, embeddedUrlOf, openCommandSecrets } from './market.ts'
import { print } from './output/print.ts'
import { countConnections } from './serve/connections.ts'
import { DESCRIPTORS_MIN, findDescriptorProblem, readDescriptorLimit } from './serve/descriptors.ts'

/** The result of one check. `detail` says what was found and, on failure, what to do about it. */
interface Finding {
  check: string
  ok: boolean
  detail: string
}

const POSTGRES_MIN = 15
const NEEDED = `${DESCRIPTORS_MIN} are needed`

export function doctorCommand(): Command {
  return command(
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
    await checkPort('sandbox port', 'SANDBOX_PORT', config.host, config.sandboxPort, server),
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
  const named = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  try {
    const response = await fetch(`http://${named}:${port}/healthz`, {
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
  const error = await findListenError(host, port)
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

async function checkMetricsPort(
  { metricsHost, metricsPort }: Config,
  server: RunningServer | undefined,
): Promise<Finding[]> {
  if (metricsPort === undefined) return []
  return [await checkPort('metrics port', 'METRICS_PORT', metricsHost, metricsPort, server)]
}

/** Returns the system's code for why nothing can listen on the port, or undefined. */
function findListenError(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port }, () => server.close(() => resolve(undefined)))
  })
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

async function checkDatabase(config: Config): Promise<Finding[]> {
  try {
    const external = config.databaseDirectUrl ?? config.databaseUrl
    if (config.databaseUrl && external) return await inspectDatabase(external, config)
    findNative()
    if (!(await hasCluster(pathsIn(config.dataFolder)))) {
      return [{ check: 'database', ok: true, detail: 'embedded (created by the first start)' }]
    }
    const embedded = await openEmbedded({ ...embeddedOptions(config), serve: false })
    try {
      return await inspectDatabase(await embeddedUrlOf(embedded, 'live'), config)
    } finally {
      await embedded.close()
    }
  } catch (error) {
    const hint = config.databaseUrl ? '; check DATABASE_URL and whether PostgreSQL is running' : ''
    return [{ check: 'database', ok: false, detail: `${(error as Error).message}${hint}` }]
  }
}

async function inspectDatabase(url: string, config: Config): Promise<Finding[]> {
  const database = openDatabase({ url, poolMax: 1 })
  try {
    const { rows } = await sql<{ version: string }>`
      select current_setting('server_version') as version
    `.execute(database.db)
    const { version } = rows[0]
    const recent = Number.parseInt(version, 10) >= POSTGRES_MIN
    const server = `PostgreSQL ${version}${config.databaseUrl ? '' : ', embedded'}`
    const detail = recent
      ? `${server}; ${POSTGRES_MIN} or newer is needed`
      : `${server} is too old; Pavilion needs ${POSTGRES_MIN} or newer`
    const found = [{ check: 'database', ok: recent, detail }]
    if (!recent) return found
    const migrations = await checkMigrations(database)
    // The key can be checked only where its table is.
    const keys = migrations.ok ? [await checkSecretKey(database, config)] : []
    const more = [await checkClock(database), await checkConnections(database, config)]
    if (migrations.ok) more.push(...(await checkBackups(database.db)))
    return [...found, migrations, ...keys, ...more, ...(await checkReplica(database, config))]
  } finally {
    await database.close()
  }
}

async function checkClock({ db }: Database): Promise<Finding> {
  const { ms, problem } = await measureDifference(db)
  const off = `differs by ${(Math.abs(ms) / 1000).toFixed(1)} s from the clock of the database`
  const detail = problem ? `${problem}; set it by a time service such as chrony` : off
  return { check: 'clock', ok: !problem, detail }
}

async function checkSecretKey({ db }: Database, config: Config): Promise<Finding> {
  const { problem, key_in_use, keys } = await readSecretStatus(db, openCommandSecrets(config))
  const source = keys.find(({ in_use }) => in_use)?.source
  const detail = key_in_use ? `${key_in_use}, from the ${source}` : 'created by the first start'
  return { check: 'secret key', ok: problem === null, detail: problem ?? detail }
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

async function checkReplica(database: Database, { replicaUrl }: Config): Promise<Finding[]> {
  if (replicaUrl === undefined) return []
  const { changesBehind, problem } = await inspectReplica(database, replicaUrl)
  const found = `follows, ${changesBehind} changes behind the primary`
  const detail = `${problem}; indexes are loaded from the primary (REPLICA_DATABASE_URL)`
  return [{ check: 'replica', ok: problem === undefined, detail: problem ? detail : found }]
}

/** For one process; `start --workers` checks for all of its own. */
async function checkConnections({ db }: Database, config: Config): Promise<Finding> {
  const { allowed, needed, problem } = await countConnections(db, config, 1)
  const enough = `${allowed} are allowed; a server process opens at most ${needed}`
  return { check: 'connections', ok: !problem, detail: problem ?? enough }
}

async function checkMigrations({ db }: Database): Promise<Finding> {
  const check = 'migrations'
  let pending: string[]
  try {
    pending = await pendingMigrations(db)
  } catch (error) {
    // The database is of another version; the message says of which.
    return { check, ok: false, detail: (error as Error).message }
  }
  if (pending.length === 0) return { check, ok: true, detail: 'up to date' }
  const detail = `missing ${pending.join(', ')}; run "pavilion migrate" or "pavilion start"`
  return { check, ok: false, detail }
}
