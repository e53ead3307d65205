import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { actingFor } from './actor.ts'
import { type Database, type Db, kyselyOn, type Tx } from './open.ts'
import { inTransaction, repeatConflicts } from './transaction.ts'

/** Streams encoded rows into a `copy … from stdin`, no faster than PostgreSQL accepts them. */
export type Copy = (
  statement: string,
  rows: Iterable<Buffer> | AsyncIterable<Buffer>,
) => Promise<void>

export function copyOn(client: pg.ClientBase): Copy {
  return (statement, rows) =>
    pipeline(Readable.from(rows, { objectMode: true }), client.query(copyFrom(statement)))
}

/** Runs a `copy … to stdout`, and passes every row on as PostgreSQL printed it. */
export type CopyOut = (statement: string, onRow: (line: Buffer) => void) => Promise<void>

/**
 * PostgreSQL sends every row as a message of its own, which `pg` hands over as it is: a stream of
 * them would take longer to take apart and join than most callers need to read them.
 */
export function copyOutOn(client: pg.ClientBase): CopyOut {
  return (statement, onRow) =>
    new Promise((resolve, reject) => {
      let failure: Error | undefined
      const copy: CopyOutQuery = {
        submit: (connection) => connection.query(statement),
        handleCopyData({ chunk }) {
          try {
            if (failure === undefined) onRow(chunk)
          } catch (error) {
            // Thrown to the connection it would end the process; the rest must be read anyway.
            failure = error as Error
          }
        },
        handleCommandComplete: () => {},
        handleError: reject,
        handleReadyForQuery: () => (failure === undefined ? resolve() : reject(failure)),
      }
      client.query(copy)
    })
}

/** What a connection of `pg` calls when the answer to a `copy … to stdout` arrives. */
interface CopyOutQuery extends pg.Submittable {
  handleCopyData(message: { chunk: Buffer }): void
  handleCommandComplete(): void
  handleError(error: Error): void
  handleReadyForQuery(): void
}

/**
 * One transaction that can COPY: Kysely does not expose its connection, so one is taken from the
 * pool, and Kysely and COPY use it in turn. It has no statement timeout, because bulk work takes
 * as long as it is large. Like `inTransaction` it is run again after a conflict, and writes for the
 * actor of the database.
 */
export function inCopyTransaction<T>(
  database: Database,
  work: (tx: Tx, copy: Copy) => Promise<T>,
): Promise<T> {
  return repeatConflicts(() => runCopyTransaction(database, work))
}

async function runCopyTransaction<T>(
  { pool, db }: Database,
  work: (tx: Tx, copy: Copy) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await client.query('set statement_timeout = 0')
    const copy = copyOn(client)
    return await kyselyOn(client)
      .transaction()
      .execute((tx) => work(actingFor(tx, db), copy))
  } catch (error) {
    failure = error as Error
    throw error
  } finally {
    // The connection goes back with its usual timeout; one in an unknown state is closed.
    const reset = failure
      ? Promise.reject(failure)
      : client.query('reset statement_timeout').then(() => undefined)
    await reset.then(
      () => client.release(),
      (error: Error) => client.release(error),
    )
  }
}

/** The columns of stones that queries search by; statistics of all others would only take time. */
export const SEARCHED_GEM_COLUMNS = `id, sku, supplier_id, vendor_sku, cert_num, certificate, state,
  hold_uuid, hold_merchant_uuid, hold_expires_on`

/** The columns that queries search by, of each table that bulk work fills. */
const SEARCHED_COLUMNS = {
  gem: SEARCHED_GEM_COLUMNS,
  change: 'sequence, gem_id',
  import_added: 'import_uuid, batch',
  import_before: 'import_uuid, gem_id',
}

/** A quarter of the usual sample; autovacuum takes a larger one later. */
const STATISTICS_TARGET = 25

/**
 * Gives every table of the market the statistics that PostgreSQL plans by. After bulk work it has
 * none until autovacuum comes by, which takes a minute or is switched off: an order took six times
 * as long meanwhile.
 */
export async function analyzeTables(db: Db): Promise<void> {
  const { rows } = await sql<{ names: string | null }>`
    select string_agg(quote_ident(tablename) || coalesce(' (' || columns || ')', ''), ', '
      order by tablename) as names
    from pg_tables
    left join json_each_text(${JSON.stringify(SEARCHED_COLUMNS)}) as searched (name, columns)
      on name = tablename
    where schemaname = current_schema() and tableowner = current_user`.execute(db)
  const { names } = rows[0]
  if (names === null) return
  await inTransaction(db, async (tx) => {
    await sql`set local default_statistics_target = ${sql.lit(STATISTICS_TARGET)}`.execute(tx)
    await sql`analyze ${sql.raw(names)}`.execute(tx)
  })
}

const NEEDS_ESCAPE = /[\\\t\n\r\0]/

/** Whether a text contains a character that COPY's text format escapes. */
export function needsCopyEscape(text: string): boolean {
  return NEEDS_ESCAPE.test(text)
}

/** A value for COPY's text format. PostgreSQL cannot store a NUL, so it is left out. */
export function escapeCopyText(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text
  return text
    .replaceAll('\0', '')
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
}

/** The values of a line that `copy … to stdout` printed; null is written as `\N`. */
export function copyValuesOf(line: string): (string | null)[] {
  if (!line.includes('\\')) return line.split('\t')
  const values: (string | null)[] = line.split('\t')
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value === '\\N') values[i] = null
    else if (value?.includes('\\')) values[i] = unescapeCopyText(value)
  }
  return values
}

const ESCAPES = new Map(Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }))

function unescapeCopyText(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, letter: string) => ESCAPES.get(letter) ?? letter)
}
