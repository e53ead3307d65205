import { on } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal } from '../../../lib/refusal.ts'
import { isOutOfMemory, startThread } from '../../../lib/start-thread.ts'
import type { FileRow, JewelryFile } from './kept-rows.ts'
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
    const rows: FileRow[] = []
    for await (const [message] of on(worker, 'message', { close: ['exit'] })) {
      const sent = message as ReadMessage
      if ('refusal' in sent) throw new Refusal('invalid_request', sent.refusal)
      if ('file' in sent) return { ...sent.file, rows }
      for (const row of sent.rows) rows.push(row)
      await nextTurn()
      worker.postMessage('next')
    }
    throw new Error('the thread that reads a file ended early')
  } catch (error) {
    if (!isOutOfMemory(error)) throw error
    const detail = `The file needs more than ${heapMib} MiB of memory; send it in parts.`
    throw new Refusal('invalid_request', detail)
  } finally {
    await worker.terminate()
  }
}
