import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Kysely, PostgresDialect } from 'kysely'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database, Tables, Tx } from './open.ts'

/** Streams encoded rows into a `copy … from stdin`; it reads no faster than PostgreSQL takes. */
export type Copy = (
  statement: string,
  rows: Iterable<Buffer> | AsyncIterable<Buffer>,
) => Promise<void>

/**
 * One transaction that can COPY. Kysely does not hand out its connection, so one is taken from the
 * pool and given to a Kysely of its own, and both speak on it in turn. It has no statement
 * timeout: bulk work is as long as it is large.
 */
export async function inCopyTransaction<T>(
  { pool }: Database,
  work: (tx: Tx, copy: Copy) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    const connection = { query: client.query.bind(client), release: () => {} }
    const db = new Kysely<Tables>({
      dialect: new PostgresDialect({
        pool: { connect: async () => connection as typeof client, end: async () => {} },
      }),
    })
    await client.query('set statement_timeout = 0')
    const copy: Copy = (statement, rows) =>
      pipeline(Readable.from(rows, { objectMode: true }), client.query(copyFrom(statement)))
    return await db.transaction().execute((tx) => work(tx, copy))
  } catch (error) {
    failure = error as Error
    throw error
  } finally {
    // The connection goes back as it came; a broken one, or one in an unknown state, is dropped.
    const reset = failure
      ? Promise.reject(failure)
      : client.query('reset statement_timeout').then(() => undefined)
    await reset.then(
      () => client.release(),
      (error: Error) => client.release(error),
    )
  }
}
