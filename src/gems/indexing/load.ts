import { StringDecoder } from 'node:string_decoder'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { copyValuesOf } from '../../database/copy.ts'
import type { Database } from '../../database/open.ts'
import { withSession } from '../../database/watch-sessions.ts'
import type { BulkReads } from '../../events/bulk-reads.ts'
import { buildSegment, newRows, putRow, type Rows, type Segment } from '../../index/index.ts'
import { startThread } from '../../lib/start-thread.ts'
import { INDEX_TABLES, type IndexName, type IndexTable } from './columns.ts'

/** A segment, and the number of the change log at which it was read. */
export interface LoadedSegment {
  segment: Segment
  sequence: number
}

/** Called now and then with the number of stones that were read so far. */
type OnRead = (stones: number) => void

const REPORT_EVERY_STONES = 50_000

/** Reads all stones of an index in one snapshot, by a streaming COPY, and builds a segment. */
export async function loadSegment(
  url: string,
  name: IndexName,
  onRead: OnRead = () => {},
): Promise<LoadedSegment> {
  const table = INDEX_TABLES[name]
  return withSession({ url, applicationName: 'pavilion index' }, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    const clock = await client.query<{ last: string }>('select last from change_clock')
    const rows = await readRows(client, table, onRead)
    await client.query('commit')
    return { segment: buildSegment(rows), sequence: Number(clock.rows[0].last) }
  })
}

async function readRows(
  client: pg.Client,
  { columns, from }: IndexTable,
  onRead: OnRead,
): Promise<Rows> {
  const rows = newRows(columns.spec)
  const query = `copy (select ${columns.select} from ${from}) to stdout`
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of client.query(copyTo(query))) {
    const lines = (rest + decoder.write(chunk as Buffer)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { id, values } = columns.read(copyValuesOf(line), rows.dictionaries)
      putRow(rows, rows.size, id, values)
      if (rows.size % REPORT_EVERY_STONES === 0) onRead(rows.size)
    }
  }
  return rows
}

/** Up to so many stones, building the index here takes less time than starting a thread. */
const INLINE_STONES_MAX = 2_500

interface LoadOptions {
  inlineMax?: number | undefined
  onRead?: OnRead
  /** Whether searches are answered meanwhile, which the build must not slow down. */
  inBackground: boolean
  /** From where the table is read; from the database itself unless given. */
  bulk?: BulkReads | undefined
}

/** Loads an index without blocking the event loop. */
export async function loadIndex(
  { pool, directUrl: url }: Database,
  name: IndexName,
  { inlineMax = INLINE_STONES_MAX, onRead = () => {}, inBackground, bulk }: LoadOptions,
): Promise<LoadedSegment> {
  const { from } = INDEX_TABLES[name]
  const probe = `select 1 from ${from} offset $1 limit 1`
  const { rowCount } = await pool.query(probe, [inlineMax])
  const load = (source: { url: string }) =>
    rowCount === 0
      ? loadSegment(source.url, name, onRead)
      : loadInWorker({ url: source.url, name, inBackground }, onRead)
  return bulk ? bulk.read(load) : load({ url })
}

/** What the thread sends: the stones so far, and at the end the segment. */
export type LoadMessage = { read: number } | LoadedSegment

export interface WorkerData {
  url: string
  name: IndexName
  inBackground: boolean
}

function loadInWorker(workerData: WorkerData, onRead: OnRead): Promise<LoadedSegment> {
  return new Promise((resolve, reject) => {
    const worker = startThread(import.meta.url, 'worker', { workerData })
    worker.on('message', (message: LoadMessage) => {
      if ('read' in message) return onRead(message.read)
      resolve(message)
      void worker.terminate()
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the index worker ended with ${code}`)))
    worker.unref()
  })
}

const asPrinted = { getTypeParser: () => (printed: string) => printed }

/** Reads those of the stones that belong in the index now, as PostgreSQL prints them. */
export async function readPrinted(
  { pool }: Pick<Database, 'pool'>,
  name: IndexName,
  ids: readonly number[],
): Promise<(string | null)[][]> {
  if (ids.length === 0) return []
  const { columns, from } = INDEX_TABLES[name]
  const { rows } = await pool.query({
    text: `select ${columns.select} from ${from} and id = any($1)`,
    values: [ids],
    rowMode: 'array',
    types: asPrinted as unknown as pg.CustomTypesConfig,
  })
  return rows as (string | null)[][]
}
