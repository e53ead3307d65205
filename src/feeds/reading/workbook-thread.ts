import { on } from 'node:events'
import { Refusal } from '../../lib/refusal.ts'
import { isOutOfMemory, startThread } from '../../lib/start-thread.ts'
import type { RawRow, RowBatches } from './raw-row.ts'
import type { WorkbookMessage } from './workbook-worker.ts'

/** Shared strings within their bound take up to 200 MB, and are copied once while they are read. */
const HEAP_MIB_MAX = 640

/**
 * Reads a workbook in a thread with a heap of its own. The bounds of the readers should suffice; if
 * a file gets past them, it ends the thread and not the server. Rows cross in batches, as one text
 * each: splitting it into cells here costs less than copying the cells.
 */
export async function* readWorkbookInThread(path: string, heapMib = HEAP_MIB_MAX): RowBatches {
  const worker = startThread(import.meta.url, 'workbook-worker', {
    workerData: { path },
    resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: 32 },
  })
  try {
    for await (const [message] of on(worker, 'message', { close: ['exit'] })) {
      const { rows, refusal, isDone } = message as WorkbookMessage
      if (refusal !== undefined) throw new Refusal('invalid_request', refusal)
      if (isDone) return
      // The thread reads the next batch while this one is used.
      worker.postMessage('next')
      for (const row of rows) if (!row.unreadable) row.cells = row.raw.split('\u001f')
      yield rows as RawRow[]
    }
    throw new Error('the thread that reads a workbook ended early')
  } catch (error) {
    if (!isOutOfMemory(error)) throw error
    const detail = `The workbook needs more than ${heapMib} MiB of memory; send it as CSV.`
    throw new Refusal('invalid_request', detail)
  } finally {
    await worker.terminate()
  }
}
