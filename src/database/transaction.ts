import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Turns } from '../lib/turns.ts'
import { actingFor } from './actor.ts'
import { Together } from './connections/join-statements.ts'
import { isConflict } from './errors.ts'
import type { Db, Tx } from './open.ts'

const ATTEMPTS_MAX = 6

/**
 * Runs the work in one transaction. When PostgreSQL aborts it because of another transaction, it
 * is run again after a short wait, a few times: the caller need not know. What the work records
 * in the audit is recorded for the actor of the database.
 */
export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return repeatConflicts(() => db.transaction().execute((tx) => work(actingFor(tx, db))))
}

/** Runs a whole transaction, again when another one got in its way. */
export async function repeatConflicts<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt))
    }
  }
}

/** Runs the work in the transaction that is given, or in one of its own. */
export function withinTransaction<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Tx) : inTransaction(db, work)
}

/**
 * Locks a name until the transaction ends, where no row stands for what only one may do at a time.
 * ARCHITECTURE.md says in which order locks are taken.
 */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}::text, 0))`.execute(tx)
}

/** Well below what PostgreSQL waits for a transaction of any pool (pools.ts). */
const SIGN_OF_LIFE_MS = 2_000

/**
 * The turns of a long loop within a transaction. PostgreSQL ends a transaction that has sent
 * nothing for some seconds, because its process may be frozen; this one shows that it is not.
 */
export function turnsWithin(tx: Tx, turns: Turns, everyMs = SIGN_OF_LIFE_MS): Turns {
  let shownMs = performance.now()
  return {
    isOver: () => turns.isOver(),
    async next() {
      await turns.next()
      if (performance.now() - shownMs < everyMs) return
      await sql`select`.execute(tx)
      shownMs = performance.now()
    },
  }
}

/**
 * Executes statements one after the other, with one round trip to the server for all of them, and
 * returns the rows of each. Each sees what was committed before it began, as if it had been sent
 * by itself. When one fails, those after it are not executed.
 */
export async function executeTogether<Rows extends [object, ...object[]]>(
  tx: Tx,
  statements: { [Place in keyof Rows]: RawBuilder<Rows[Place]> },
): Promise<{ [Place in keyof Rows]: Rows[Place][] }> {
  const { rows } = await tx.executeQuery<unknown>(passed(tx, statements, false))
  return rows as { [Place in keyof Rows]: Rows[Place][] }
}

/**
 * Lets the next statement of the transaction, or its commit, be sent together with this one, whose
 * rows are not read. What it must not be committed without is a condition of it (`failUnless`).
 */
export async function executeWithNext(tx: Tx, statement: RawBuilder<unknown>): Promise<void> {
  await tx.executeQuery(passed(tx, [statement], true))
}

/** A value whose statement fails unless the condition holds; `isUnmet` knows its error. */
export function failUnless(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`1 / (case when ${condition} then 1 else 0 end)`
}

/** Kysely passes the values of a query on to the connection as they are (connection.ts). */
function passed(tx: Tx, statements: readonly RawBuilder<unknown>[], isHeld: boolean) {
  const compiled = statements.map((statement) => {
    const { sql: text, parameters } = statement.compile(tx)
    return { text, values: [...parameters] }
  })
  return CompiledQuery.raw('-- together', [new Together(compiled, isHeld)])
}
