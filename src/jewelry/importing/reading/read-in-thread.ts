import { once } from 'node:events'
import { Refusal } from '../../../lib/refusal.ts'
import { isOutOfMemory, startThread } from '../../../lib/start-thread.ts'
import type { JewelryFile } from './kept-rows.ts'
import { type JewelryReading, joinFile } from './read-file.ts'
import type { ReadMessage } from './read-worker.ts'

/** The text of the largest file takes 256 MiB, and its rows as much again. */
const HEAP_MIB_MAX = 1_024

/**
 * Reads a jewelry file in a thread with a heap of its own: a file that gets past the bounds of the
 * reader ends the thread and not the server, and a large one does not delay other requests.
 */
export async function readJewelryInThread(
  file: AsyncIterable<Uint8Array>,
  reading: JewelryReading = { mapped: new Map(), isExplained: false },
  heapMib = HEAP_MIB_MAX,
): Promise<JewelryFile> {
  const bytes = await joinFile(file)
  const worker = startThread(import.meta.url, 'read-worker', {
    workerData: { bytes, reading },
    resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: 32 },
  })
  try {
    const [message] = (await once(worker, 'message')) as [ReadMessage]
    if ('refusal' in message) throw new Refusal('invalid_request', message.refusal)
    return message.file
  } catch (error) {
    if (!isOutOfMemory(error)) throw error
    const detail = `The file needs more than ${heapMib} MiB of memory; send it in parts.`
    throw new Refusal('invalid_request', detail)
  } finally {
    await worker.terminate()
  }
}
