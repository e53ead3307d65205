import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { type Config, readConfig } from '../config.ts'
import { findNative } from '../database/embedded/binaries.ts'
import { hasCluster, placeIn } from '../database/embedded/cluster.ts'
import { openEmbedded } from '../database/embedded/embedded.ts'
import { findPostmaster } from '../database/embedded/postmaster.ts'
import { pendingMigrations } from '../database/migrate.ts'
import { type Database, openDatabase } from '../database/open.ts'
import { type CommonOptions, command, EXIT, print, runCommand } from './command.ts'
import { embeddedUrlOf } from './market.ts'
import { findRunningServer } from './running-server.ts'

interface Finding {
  check: string
  ok: boolean
  detail: string
}

const POSTGRES_MIN = 15

export function doctorCommand(): Command {
  return command(
    'doctor',
    'find out why Pavilion does not start or answer',
    'pavilion doctor',
  ).action((options: CommonOptions) =>
    runCommand(async () => {
      const findings = await examine()
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

async function examine(): Promise<Finding[]> {
  const config = readConfig()
  const served = await serverOn(config)
  return [
    checkNode(),
    await checkPort('port', 'PORT', config.host, config.port, served),
    await checkPort('sandbox port', 'SANDBOX_PORT', config.host, config.sandboxPort, served),
    ...(config.databaseUrl ? [] : [await checkFolder(config)]),
    ...(await checkDatabase(config)),
  ]
}

interface Served {
  pid: number
  /** Whether it can be the one of this data folder, whose database would then run. */
  isOurs: boolean
}

async function serverOn(config: Config): Promise<Served | undefined> {
  const pid = await findRunningServer(config)
  if (pid === undefined) return undefined
  const isOurs =
    config.databaseUrl !== undefined ||
    (await findPostmaster(placeIn(config.dataFolder))) !== undefined
  return { pid, isOurs }
}

function checkNode(): Finding {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const ok = major > 20 || (major === 20 && minor >= 19)
  const detail = ok
    ? process.versions.node
    : `${process.versions.node} is too old; install 20.19 or newer`
  return { check: 'node', ok, detail }
}

async function checkPort(
  check: string,
  setting: string,
  host: string,
  port: number,
  served: Served | undefined,
): Promise<Finding> {
  const trouble = await listenTrouble(host, port)
  if (trouble === undefined) return { check, ok: true, detail: `${port} is free` }
  if (trouble !== 'EADDRINUSE') {
    const detail = `cannot listen on ${host}:${port} (${trouble}); set HOST or ${setting}`
    return { check, ok: false, detail }
  }
  if (served?.isOurs)
    return { check, ok: true, detail: `${port} is served (process ${served.pid})` }
  const taker = served ? `another Pavilion (process ${served.pid})` : 'another program'
  const detail = `${port} is taken by ${taker}; stop it or set ${setting}`
  return { check, ok: false, detail }
}

/** Why nothing can listen there, by the system's name for it; undefined when something can. */
function listenTrouble(host: string, port: number): Promise<string | undefined> {
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
    const detail = existing === dataFolder ? dataFolder : `${dataFolder}, which the start makes`
    return { check, ok: true, detail }
  } catch (error) {
    const reason = (error as Error).message
    const detail = `${dataFolder} cannot be written (${reason}); set PAVILION_DATA to another folder`
    return { check, ok: false, detail }
  }
}

/** The folder itself, or the one in which it would be made: a doctor only looks. */
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
    if (config.databaseUrl) return await examineDatabase(config.databaseUrl, false)
    findNative()
    if (!(await hasCluster(placeIn(config.dataFolder)))) {
      return [{ check: 'database', ok: true, detail: 'embedded; the first start makes it' }]
    }
    const embedded = await openEmbedded({ dataFolder: config.dataFolder, serve: false })
    try {
      return await examineDatabase(await embeddedUrlOf(embedded, 'live'), true)
    } finally {
      await embedded.close()
    }
  } catch (error) {
    const hint = config.databaseUrl ? '; check DATABASE_URL and that the server runs' : ''
    return [{ check: 'database', ok: false, detail: `${(error as Error).message}${hint}` }]
  }
}

async function examineDatabase(url: string, own: boolean): Promise<Finding[]> {
  const database = openDatabase({ url, poolMax: 1 })
  try {
    const { rows } = await sql<{ version: string }>`
      select current_setting('server_version') as version
    `.execute(database.db)
    const { version } = rows[0]
    const recent = Number.parseInt(version, 10) >= POSTGRES_MIN
    const detail = recent
      ? `PostgreSQL ${version}${own ? ', embedded' : ''}`
      : `PostgreSQL ${version} is too old; Pavilion needs ${POSTGRES_MIN} or newer`
    const found = [{ check: 'database', ok: recent, detail }]
    return recent ? [...found, await checkMigrations(database)] : found
  } finally {
    await database.close()
  }
}

async function checkMigrations({ db }: Database): Promise<Finding> {
  const check = 'migrations'
  const pending = await pendingMigrations(db)
  if (pending.length === 0) return { check, ok: true, detail: 'up to date' }
  const detail = `${pending.join(', ')} not applied; run "pavilion migrate" or "pavilion start"`
  return { check, ok: false, detail }
}
