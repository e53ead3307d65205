import type pg from 'pg'
import type { Database } from '../../database/open.ts'
import type { BulkReads } from '../../events/bulk-reads.ts'
import { startThread } from '../../lib/start-thread.ts'
import { INDEX_TABLES, type IndexName } from './columns.ts'
import type { FileMessage, IndexFile } from './index-file.ts'
import { type LoadedSegment, loadSegment, type OnRead } from './read-table.ts'

/** Up to so many stones, building the index here takes less time than starting a thread. */
export const INLINE_STONES_MAX = 2_500

interface LoadOptions {
  inlineMax?: number | undefined
  onRead?: OnRead
  /** Whether searches are answered meanwhile, which the build must not slow down. */
  inBackground: boolean
  /** From where the table is read; from the database itself unless given. */
  bulk?: BulkReads | undefined
  /** In which file the base is kept, unless it is small. */
  file?: IndexFile | undefined
  /** Whether it may be read from there. */
  mayReadFile?: boolean
  onFile?: ((message: FileMessage) => void) | undefined
}

/** An index as it was loaded, and from where. */
export interface LoadedIndex extends LoadedSegment {
  from: 'file' | 'table'
}

/** Loads an index without blocking the event loop. */
export async function loadIndex(
  { pool, directUrl }: Database,
  name: IndexName,
  options: LoadOptions,
): Promise<LoadedIndex> {
  const { inlineMax = INLINE_STONES_MAX, onRead = () => {}, bulk } = options
  const { from } = INDEX_TABLES[name]
  const probe = `select 1 from ${from} offset $1 limit 1`
  const { rowCount } = await pool.query(probe, [inlineMax])
  const load = async ({ url }: { url: string }): Promise<LoadedIndex> => {
    if (rowCount === 0) return { ...(await loadSegment(url, name, { onRead })), from: 'table' }
    const { inBackground, file, mayReadFile = false, onFile = () => {} } = options
    return loadInWorker({ url, name, inBackground, file, mayReadFile }, onRead, onFile)
  }
  return bulk ? bulk.read(load) : load({ url: directUrl })
}

/** What the thread sends: the stones so far, the index, and what became of its file at the end. */
export type LoadMessage = { stones: number } | LoadedIndex | FileMessage | { ended: true }

export interface WorkerData {
  url: string
  name: IndexName
  inBackground: boolean
  file: IndexFile | undefined
  mayReadFile: boolean
}

function loadInWorker(
  workerData: WorkerData,
  onRead: OnRead,
  onFile: (message: FileMessage) => void,
): Promise<LoadedIndex> {
  return new Promise((resolve, reject) => {
    const worker = startThread(import.meta.url, 'worker', { workerData })
    worker.on('message', (message: LoadMessage) => {
      if ('stones' in message) onRead(message.stones)
      else if ('segment' in message) resolve(message)
      else if ('ended' in message) void worker.terminate()
      else onFile(message)
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
