import pg from 'pg'

/**
 * Every Pavilion process that uses the server holds one connection with a shared lock. Who lets
 * go and then gets the lock exclusively is the last one and stops the server; a newcomer that
 * does not get its share waits until the stopping is over and starts it again. The process that
 * serves holds a second lock, exclusively. Locks end with their process, however it dies.
 */
const USING = 7_072_001
const SERVING = 7_072_002
const CONNECT_MS = 5_000
const ANSWER_MS = 10_000

export interface Session {
  client: pg.Client
  /** Resolves when the connection is gone, whoever ended it. */
  ended: Promise<void>
  hasEnded(): boolean
}

export async function openSession(url: string, name: string): Promise<Session> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
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

/** False: the last user is just stopping the server. */
export function shareServer(session: Session): Promise<boolean> {
  return ask(session, `select pg_try_advisory_lock_shared(${USING}) as answer`)
}

/** True: nobody else uses the server, and nobody can begin to. */
export async function leaveServer(session: Session): Promise<boolean> {
  await ask(session, `select pg_advisory_unlock_shared(${USING}) as answer`)
  return ask(session, `select pg_try_advisory_lock(${USING}) as answer`)
}

export function claimServing(session: Session): Promise<boolean> {
  return ask(session, `select pg_try_advisory_lock(${SERVING}) as answer`)
}

/** The name, with its process number, of the session that serves. */
export async function whoServes({ client }: Session): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and objid = ${SERVING} and granted`,
  )
  return rows[0]?.name
}

export async function isAnswering(session: Session): Promise<boolean> {
  return ask(session, 'select true as answer').catch(() => false)
}

async function ask({ client }: Session, query: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(query)
  return rows[0]?.answer === true
}
