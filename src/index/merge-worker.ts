import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type Mergeable, mergeSegment } from './store.ts'

/** Makes the next base of a store. Its arrays are shared memory, so they are not copied. */
// On Linux a thread has its own priority, so the merge gets only what searches leave.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
parentPort?.postMessage(mergeSegment(workerData as Mergeable))
