import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Database } from '../../database/open.ts'
import { type LoadedSegment, loadSegment } from './load.ts'
import { INDEX_TABLES, type IndexName } from './tables.ts'

/** So few stones are built in less time than a thread needs to start, and than a search notices. */
const INLINE_STONES_MAX = 2_500

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
    const worker = startWorker({ url, name })
    worker.once('message', (loaded: LoadedSegment) => {
      resolve(loaded)
      void worker.terminate()
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the index worker ended with ${code}`)))
    worker.unref()
  })
}

function startWorker(workerData: { url: string; name: IndexName }): Worker {
  if (import.meta.url.endsWith('.js')) {
    return new Worker(new URL('./worker.js', import.meta.url), { workerData })
  }
  // From the sources (tests, benches) the thread must learn to read TypeScript first.
  const loader = pathToFileURL(
    createRequire(import.meta.url)
      .resolve('tsx/esm/api')
      .replace(/cjs$/, 'mjs'),
  )
  const script = new URL('./worker.ts', import.meta.url)
  const code = `import('${loader.href}').then(({ register }) => (register(), import('${script.href}')))`
  return new Worker(code, { eval: true, workerData, execArgv: [] })
}
