import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import { type CountedUse, countKey, countUse, deleteEndedCounts } from '../database/use-counts.ts'
import { callerKey } from '../lib/networks.ts'

/** Limits of signing in. */
const LIMITS = {
  /** An office signs in behind one address. */
  address: { count: 20, seconds: 60 },
  /** A person mistypes a few times; ten guesses in a quarter of an hour find no password. */
  account: { count: 10, seconds: 15 * 60 },
}

/** What an attempt counts against: the address that it comes from, and the account it names. */
export interface Attempt {
  address?: string
  email?: string
}

/** Counts an attempt. Returns after how many seconds it may be made, or 0 when it may be now. */
export function countAttempt(db: Db | Tx, attempt: Attempt): Promise<number> {
  return countUse(db, 'sign_in_attempt', usesOf(attempt))
}

/** Takes an attempt back that succeeded: only failures use up the limit. */
export async function forgetAttempt(db: Db | Tx, attempt: Attempt): Promise<void> {
  const keys = usesOf(attempt).map(({ key }) => key)
  await sql`
    update sign_in_attempt set count = count - 1
    where key in (
      select key from sign_in_attempt where key = any(${keys}::bytea[]) and count > 0
      order by key for update)`.execute(db)
}

/** Deletes counts whose time has ended. */
export function deleteOldAttempts(db: Db): Promise<void> {
  return deleteEndedCounts(db, 'sign_in_attempt')
}

function usesOf({ address, email }: Attempt): CountedUse[] {
  const uses: CountedUse[] = []
  if (address !== undefined) {
    uses.push({ key: countKey(`address ${callerKey(address)}`), limit: LIMITS.address })
  }
  if (email !== undefined) {
    const account = email.trim().toLowerCase()
    uses.push({ key: countKey(`account ${account}`), limit: LIMITS.account })
  }
  return uses
}
