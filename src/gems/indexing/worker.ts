import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { loadSegment } from './load.ts'
import type { IndexName } from './tables.ts'

// On Linux a priority is the thread's own: the build takes what searches leave of the machine.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

/** Loads an index in a thread of its own; its arrays are shared memory, so nothing is copied. */
const { url, name } = workerData as { url: string; name: IndexName }
parentPort?.postMessage(await loadSegment(url, name))
