import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { CONNECTION_SETTINGS } from '../database/connection.ts'
import { columnTypes, type Database } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'

/**
 * Reads of whole tables: loads of indexes, and snapshots. They are read from a replica of the
 * database where there is one, so that they cost the primary nothing.
 */
export interface BulkReads {
  /**
   * Reads from the replica once it has replayed what the change log has now. Reads from the primary
   * without one, when it is away or too far behind, or when reading from it fails.
   */
  read<T>(read: (source: BulkSource) => Promise<T>): Promise<T>
  /** The replica failed after `read` was done, as with a stream. */
  giveUp(error: unknown): void
  /** What the replica is like now; undefined without one. */
  inspect(): Promise<ReplicaState> | undefined
  /** How many reads each server has answered. */
  counts(): Record<BulkSource['server'], number>
}

export interface BulkSource {
  server: 'replica' | 'primary'
  /** The address for a session of one's own. */
  url: string
  /** Numbers what is committed, and waits until this server has it. */
  follow(): Promise<void>
}

export interface ReplicaState {
  /** Changes of the log that it has not replayed. */
  changesBehind: number
  /** Why it cannot be read from; undefined if it can. */
  problem: string | undefined
}

interface BulkReadOptions {
  primary: Database
  replicaUrl?: string | undefined
  /** Numbers all changes that were committed before the call. */
  number: () => Promise<unknown>
  onError?: ((error: unknown) => void) | undefined
}

/** A load takes longer than this from the primary; a reader of a snapshot waits for it. */
const FOLLOW_MS = 3_000
const ASK_EVERY_MS = 25
/** A replica that failed is left alone for this long, so that not every read waits for it. */
const RETRY_MS = 10_000

export function createBulkReads(options: BulkReadOptions): BulkReads {
  const { primary, replicaUrl, number, onError } = options
  const counts = { replica: 0, primary: 0 }
  let retryAtMs = 0

  async function follow(url: string): Promise<void> {
    await number()
    const wanted = await readPlace(primary)
    await withReplica(url, async (client) => {
      const deadline = performance.now() + FOLLOW_MS
      for (;;) {
        const { problem, changesBehind } = stateOf(await readReplica(client), wanted)
        if (problem === undefined && changesBehind === 0) return
        if (problem !== undefined) throw new Error(problem)
        if (performance.now() > deadline) throw new Error(`is ${changesBehind} changes behind`)
        await sleep(ASK_EVERY_MS)
      }
    })
  }

  function giveUp(error: unknown): void {
    retryAtMs = performance.now() + RETRY_MS
    const reason = (error as Error).message
    onError?.(new Error(`the replica is not read from: ${reason}`, { cause: error }))
  }

  async function readFrom<T>(source: BulkSource, read: (source: BulkSource) => Promise<T>) {
    await source.follow()
    const result = await read(source)
    counts[source.server]++
    return result
  }

  return {
    async read(read) {
      if (replicaUrl !== undefined && performance.now() >= retryAtMs) {
        const url = replicaUrl
        try {
          return await readFrom({ server: 'replica', url, follow: () => follow(url) }, read)
        } catch (error) {
          // What is not in the log, such as a new merchant, may not have arrived yet.
          if (!(error instanceof Refusal)) giveUp(error)
        }
      }
      const source = { server: 'primary', url: primary.directUrl } as const
      return readFrom({ ...source, follow: async () => void (await number()) }, read)
    },
    giveUp,
    inspect: () => (replicaUrl === undefined ? undefined : inspectReplica(primary, replicaUrl)),
    counts: () => ({ ...counts }),
  }
}

/** What the replica is like now, without waiting for it to follow. */
export async function inspectReplica(primary: Database, url: string): Promise<ReplicaState> {
  const wanted = await readPlace(primary)
  try {
    return stateOf(await withReplica(url, readReplica), wanted)
  } catch (error) {
    return { changesBehind: 0, problem: `does not answer (${(error as Error).message})` }
  }
}

/** Where a server is in the change log, and in which history of it. */
interface LogPlace {
  last: number
  history: string | null
}

const PLACE = 'select last, history, pg_is_in_recovery() as "isReplica" from change_clock'

async function readPlace({ db }: Database): Promise<LogPlace> {
  const { rows } = await sql<LogPlace>`select last, history from change_clock`.execute(db)
  return rows[0]
}

type ReplicaPlace = LogPlace & { isReplica: boolean }

async function readReplica(client: pg.Client): Promise<ReplicaPlace> {
  return (await client.query<ReplicaPlace>(PLACE)).rows[0]
}

/**
 * A standby replays commits in their order, so one that has the number of the log has everything
 * that was numbered before. One of another history has other changes under the same numbers
 * (docs/decisions/0027-log-history.md); it may still be about to follow a new primary.
 */
function stateOf(replica: ReplicaPlace, wanted: LogPlace): ReplicaState {
  const changesBehind = Math.max(0, wanted.last - replica.last)
  if (!replica.isReplica) return { changesBehind, problem: 'is not a standby' }
  if (replica.history !== wanted.history && changesBehind === 0) {
    return { changesBehind, problem: 'has another history than the primary' }
  }
  return { changesBehind, problem: undefined }
}

async function withReplica<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    ...CONNECTION_SETTINGS,
    connectionTimeoutMillis: FOLLOW_MS,
    query_timeout: FOLLOW_MS,
    types: columnTypes,
    application_name: 'pavilion replica check',
  })
  // A failure is reported by the query; without a listener it would also end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    // Without waiting: a server that is gone does not say goodbye.
    void client.end().catch(() => {})
  }
}
