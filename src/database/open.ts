import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Acting } from './actor.ts'
import type { PooledSettings } from './connection.ts'
import { boundQueue, type PoolLoad } from './connections/bounded-queue.ts'
import { createBrokenConnections } from './connections/drop-broken.ts'
import { createStatementNames } from './connections/name-statements.ts'
import type { AuditTables } from './tables/audit.ts'
import type { EventTables } from './tables/events.ts'
import type { GemTables } from './tables/gems.ts'
import type { JewelryTables } from './tables/jewelry.ts'
import type { MailTables } from './tables/mail.ts'
import type { MerchantTables } from './tables/merchants.ts'
import type { OrderTables } from './tables/orders.ts'
import type { PeopleTables } from './tables/people.ts'
import type { QuoteTables } from './tables/quotes.ts'
import type { SavedSearchTables } from './tables/saved-searches.ts'
import type { SelectionTables } from './tables/selections.ts'
import type { SourceTables } from './tables/sources.ts'
import { watchSessions } from './watch-sessions.ts'

/**
 * The tables as Kysely sees them. Columns keep the interface's names from SQL to JSON. `numeric`
 * is read as a string, which is right for money; timestamps are read as PostgreSQL prints them
 * (see lib/timestamps.ts), because a JavaScript Date would drop the microseconds.
 */
export type Tables = MerchantTables &
  PeopleTables &
  GemTables &
  SourceTables &
  OrderTables &
  QuoteTables &
  EventTables &
  MailTables &
  AuditTables &
  SavedSearchTables &
  SelectionTables &
  JewelryTables

/** Both know who writes: see actor.ts. */
export type Db = Kysely<Tables> & Acting
/** A `Tx` in a signature means "inside a transaction": passing a plain `Db` does not compile. */
export type Tx = Transaction<Tables> & Acting

interface OpenOptions {
  url: string
  /** The address of PostgreSQL itself, for what needs a session, when `url` leads to a pooler. */
  directUrl?: string | undefined
  /** The maximum of connections in this pool. */
  poolMax?: number
  /** How many callers may wait for a connection; one more is refused at once. */
  waitingMax?: number
  /** How long a caller may wait for a connection. */
  waitMs?: number
  /** How long the server may take to accept a connection; as long as the caller waits if unset. */
  connectMs?: number
  /** PostgreSQL cancels a statement that runs longer; 0: no limit. */
  statementTimeoutMs?: number
  /** Statements may switch their limit off, as imports do. */
  longStatements?: boolean
  /** Statements that come again are prepared; see connections/name-statements.ts. */
  namesStatements?: boolean
  /** PostgreSQL ends a connection that does nothing within a transaction for this long. */
  idleInTransactionMs?: number
  /** Called when an idle connection breaks, which must not end the process. */
  onConnectionError?: (error: Error) => void
}

export interface Database {
  db: Db
  pool: pg.Pool
  url: string
  /** For what needs a session of its own: listening, locks of a session, temporary tables. */
  directUrl: string
  /** How much of the pool is in use now. */
  load: () => PoolLoad
  close(): Promise<void>
}

const CONNECTIONS_MAX = 10
const WAIT_MS = 30_000
const STATEMENT_MS = 15_000
/** What an answer may take longer than its statement, on its way. */
const WAY_MS = 1_000
/**
 * Between two statements of a transaction there is only our own work. A process that was frozen
 * within one would keep its locks, and every other node would wait for them. The pools of a server
 * have shorter limits.
 */
const IDLE_IN_TRANSACTION_MS = 60_000
const INT8 = 20
const TIMESTAMPTZ = 1184

/** bigint columns are ids and sequences far below 2^53; timestamps stay text, with microseconds. */
export const columnTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return Number
    if (oid === TIMESTAMPTZ) return (text: string) => text
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig

export function openDatabase(options: OpenOptions): Database {
  const { url, statementTimeoutMs = STATEMENT_MS, longStatements = false } = options
  const max = options.poolMax ?? CONNECTIONS_MAX
  const isLimited = statementTimeoutMs > 0 && !longStatements
  const idleInTransactionMs = options.idleInTransactionMs ?? IDLE_IN_TRANSACTION_MS
  const isPooled = options.directUrl !== undefined && options.directUrl !== url
  const settings = { statementTimeoutMs, idleInTransactionMs }
  const answerMs = isLimited ? statementTimeoutMs + WAY_MS : undefined
  const waitMs = options.waitMs ?? WAIT_MS
  const broken = createBrokenConnections({
    connectMs: options.connectMs ?? waitMs,
    answerMs,
    pooled: isPooled ? settings : undefined,
    nameOf: options.namesStatements ? createStatementNames() : undefined,
  })
  const pool = new pg.Pool({
    connectionString: url,
    Client: broken.Client,
    max,
    types: columnTypes,
    // How long a caller waits for a free connection.
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 60_000,
    application_name: 'pavilion',
    ...(isPooled ? throughPooler() : startSettings(settings)),
  })
  // Without a listener, a broken connection would end the process. The pool emits the errors of
  // idle connections; one that breaks in use fails its statement and needs its own listener.
  pool.on('error', options.onConnectionError ?? (() => {}))
  pool.on('connect', (client) => client.on('error', () => {}))
  broken.follow(pool)
  if (!isLimited) watchAcquired(pool, url)
  const load = boundQueue(pool, max, options.waitingMax)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, url, directUrl: options.directUrl ?? url, load, close: () => db.destroy() }
}

function startSettings({ statementTimeoutMs, idleInTransactionMs }: PooledSettings) {
  return {
    options: '-c timezone=UTC',
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  }
}

/**
 * A pooler refuses most settings of a connection, or ignores them. It remembers the time zone of
 * each client, once the client has set it; connection.ts sets the others in every transaction.
 */
function throughPooler() {
  return { onConnect: (client: pg.ClientBase) => client.query("set timezone = 'UTC'") }
}

/** Statements without a limit run only while their server is there. */
function watchAcquired(pool: pg.Pool, url: string): void {
  const watch = watchSessions(url)
  pool.on('acquire', (client) => watch.add(client))
  pool.on('release', (_error, client) => watch.remove(client))
}

/** A Kysely on one open connection, for work that needs the connection itself as well. */
export function kyselyOn(client: pg.ClientBase): Db {
  const connection = { query: client.query.bind(client), release: () => {} }
  const connect = async () => connection as unknown as pg.PoolClient
  return new Kysely({ dialect: new PostgresDialect({ pool: { connect, end: async () => {} } }) })
}
