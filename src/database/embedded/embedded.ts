import { mkdir, realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Attachment, type AttachOptions, attach, type EmbeddedEvent, urlAt } from './attach.ts'
import { ensurePassword, placeIn } from './cluster.ts'
import { boundLog } from './log-file.ts'
import { findPostmaster, stopPostmaster } from './postmaster.ts'
import { isAnswering, leaveServer, openSession } from './session.ts'

export type { EmbeddedEvent } from './attach.ts'

/** A PostgreSQL that Pavilion starts, shares among its processes, watches and stops. */
export interface Embedded {
  /**
   * Connection string of a database of this server, for the ordinary role `pavilion`, which owns
   * the databases and may create some, and is no superuser.
   */
  urlOf(database: string): string
  /** True while the server answers. */
  isUp(): boolean
  /** Releases it: stops PostgreSQL unless another Pavilion process uses it. */
  close(): Promise<void>
}

export interface EmbeddedOptions {
  /** PAVILION_DATA; everything lives below it. */
  dataFolder: string
  /** For `pavilion start`: one process only, and the server is brought back when it dies. */
  serve: boolean
  onEvent?: (event: EmbeddedEvent) => void
  /** Further settings of PostgreSQL; tests switch its care for the disk off. */
  settings?: Record<string, string>
}

export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const place = placeIn(await ensureFolder(resolve(options.dataFolder)))
  const password = await ensurePassword(place)
  const onEvent = options.onEvent ?? (() => {})
  const { serve, settings } = options
  const attachOptions: AttachOptions = { place, password, serve, settings, onEvent }
  const first = await attach(attachOptions)
  onEvent({ kind: 'up', detail: `PostgreSQL on 127.0.0.1:${first.postmaster.port}` })
  const keeper = keep(attachOptions, first)
  return {
    urlOf: (database) => urlAt(first.postmaster.port, password, database),
    isUp: keeper.isUp,
    close: keeper.close,
  }
}

/** Creates a database when it is missing; two processes may ask at once. */
export async function ensureDatabase(embedded: Embedded, name: string): Promise<void> {
  const { client } = await openSession(embedded.urlOf('postgres'), 'pavilion set-up')
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== DUPLICATE_DATABASE && code !== UNIQUE_VIOLATION) throw error
  } finally {
    await client.end()
  }
}

const DUPLICATE_DATABASE = '42P04'
const UNIQUE_VIOLATION = '23505'

/** Root's folder must let PostgreSQL's account pass; what is secret in it has a mode of its own. */
async function ensureFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
    return await realpath(path)
  } catch (error) {
    throw new Error(
      `The data folder ${path} cannot be made: ${(error as Error).message}. Set PAVILION_DATA to ` +
        'a folder that this user may write.',
      { cause: error },
    )
  }
}

const HEARTBEAT_MS = 2_000
const WAIT_MS_FIRST = 50
const WAIT_MS_MAX = 5_000

/**
 * Holds the session until the end. When it breaks although nobody closed it, PostgreSQL has died
 * or begun anew; a serving process then attaches again, for as long as that takes.
 */
function keep(options: AttachOptions, first: Attachment) {
  const { place, onEvent, serve } = options
  const port = first.postmaster.port
  const closing = new AbortController()
  let current = first
  let answers = true

  async function bringBack(): Promise<Attachment | undefined> {
    for (let waitMs = WAIT_MS_FIRST; !closing.signal.aborted; waitMs *= 2) {
      try {
        return await attach({ ...options, port })
      } catch (error) {
        onEvent({ kind: 'restarting', detail: (error as Error).message })
        await pause(Math.min(waitMs, WAIT_MS_MAX))
      }
    }
    return undefined
  }

  function pause(ms: number) {
    return sleep(ms, undefined, { signal: closing.signal, ref: false }).catch(() => {})
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      await current.session.ended
      if (closing.signal.aborted) return
      onEvent({ kind: 'down', detail: 'the connection to PostgreSQL broke' })
      const again = await bringBack()
      if (again === undefined) return
      current = again
      onEvent({ kind: 'up', detail: `PostgreSQL is back on 127.0.0.1:${port}` })
    }
  }

  async function listen(): Promise<void> {
    while (!closing.signal.aborted) {
      await pause(HEARTBEAT_MS)
      answers = current.session.hasEnded() || (await isAnswering(current.session))
      await boundLog(place.logFile).catch(() => {})
    }
  }

  const watching = serve ? watch() : Promise.resolve()
  if (serve) void listen()

  async function close(): Promise<void> {
    if (closing.signal.aborted) return
    closing.abort()
    const { session } = current
    try {
      if (session.hasEnded()) return
      if (await leaveServer(session)) {
        const running = await findPostmaster(place)
        onEvent({ kind: 'stopping', detail: 'nobody else uses PostgreSQL' })
        if (running) await stopPostmaster(running.pid)
      }
    } finally {
      await session.client.end().catch(() => {})
      await watching
    }
  }

  return { isUp: () => answers && !current.session.hasEnded(), close }
}
