import { access, chmod, constants, mkdir, realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import pg from 'pg'
import { ConfigError } from '../../lib/settings.ts'
import { isUniqueViolation } from '../errors.ts'
import { attach, type EmbeddedEvent, urlAt } from './attach.ts'
import { ensurePassword, type Paths, pathsIn } from './cluster.ts'
import { keepServing, keepUsing } from './keep.ts'
import { endSession, openSession } from './session.ts'

export type { EmbeddedEvent } from './attach.ts'

/** A PostgreSQL server that Pavilion starts, shares among its processes, watches and stops. */
export interface Embedded {
  /**
   * The connection string of a database of this server, for the role `pavilion`, which owns the
   * databases and may create some, but is not a superuser. It stays the same when the server dies
   * and is restarted.
   */
  urlOf(database: string): string
  /** True while the server responds. */
  isUp(): boolean
  /** Stops the server unless another Pavilion process uses it. */
  close(): Promise<void>
}

export interface EmbeddedOptions {
  /** PAVILION_DATA, which contains everything. */
  dataFolder: string
  /** For `pavilion start`: one process only, and the server is restarted when it dies. */
  serve: boolean
  onEvent?: (event: EmbeddedEvent) => void
  /** The account that root runs PostgreSQL with, created if necessary; unset: "nobody". */
  accountName?: string
  /** More settings of PostgreSQL; tests switch its writes to disk off. */
  settings?: Record<string, string>
  /** Where PostgreSQL copies its write-ahead log; unset: nowhere. */
  walArchive?: string | undefined
  /** Set by the restore itself; others refuse a folder whose restore was not finished. */
  isRestoring?: boolean
}

export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { serve, settings, accountName, walArchive, onEvent = () => {} } = options
  const paths = pathsIn(await ensureFolder(resolve(options.dataFolder)))
  if (!options.isRestoring) await refuseUnfinished(paths)
  const password = await ensurePassword(paths)
  const attachOptions = {
    paths,
    password,
    serve,
    settings,
    accountName,
    walArchive,
    onEvent,
  }
  const first = await attach(attachOptions)
  const { port, pid } = first.postmaster
  onEvent({ kind: 'up', detail: `PostgreSQL on 127.0.0.1:${port}, process ${pid}` })
  return {
    urlOf: (database) => urlAt(port, password, database),
    ...(serve ? keepServing(attachOptions, first) : keepUsing(attachOptions, first)),
  }
}

/** Creates a database when it is missing; two processes may do so at once. */
export async function ensureDatabase(embedded: Embedded, name: string): Promise<void> {
  const session = await openSession(embedded.urlOf('postgres'), 'pavilion set-up')
  try {
    const known = 'select from pg_database where datname = $1'
    const { rowCount } = await session.client.query(known, [name])
    if (rowCount === 0) await session.client.query(`create database ${pg.escapeIdentifier(name)}`)
  } catch (error) {
    // Two processes at once can also collide in PostgreSQL's own catalogue.
    const { code } = error as { code?: string }
    if (code !== DUPLICATE_DATABASE && !isUniqueViolation(error)) throw error
  } finally {
    await endSession(session)
  }
}

const DUPLICATE_DATABASE = '42P04'

async function refuseUnfinished({ folder, unfinishedFile }: Paths): Promise<void> {
  const isFinished = await access(unfinishedFile).then(
    () => false,
    () => true,
  )
  if (isFinished) return
  throw new Error(
    `The restore into ${folder} was not finished: remove the folder and restore again, or wait ` +
      'if "pavilion restore" is still running.',
  )
}

/** Creates the data folder so that PostgreSQL's account can enter it. */
export async function ensureFolder(path: string): Promise<string> {
  try {
    const first = await mkdir(path, { recursive: true, mode: 0o700 })
    if (first !== undefined && process.getuid?.() === 0) await letOthersEnter(first, path)
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return await realpath(path)
  } catch (error) {
    throw new ConfigError(
      `The data folder ${path} cannot be used: ${(error as Error).message}. Set PAVILION_DATA to ` +
        'a folder that this user may write.',
      { cause: error },
    )
  }
}

/**
 * PostgreSQL's account must be able to enter the folders that root has just created, whatever the
 * umask is; the secret files have modes of their own.
 */
async function letOthersEnter(first: string, last: string): Promise<void> {
  for (let folder = last; folder.startsWith(first); folder = dirname(folder)) {
    await chmod(folder, 0o711)
  }
}
