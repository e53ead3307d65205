import { rmSync } from 'node:fs'
import { availableParallelism, constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { writeSegment } from '../../index/index.ts'
import { fileMessage, type IndexFile, readIndexFile, segmentFile } from './index-file.ts'
import type { LoadMessage, WorkerData } from './load.ts'
import { type LoadedSegment, loadSegment } from './read-table.ts'

/** Loads an index in a thread of its own. Its arrays are shared memory, so nothing is copied. */
const { url, name, inBackground, file, mayReadFile } = workerData as WorkerData
/** PostgreSQL takes about twice as long to print the stones as this thread takes to read them. */
const CONNECTIONS_MAX = 2

const send = (message: LoadMessage) => parentPort?.postMessage(message)

// On Linux a thread has its own priority, so the build gets only what searches leave.
if (inBackground && process.platform === 'linux') {
  setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
}
const stored = file && mayReadFile ? await readFile(file) : undefined
if (stored) send({ ...stored, from: 'file' })
else await readTable()
send({ ended: true })

async function readFile(from: IndexFile): Promise<LoadedSegment | undefined> {
  const read = await readIndexFile(url, name, from)
  if (!read || 'segment' in read) return read
  send(read)
  rmSync(from.path, { force: true })
  return undefined
}

/** The base is written before anybody has it, because a hold that ends changes it in place. */
async function readTable(): Promise<void> {
  const connections = inBackground ? 1 : Math.min(CONNECTIONS_MAX, availableParallelism())
  const onRead = (stones: number) => send({ stones })
  const loaded = await loadSegment(url, name, { onRead, connections })
  const finish = file && writeSegment(loaded.segment, segmentFile(file, name, loaded))
  send({ ...loaded, from: 'table' })
  if (finish) send(fileMessage(finish(), loaded.sequence))
}
