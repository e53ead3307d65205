import { Readable } from 'node:stream'
import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../../../lib/refusal.ts'
import type { JewelryFile } from './kept-rows.ts'
import { type JewelryReading, readJewelryFile } from './read-file.ts'

/** What the thread sends: the file, or why it is refused. */
export type ReadMessage = { file: JewelryFile } | { refusal: string }

interface ReadRequest {
  bytes: Uint8Array
  reading: JewelryReading
}

/** Reads a jewelry file in a thread of its own. */
async function read({ bytes, reading }: ReadRequest): Promise<ReadMessage> {
  try {
    return { file: await readJewelryFile(Readable.from([bytes]), reading) }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message }
    throw error
  }
}

parentPort?.postMessage(await read(workerData as ReadRequest))
