import { parentPort, workerData } from 'node:worker_threads'
import { loadSegment } from './index-load.ts'
import type { IndexName } from './index-tables.ts'

/** Loads an index in a thread of its own; its arrays are shared memory, so nothing is copied. */
const { url, name } = workerData as { url: string; name: IndexName }
parentPort?.postMessage(await loadSegment(url, name))
