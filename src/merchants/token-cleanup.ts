import { sql } from 'kysely'
import type { Db } from '../database/open.ts'

/** An ended session is kept for a day, so that its holder still reads why it is refused. */
const SESSION_KEPT_DAYS = 1
/** An ended key is kept for a month, because its merchant looks it up in the list of keys. */
const KEY_KEPT_DAYS = 30
/** Bounds how long the deletion holds its locks; the rest follows at the next run. */
const DELETED_AT_ONCE_MAX = 1_000

/** Deletes tokens that ended long ago; with a token, what it made, which ended with it. */
export async function deleteEndedTokens(db: Db): Promise<void> {
  await sql`
    delete from token where uuid in (
      select uuid from token
      where least(revoked_on, expires_on) < market_now() - make_interval(
        days => case when is_session then ${SESSION_KEPT_DAYS}::int else ${KEY_KEPT_DAYS}::int end
      )
      limit ${DELETED_AT_ONCE_MAX}
    )`.execute(db)
}

/** What is known of a past day is of no use to a rule; some are kept for questions. */
const USE_KEPT_DAYS = 31

export async function deleteOldBudgetUse(db: Db): Promise<void> {
  await sql`
    delete from budget_use
    where day < (market_now() at time zone 'utc')::date - ${USE_KEPT_DAYS}::int`.execute(db)
}
