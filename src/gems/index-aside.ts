import { Worker } from 'node:worker_threads'
import type { Database } from '../database/open.ts'
import { type LoadedSegment, loadSegment } from './index-load.ts'
import { INDEX_TABLES, type IndexName } from './index-tables.ts'

/** Up to this many stones a load takes less time than a thread needs to start. */
const INLINE_STONES_MAX = 25_000

/** Loads an index without holding up the event loop. */
export async function loadAside(
  { pool, url }: Database,
  name: IndexName,
  inlineMax = INLINE_STONES_MAX,
): Promise<LoadedSegment> {
  const { where } = INDEX_TABLES[name]
  const probe = `select 1 from gem where ${where} offset $1 limit 1`
  const { rowCount } = await pool.query(probe, [inlineMax])
  return rowCount === 0 ? loadSegment(url, name) : loadInWorker(url, name)
}

function loadInWorker(url: string, name: IndexName): Promise<LoadedSegment> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(WORKER, import.meta.url), {
      workerData: { url, name },
      execArgv: LOADER,
    })
    worker.once('message', (loaded: LoadedSegment) => {
      resolve(loaded)
      void worker.terminate()
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the index worker ended with ${code}`)))
    worker.unref()
  })
}

/** Compiled, the worker is a plain script; from the sources (tests, benches) it needs a loader. */
const COMPILED = import.meta.url.endsWith('.js')
const WORKER = COMPILED ? './index-worker.js' : './index-worker.ts'
const LOADER = COMPILED ? [] : ['--import', 'tsx']
