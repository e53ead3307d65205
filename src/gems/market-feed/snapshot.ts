import pg from 'pg'
import { type Database, kyselyOn } from '../../database/open.ts'
import { lastSequence } from '../../events/change-log.ts'
import { Refusal } from '../../lib/refusal.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { readPriceRules } from '../../pricing/price-rules-store.ts'
import { readVisible } from './snapshot-rows.ts'

/** Each holds a connection and an open transaction for as long as its reader takes. */
const SNAPSHOTS_MAX = 4
/** A reader that is slower than this is cut off, so that old row versions can be removed. */
const SNAPSHOT_MS_MAX = 15 * 60_000

export interface Snapshots {
  /** The whole market at the merchant's prices, as lines of JSON, some at a time. */
  take(merchantUuid: string): AsyncGenerator<string | Buffer>
}

export function createSnapshots(database: Database, publicUrl: string): Snapshots {
  let running = 0
  return {
    take(merchantUuid) {
      if (running >= SNAPSHOTS_MAX) {
        const detail = 'Too many snapshots are being taken; try again in a minute.'
        throw new Refusal('not_ready', detail)
      }
      running++
      return streamSnapshot(database.url, publicUrl, merchantUuid, () => running--)
    },
  }
}

/**
 * One transaction sees one moment: the stones, the merchant's margins and rate, and the number of
 * the change log all belong together, so that the changes after that number lead from these
 * stones to any later snapshot.
 */
async function* streamSnapshot(
  url: string,
  publicUrl: string,
  merchantUuid: string,
  onEnd: () => void,
): AsyncGenerator<string | Buffer> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'pavilion snapshot',
    options: '-c timezone=UTC',
    connectionTimeoutMillis: 5_000,
  })
  // The failure of a query is what tells; without a listener it would end the process as well.
  client.on('error', () => {})
  const tooLong = setTimeout(() => void client.end(), SNAPSHOT_MS_MAX)
  try {
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
    // Helpers would only hand rows on to the one that sends them: a sixth slower (bench/snapshot).
    await client.query('set local max_parallel_workers_per_gather = 0')
    const db = kyselyOn(client)
    const merchant = await getMerchant(db, merchantUuid)
    const rules = await readPriceRules(db, merchant)
    const sequence = await lastSequence(db)
    const { currency_code } = rules
    yield `${JSON.stringify({ kind: 'snapshot', sequence: Number(sequence), currency_code })}\n`
    let count = 0
    for await (const some of readVisible(client, rules, publicUrl)) {
      count += some.count
      yield some.lines
    }
    yield `${JSON.stringify({ kind: 'end', count })}\n`
  } finally {
    clearTimeout(tooLong)
    onEnd()
    // A reader that went away leaves a running COPY behind: this ends it with the connection.
    await client.end().catch(() => {})
  }
}
