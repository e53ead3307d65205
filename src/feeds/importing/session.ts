import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type Copy, copyOn } from '../../database/copy.ts'
import { type Database, type Db, kyselyOn } from '../../database/open.ts'

/**
 * One connection for one import: its advisory lock, its temporary tables and its transactions all
 * live and die with it, so that a process that is killed leaves neither lock nor table behind.
 */
export interface ImportSession {
  db: Db
  copyIn: Copy
  copyOut(statement: string): Readable
}

/** First half of the advisory lock of a supplier's imports; the second is the supplier's id. */
export const IMPORT_LOCK = 0x70_61_76_69

export async function inImportSession<T>(
  { pool }: Database,
  work: (session: ImportSession) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  // A connection that breaks between two statements must fail the import, not the process.
  const onError = () => {}
  client.on('error', onError)
  try {
    await client.query(SETTINGS)
    return await work(openSession(client))
  } finally {
    client.off('error', onError)
    // Never back into the pool: closing it drops the lock, the tables and the settings at once.
    client.release(true)
  }
}

// Without waiting for the disk at every batch; the import's last commit waits for all of them.
// A batch and its journal are one transaction, so a crash loses both or neither.
const SETTINGS = `set statement_timeout = 0; set synchronous_commit = off;
  set temp_buffers = '64MB'; set work_mem = '64MB'; set application_name = 'pavilion import'`

function openSession(client: pg.PoolClient): ImportSession {
  return {
    db: kyselyOn(client),
    copyIn: copyOn(client),
    copyOut: (statement) => client.query(copyTo(statement)),
  }
}
