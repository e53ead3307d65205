import { sql } from 'kysely'
import type { Db } from '../../../database/open.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { numberChanges } from '../../../events/number-changes.ts'
import { addStones, type ImportTarget } from './add-stones.ts'
import { changeStones, markStones, removeStones } from './change-stones.ts'

/** What was done, which may be less than planned: stones may have been sold or held since. */
interface Applied {
  added: number
  changed: number
  removed: number
  not_offered: number
  /** Planned changes that found their stone sold, on memo or held. */
  skipped: number
}

/**
 * Stones per transaction. New stones block nobody. Batches of known stones are small, so that no
 * buyer waits 50 ms for a stone (bench/import measures the longest wait).
 */
const NEW_BATCH = 2_000
const KNOWN_BATCH = 100
const NUMBERED_AT_ONCE = 2_000

interface Application extends ImportTarget {
  /** Other connections than that of the import. */
  pool: Db
  /** Called with the number of stones done so far. */
  onStones: (stones: number) => void
}

/** Applies the staged import in small transactions, each with its journal and change log. */
export async function applyImport(application: Application): Promise<Applied> {
  const { db, importUuid, onStones } = application
  const applied: Applied = { added: 0, changed: 0, removed: 0, not_offered: 0, skipped: 0 }
  let batch = 0
  let done = 0
  let numbered = 0
  let isNumbering = false
  /**
   * Followers hear of the stones while the import goes on, which waits for a number only at its
   * end. Nothing depends on it before: when no connection is free, others number the stones.
   */
  const tell = () => {
    onStones(done)
    if (isNumbering || done - numbered < NUMBERED_AT_ONCE) return
    numbered = done
    isNumbering = true
    const ended = () => {
      isNumbering = false
    }
    void numberChanges(application.pool).then(ended, ended)
  }
  const lastOf = async (table: 'feed_stage' | 'feed_missing' | 'feed_marks') => {
    const { rows } = await sql<{ last: number }>`
      select coalesce(max(n), 0) as last from ${sql.table(table)}`.execute(db)
    return rows[0].last
  }
  const last = await lastOf('feed_stage')
  for await (const [from, to] of ranges(db, 'new', NEW_BATCH, last)) {
    const added = await addStones(application, ++batch, from, to)
    applied.added += added
    done += added
    tell()
  }
  for await (const [from, to] of ranges(db, 'known', KNOWN_BATCH, last)) {
    const { changed, off, planned } = await inTransaction(db, (tx) =>
      changeStones(tx, importUuid, from, to),
    )
    applied.changed += changed
    applied.not_offered += off
    applied.skipped += planned - changed
    done += planned
    tell()
  }
  const lastMissing = await lastOf('feed_missing')
  for (let from = 1; from <= lastMissing; from += KNOWN_BATCH) {
    const to = from + KNOWN_BATCH - 1
    applied.removed += await inTransaction(db, (tx) => removeStones(tx, importUuid, from, to))
    done += KNOWN_BATCH
    tell()
  }
  const lastMark = await lastOf('feed_marks')
  for (let from = 1; from <= lastMark; from += KNOWN_BATCH) {
    await inTransaction(db, (tx) => markStones(tx, importUuid, from, from + KNOWN_BATCH - 1))
  }
  // Which offers lead, and the lists of the operator, follow from the log.
  await numberChanges(db)
  return applied
}

/** Yields ranges of `n` with at most `size` stones of a kind each. */
async function* ranges(db: Db, kind: 'new' | 'known', size: number, last: number) {
  const isOf = kind === 'new' ? sql`kind = 'new'` : sql`kind <> 'new' and op <> 'skip'`
  let from = 1
  while (from <= last) {
    const { rows } = await sql<{ to: number | null }>`
      select max(n) as "to" from (
        select n from feed_stage where n >= ${from} and ${isOf} order by n limit ${size}
      ) as batch`.execute(db)
    const to = rows[0].to
    if (to === null) return
    yield [from, to] as const
    from = to + 1
  }
}
