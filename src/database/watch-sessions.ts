import pg from 'pg'
import { CONNECTION_SETTINGS } from './connection.ts'

/** How often the server is asked, and how long its answer may take. */
const ASK_EVERY_MS = 2_000
const ASK_MS = 3_000
/** The wait is counted in these, so that a time in which this thread did not run counts as one. */
const TICK_MS = 100
/** The server is there, and has no connection left to be asked on. */
const TOO_MANY_CONNECTIONS = '53300'

/** Connections whose statements may take any time: of imports, loads and snapshots. */
interface SessionWatch {
  add(client: pg.ClientBase): void
  remove(client: pg.ClientBase): void
}

/**
 * Ends sessions that their server no longer knows. A statement without a time limit cannot be told
 * from a server that is gone by waiting, so the server is asked over another connection whether it
 * still has the session. Without an answer, or with "no", the session is ended, which fails what
 * runs in it within ten seconds.
 */
export function watchSessions(url: string): SessionWatch {
  const sessions = new Set<pg.ClientBase>()
  let watch: { stop(): void } | undefined
  return {
    add(client) {
      sessions.add(client)
      watch ??= startAsking(url, sessions)
    },
    remove(client) {
      sessions.delete(client)
      if (sessions.size > 0) return
      // An open connection would keep a command from ending.
      watch?.stop()
      watch = undefined
    },
  }
}

/** Asks again and again for the sessions, and ends those that are gone, until it is stopped. */
function startAsking(url: string, sessions: ReadonlySet<pg.ClientBase>): { stop(): void } {
  let asker: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function ask(pids: number[]): Promise<Set<number>> {
    if (!asker) {
      asker = newAsker(url)
      await inTime(asker.connect())
    }
    const question = 'select pid from pg_stat_activity where pid = any($1)'
    const { rows } = await inTime(asker.query<{ pid: number }>(question, [pids]))
    return new Set(rows.map(({ pid }) => pid))
  }

  /** Without a goodbye: one that is still connecting would keep a command from ending. */
  function dropAsker(): void {
    asker?.connection.stream.destroy()
    asker = undefined
  }

  /** The first failure may be that of the asking connection alone, so it is asked twice. */
  async function askTwice(pids: number[]): Promise<Set<number>> {
    try {
      return await ask(pids)
    } catch (error) {
      dropAsker()
      if (isStopped) throw error
      return ask(pids)
    }
  }

  async function check(): Promise<void> {
    const asked = [...sessions].filter((client) => pidOf(client) !== undefined)
    const pids = asked.map((client) => pidOf(client) ?? 0)
    const known = await askTwice(pids).catch((error: { code?: string }) => {
      dropAsker()
      return new Set(error.code === TOO_MANY_CONNECTIONS ? pids : [])
    })
    // Stopping breaks the question off, which says nothing about the sessions.
    if (isStopped) return
    for (const client of asked) {
      if (sessions.has(client) && !known.has(pidOf(client) ?? 0)) {
        void (client as pg.Client).end().catch(() => {})
      }
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      void check().finally(() => {
        if (!isStopped) schedule()
      })
    }, ASK_EVERY_MS).unref()
  }

  schedule()
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      dropAsker()
    },
  }
}

/** The number of the server's process; the driver's types leave it out. */
function pidOf(client: pg.ClientBase): number | undefined {
  return (client as { processID?: number | null }).processID ?? undefined
}

function newAsker(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'pavilion watch',
  })
  // A failure is reported by the query; without a listener it would also end the process.
  client.on('error', () => {})
  return client
}

/**
 * Limits the wait for an answer. The driver's own limits would also count the time in which a
 * loaded machine did not run this thread, and end a session whose server has long answered.
 */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
      if (ticks * TICK_MS >= ASK_MS) reject(new Error('The database did not answer in time.'))
    }, TICK_MS)
    timer.unref()
    answer.then(resolve, reject).finally(() => clearInterval(timer))
  })
}

interface SessionOptions {
  url: string
  applicationName: string
  types?: pg.CustomTypesConfig
  /** What watches the session; one of its own unless given. */
  watch?: SessionWatch
}

/** A reader that takes its time holds up nobody but the removal of old rows. */
const SESSION_IDLE_MS = 60_000

/** Runs work on a connection of its own, for as long as its server is there. */
export async function withSession<T>(
  options: SessionOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const session = await openSession(options)
  try {
    return await work(session.client)
  } finally {
    await session.close()
  }
}

/** A session as `withSession` has it, for work that ends elsewhere, such as a stream. */
export async function openSession({
  url,
  applicationName,
  types,
  watch = watchSessions(url),
}: SessionOptions) {
  const client = new pg.Client({
    connectionString: url,
    ...CONNECTION_SETTINGS,
    options: '-c timezone=UTC',
    application_name: applicationName,
    idle_in_transaction_session_timeout: SESSION_IDLE_MS,
    ...(types && { types }),
  })
  // A failure is reported by the query; without a listener it would also end the process.
  client.on('error', () => {})
  await client.connect()
  watch.add(client)
  const close = async () => {
    watch.remove(client)
    await client.end().catch(() => {})
  }
  return { client, close }
}
