import type pg from 'pg'
import { PoolBusyError } from './errors.ts'

/** How much of a pool is in use now. */
export interface PoolLoad {
  max: number
  /** Connections that are open or being opened. */
  total: number
  inUse: number
  /** Callers that wait for a connection. */
  waiting: number
  /** How many callers were refused, because too many were waiting, since the process started. */
  refused: number
}

type Connect = (callback?: ConnectCallback) => Promise<pg.PoolClient> | undefined
type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void

/**
 * Limits how many callers wait for a connection: one more is refused at once, which costs it less
 * than waiting in vain. The pool itself limits how long the others wait. Returns its load.
 */
export function boundQueue(
  pool: pg.Pool,
  max: number,
  waitingMax = Number.POSITIVE_INFINITY,
): () => PoolLoad {
  let refused = 0
  const connect = pool.connect.bind(pool) as Connect
  // The pool gives idle connections away in the next turn; until then it counts their callers.
  const unserved = () => pool.waitingCount - pool.idleCount
  const isFull = () => pool.totalCount >= max && unserved() >= waitingMax

  // Kysely calls it for a promise, and the pool's own `query` with a callback.
  const connectUnlessFull: Connect = (callback) => {
    if (!isFull() || pool.ending) return callback ? connect(callback) : connect()
    refused++
    const error = new PoolBusyError('Too many callers are waiting for a database connection.')
    if (!callback) return Promise.reject(error)
    process.nextTick(callback, error, undefined, () => {})
    return undefined
  }
  pool.connect = connectUnlessFull as typeof pool.connect

  return () => ({
    max,
    total: pool.totalCount,
    inUse: pool.totalCount - pool.idleCount,
    waiting: Math.max(0, unserved()),
    refused,
  })
}

/** Whether a caller would have to wait for a connection now. */
export function isBusy({ max, inUse, waiting }: PoolLoad): boolean {
  return inUse >= max || waiting > 0
}
