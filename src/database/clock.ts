import { sql } from 'kysely'
import type { Db, Tx } from './open.ts'
import { lockName } from './transaction.ts'

/**
 * The clock of a market. The database's clock decides, so that all nodes agree: SQL asks
 * `market_now()` and `market_clock()` (migration 0008), and what is decided in memory asks this
 * clock, which follows the database's without a query. A node whose own clock is wrong still shows
 * holds and expiries rightly.
 */
export interface Clock {
  /** The market's time in milliseconds since 1970. */
  now: () => number
  /** The database's time, which stays the real one when the clock of a sandbox is moved. */
  databaseNow: () => number
  /** How far the system clock of this node is ahead of the database's; undefined until measured. */
  differenceMs(): number | undefined
  /** Undefined while the difference is tolerable, otherwise what is wrong. */
  problem(): string | undefined
  /** Compares the clocks. */
  measure(): Promise<void>
}

/** What a rule about time needs. */
export type MarketTime = Pick<Clock, 'now'>

/** A node whose clock is further off needs attention: its log and its certificates are wrong. */
const DIFFERENCE_MS_MAX = 60_000

/** One comparison. Between them time is counted by `performance.now()`, which never jumps. */
interface Sample {
  /** What must be added to `performance.now()` to get the database's time. */
  offsetMs: number
  roundTripMs: number
}

export function createClock(db: Db): Clock {
  // Until the first comparison there is only the clock of this node.
  const unmeasured = Date.now() - performance.now()
  let sample: Sample | undefined
  let movedMs = 0
  const databaseNow = () => performance.now() + (sample?.offsetMs ?? unmeasured)
  const differenceMs = () => sample && Date.now() - databaseNow()
  return {
    now: () => databaseNow() + movedMs,
    databaseNow,
    differenceMs,
    problem() {
      const difference = differenceMs()
      return difference === undefined ? 'not yet compared with the database' : problemOf(difference)
    },
    async measure() {
      const { moved_ms, ...taken } = await takeSample(db, sql`market_offset()`)
      sample = moreExact(sample, taken)
      movedMs = moved_ms
    },
  }
}

/** Compares the clocks once. Works on a database that is not migrated yet. */
export async function measureDifference(db: Db): Promise<{ ms: number; problem?: string }> {
  const { offsetMs } = await takeSample(db)
  const ms = Date.now() - performance.now() - offsetMs
  const problem = problemOf(ms)
  return { ms, ...(problem && { problem }) }
}

/** Reads the market's time for a decision, in milliseconds since 1970. */
export async function readMarketTime(db: Db): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from market_clock()) * 1000)::float8 as now`.execute(db)
  return rows[0].now
}

/** Notifies the nodes that the clock was moved. */
export const CLOCK_CHANNEL = 'pavilion_clock'

/** How far the market's clock is ahead of the database's. */
export async function readOffsetSeconds(db: Db | Tx): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from market_offset())::float8 as seconds`.execute(db)
  return rows[0].seconds
}

/**
 * Moves the clock of a sandbox forward by so many whole seconds, or sets it right again. Moves at
 * the same time wait for each other and add up.
 */
export async function moveClock(
  tx: Tx,
  by: number | 'reset',
): Promise<{ before: number; after: number }> {
  await lockName(tx, 'market clock')
  const before = await readOffsetSeconds(tx)
  const after = by === 'reset' ? 0 : before + by
  await sql`
    create or replace function market_offset() returns interval language sql stable parallel safe
    return ${sql.raw(`interval '${Math.round(after)} seconds'`)}`.execute(tx)
  await sql`select pg_notify(${CLOCK_CHANNEL}, '')`.execute(tx)
  return { before, after }
}

async function takeSample(db: Db, moved = sql`interval '0'`) {
  // Waiting for a connection is not part of the round trip.
  return db.connection().execute(async (connection) => {
    const sentAtMs = performance.now()
    const { rows } = await sql<{ now: number; moved_ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
        (extract(epoch from ${moved}) * 1000)::float8 as moved_ms`.execute(connection)
    const receivedAtMs = performance.now()
    const [{ now, moved_ms }] = rows
    // The database read its clock somewhere between; half of the time is the least error.
    const offsetMs = now - (sentAtMs + receivedAtMs) / 2
    return { offsetMs, roundTripMs: receivedAtMs - sentAtMs, moved_ms }
  })
}

/**
 * A slow comparison says little: it may be wrong by half of its round trip. It replaces a faster
 * one only if the two contradict each other, because a clock was set or has drifted.
 */
function moreExact(earlier: Sample | undefined, taken: Sample): Sample {
  if (!earlier || taken.roundTripMs <= earlier.roundTripMs) return taken
  const errorMs = Math.abs(taken.offsetMs - earlier.offsetMs)
  return errorMs > taken.roundTripMs / 2 ? taken : earlier
}

function problemOf(differenceMs: number): string | undefined {
  if (Math.abs(differenceMs) <= DIFFERENCE_MS_MAX) return undefined
  const seconds = Math.round(Math.abs(differenceMs) / 1000)
  const direction = differenceMs > 0 ? 'ahead of' : 'behind'
  const most = `at most ${DIFFERENCE_MS_MAX / 1000} s are tolerated`
  return `${seconds} s ${direction} the clock of the database; ${most}`
}
