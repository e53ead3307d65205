import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/**
 * Every Pavilion process that uses the server holds one connection with a shared lock. A process
 * that releases it and then gets the lock exclusively is the last one and stops the server; a new
 * process that does not get the shared lock waits until the server has stopped, and starts it
 * again. The process that serves holds a second, exclusive lock. Locks end with their process,
 * however it dies.
 */
const USING = 7_072_001
const SERVING = 7_072_002
const CONNECT_MS = 5_000
const QUERY_MS = 5_000
const CLOSE_MS = 1_000

export interface Session {
  client: pg.Client
  /** Resolves when the connection has ended, on either side. */
  ended: Promise<void>
  hasEnded(): boolean
}

export async function openSession(url: string, name: string): Promise<Session> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    keepAlive: true,
  })
  let over = false
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      over = true
      resolve()
    }
    // An error without a listener would end the process.
    client.once('end', end).on('error', end)
  })
  await client.connect()
  return { client, ended, hasEnded: () => over }
}

/** Returns false when the last user is stopping the server. */
export function shareServer(session: Session): Promise<boolean> {
  return ask(session, `select pg_try_advisory_lock_shared(${USING}) as result`)
}

/** Releases our lock; true when nobody else uses the server, and from now on nobody can. */
export async function releaseAndClaimIfLast(session: Session): Promise<boolean> {
  await ask(session, `select pg_advisory_unlock_shared(${USING}) as result`)
  return ask(session, `select pg_try_advisory_lock(${USING}) as result`)
}

export function claimServing(session: Session): Promise<boolean> {
  return ask(session, `select pg_try_advisory_lock(${SERVING}) as result`)
}

/** The pid of the process that serves, from the name of its session: `pavilion start <pid>`. */
export async function whoServes({ client }: Session): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and objid = ${SERVING} and granted`,
  )
  const pid = /\d+$/.exec(rows[0]?.name ?? '')?.[0]
  return pid === undefined ? undefined : Number(pid)
}

export async function isResponsive(session: Session): Promise<boolean> {
  return ask(session, 'select true as result').catch(() => false)
}

/** The file of the log that PostgreSQL last failed to archive, unless it has archived since. */
export async function findArchiveFailure({ client }: Session): Promise<string | undefined> {
  const { rows } = await client.query<{ file: string }>(
    `select last_failed_wal as file from pg_stat_archiver
     where last_failed_time > coalesce(last_archived_time, '-infinity')`,
  )
  return rows[0]?.file
}

async function ask({ client }: Session, query: string): Promise<boolean> {
  const { rows } = await client.query<{ result: boolean }>(query)
  return rows[0]?.result === true
}

/** Whether the error is one that PostgreSQL gives while it stops, crashes or starts. */
export function isShutdown(error: unknown): boolean {
  return /^57P0[123]$/.test((error as { code?: string }).code ?? '')
}

/** Never waits long: a server that hangs does not close the connection. */
export async function endSession({ client }: Session): Promise<void> {
  await Promise.race([client.end().catch(() => {}), sleep(CLOSE_MS, undefined, { ref: false })])
}
