import { once } from 'node:events'
import { Readable } from 'node:stream'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../../../lib/refusal.ts'
import type { FileRow, JewelryFile } from './kept-rows.ts'
import { type JewelryReading, readJewelryFile } from './read-file.ts'

/** What the thread sends: batches of rows, then the file without them, or why it is refused. */
export type ReadMessage =
  | { rows: FileRow[] }
  | { file: Omit<JewelryFile, 'rows'> }
  | { refusal: string }

/** Copying a message keeps the other thread busy; this many rows take it some milliseconds. */
const ROWS_PER_MESSAGE = 1_000

interface ReadRequest {
  bytes: Uint8Array
  reading: JewelryReading
}

const port = parentPort
if (!port) throw new Error('this module runs in a thread')

/** Reads a jewelry file in a thread of its own. */
async function read({ bytes, reading }: ReadRequest): Promise<ReadMessage> {
  try {
    const { rows, ...file } = await readJewelryFile(Readable.from([bytes]), reading)
    for (let at = 0; at < rows.length; at += ROWS_PER_MESSAGE) {
      await send({ rows: rows.slice(at, at + ROWS_PER_MESSAGE) })
    }
    return { file }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message }
    throw error
  }
}

/** Waits for the answer: Node would deliver all messages that are there in one turn. */
async function send(message: ReadMessage): Promise<void> {
  const next = once(port as MessagePort, 'message')
  port?.postMessage(message)
  await next
}

port.postMessage(await read(workerData as ReadRequest))
