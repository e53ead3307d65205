import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import { callerKey } from '../lib/networks.ts'

/**
 * Limits of signing in, counted in the database, so that they hold for all nodes together. An
 * attempt is counted before it is made: many at once cannot pass between count and limit.
 */
const LIMITS = {
  /** An office signs in behind one address. */
  address: { count: 20, seconds: 60 },
  /** A person mistypes a few times; ten guesses in a quarter of an hour find no password. */
  account: { count: 10, seconds: 15 * 60 },
}

type Counted = keyof typeof LIMITS

/** What an attempt counts against: the address that it comes from, and the account it names. */
export interface Attempt {
  address?: string
  email?: string
}

/** Counts an attempt. Returns after how many seconds it may be made, or 0 when it may be now. */
export async function countAttempt(db: Db | Tx, attempt: Attempt): Promise<number> {
  const counted = keysOf(attempt)
  const { rows } = await sql<{ key: Buffer; count: number; seconds: number }>`
    insert into sign_in_attempt as attempt (key, count, ends_on)
    select key, 1, market_clock() + make_interval(secs => seconds)
    from unnest(
      ${counted.map(({ key }) => key)}::bytea[],
      ${counted.map(({ kind }) => LIMITS[kind].seconds)}::integer[]
    ) as counted (key, seconds)
    on conflict (key) do update set
      count = case when attempt.ends_on <= market_clock() then 1 else attempt.count + 1 end,
      ends_on = case when attempt.ends_on <= market_clock() then excluded.ends_on
        else attempt.ends_on end
    returning key, count, ceil(extract(epoch from ends_on - market_clock()))::integer as seconds
  `.execute(db)
  const waits = counted.map(({ kind, key }) => {
    const row = rows.find((each) => each.key.equals(key))
    return row && row.count > LIMITS[kind].count ? Math.max(1, row.seconds) : 0
  })
  return Math.max(...waits)
}

/** Takes an attempt back that succeeded: only failures use up the limit. */
export async function forgetAttempt(db: Db | Tx, attempt: Attempt): Promise<void> {
  const keys = keysOf(attempt).map(({ key }) => key)
  await sql`
    update sign_in_attempt set count = count - 1
    where key in (
      select key from sign_in_attempt where key = any(${keys}::bytea[]) and count > 0
      order by key for update)`.execute(db)
}

/** Deletes counts whose time has ended. */
export async function deleteOldAttempts(db: Db): Promise<void> {
  await sql`delete from sign_in_attempt where ends_on < market_now()`.execute(db)
}

/** In the order of the keys, so that two attempts lock the same rows in the same order. */
function keysOf({ address, email }: Attempt): { kind: Counted; key: Buffer }[] {
  const counted: { kind: Counted; key: Buffer }[] = []
  if (address !== undefined) {
    counted.push({ kind: 'address', key: hashOf('address', callerKey(address)) })
  }
  if (email !== undefined) {
    counted.push({ kind: 'account', key: hashOf('account', email.trim().toLowerCase()) })
  }
  return counted.toSorted((a, b) => a.key.compare(b.key))
}

function hashOf(kind: Counted, text: string): Buffer {
  return createHash('sha256').update(`${kind} ${text}`).digest()
}
