import { CONNECT_MS } from './connection.ts'
import { type Database, openDatabase } from './open.ts'

/**
 * The connections of one process to one market. Each kind of work has a pool of its own, so that
 * none of them can use up the connections of the others.
 */
export interface Pools {
  /** What a request reads and writes. */
  requests: Database
  /** Imports of files, which hold a connection for as long as they take. */
  imports: Database
  /** Webhooks, clean-up and checks. */
  background: Database
  /** Reads of the change log, by the indexes and for requests that wait for a change. */
  following: Database
}

interface PoolLimits {
  poolMax: number
  waitingMax: number
  waitMs: number
  statementTimeoutMs?: number
  longStatements?: boolean
  idleInTransactionMs?: number
  namesStatements?: boolean
}

/**
 * A request that finds 200 others waiting would wait longer than its caller does. An order takes
 * some milliseconds, so those that wait are served long before their time is over. Each of the
 * limits is below ten seconds, within which a caller must learn that the database is away. A
 * transaction that is idle for five seconds is that of a process that was frozen or is gone.
 */
const REQUESTS = {
  waitingMax: 200,
  waitMs: 8_000,
  connectMs: CONNECT_MS,
  statementTimeoutMs: 8_000,
  idleInTransactionMs: 5_000,
  namesStatements: true,
}

/** How many connections each pool beside that of the requests has at most. */
export type PoolSizes = Record<Exclude<keyof Pools, 'requests'>, number>

const OTHERS: Record<keyof PoolSizes, PoolLimits> = {
  // Three imports that hold an Idempotency-Key, and a session for each. The others wait, like an
  // upload that takes a while anyway.
  imports: {
    poolMax: 6,
    waitingMax: 50,
    waitMs: 60_000,
    longStatements: true,
    idleInTransactionMs: 10_000,
  },
  // Every task runs once at a time, and up to 32 webhooks are being sent.
  background: {
    poolMax: 3,
    waitingMax: 100,
    waitMs: 15_000,
    idleInTransactionMs: 5_000,
    namesStatements: true,
  },
  // Two for the indexes, and two that all waiting requests share.
  following: {
    poolMax: 4,
    waitingMax: 50,
    waitMs: 8_000,
    statementTimeoutMs: 8_000,
    idleInTransactionMs: 5_000,
    namesStatements: true,
  },
}

/**
 * One that all listeners share, four snapshots and two loads of two with one each that watches
 * their server, and one that watches that of the imports.
 */
const CONNECTIONS_OUTSIDE_POOLS = 1 + 4 * (1 + 1) + 2 * (2 + 1) + 1

/** How many connections a process may open to one market. */
export function connectionsPerMarket(requestConnections: number, sizes: PoolSizes): number {
  const pooled = Object.values(sizes).reduce((sum, size) => sum + size, 0)
  return requestConnections + pooled + CONNECTIONS_OUTSIDE_POOLS
}

interface RequestPoolOptions {
  url: string
  /** The address of PostgreSQL itself, for what needs a session, when `url` leads to a pooler. */
  directUrl?: string | undefined
  connections: number
  onConnectionError: (error: Error) => void
}

/** Opens the pool of the requests. */
export function openRequestPool(options: RequestPoolOptions): Database {
  const { url, directUrl, connections, onConnectionError } = options
  return openDatabase({ url, directUrl, poolMax: connections, ...REQUESTS, onConnectionError })
}

/** Adds the other pools to that of the requests. */
export function openPools(
  requests: Database,
  onConnectionError: (error: Error) => void,
  sizes: Partial<PoolSizes>,
): Pools {
  const { url, directUrl } = requests
  const limitsOf = (name: keyof PoolSizes) => {
    const { poolMax, ...limits } = OTHERS[name]
    return {
      poolMax: sizes[name] ?? poolMax,
      connectMs: CONNECT_MS,
      ...limits,
      onConnectionError,
    }
  }
  return {
    requests,
    // An import has a lock and tables in its session.
    imports: openDatabase({ url: directUrl, ...limitsOf('imports') }),
    background: openDatabase({ url, directUrl, ...limitsOf('background') }),
    following: openDatabase({ url, directUrl, ...limitsOf('following') }),
  }
}

/** A statement may still run; closing does not wait for it any longer. */
const CLOSE_MS = 1_000

/** Closes the pools that `openPools` opened. */
export async function closePools({ imports, background, following }: Pools): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS)
  })
  const closed = Promise.all([imports, background, following].map((pool) => pool.close()))
  await Promise.race([closed, late])
  clearTimeout(timer)
}
