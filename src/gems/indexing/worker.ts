import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type LoadMessage, loadSegment, type WorkerData } from './load.ts'

/** Loads an index in a thread of its own. Its arrays are shared memory, so nothing is copied. */
const { url, name, inBackground } = workerData as WorkerData
// On Linux a thread has its own priority, so the build gets only what searches leave.
if (inBackground && process.platform === 'linux') {
  setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
}
const send = (message: LoadMessage) => parentPort?.postMessage(message)
send(await loadSegment(url, name, (read) => send({ read })))
