import { on } from 'node:events'
import { Refusal } from '../../../lib/refusal.ts'
import { isOutOfMemory, startThread } from '../../../lib/start-thread.ts'
import { CELL_SEPARATOR, type RawRow, type RowBatches } from '../raw-row.ts'
import type { StoneList, TableOptions } from '../stone-list.ts'
import type { FileMessage } from './file-worker.ts'

/** Shared strings within their bound take up to 200 MB, and are copied once while they are read. */
const HEAP_MIB_MAX = 640

/**
 * Reads a workbook or a page in a thread with a heap of its own. The bounds of the readers should
 * suffice; if a file gets past them, it ends the thread and not the server. Rows cross in batches,
 * as one text each: splitting it into cells here costs less than copying the cells.
 */
export async function readInThread(
  path: string,
  { mapped, isExplained, sheet }: Pick<TableOptions, 'mapped' | 'isExplained' | 'sheet'>,
  heapMib = HEAP_MIB_MAX,
): Promise<StoneList> {
  const worker = startThread(import.meta.url, 'file-worker', {
    workerData: { path, mapped, isExplained, sheet },
    resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: 32 },
  })
  const columns: string[] = []
  const notes: string[] = []
  const titles: string[] = []
  let damage: string | undefined

  async function* readRows(): RowBatches {
    try {
      for await (const [message] of on(worker, 'message', { close: ['exit'] })) {
        const sent = message as FileMessage
        if (sent.refusal !== undefined) throw new Refusal('invalid_request', sent.refusal)
        columns.push(...sent.columns)
        notes.push(...sent.notes)
        titles.push(...sent.titles)
        damage = sent.damage
        if (sent.isDone) return
        // The thread reads the next batch while this one is used.
        worker.postMessage('next')
        for (const row of sent.rows) if (!row.unreadable) row.cells = row.raw.split(CELL_SEPARATOR)
        yield sent.rows
      }
      throw new Error('the thread that reads a file ended early')
    } catch (error) {
      if (!isOutOfMemory(error)) throw error
      const detail = `The file needs more than ${heapMib} MiB of memory; send it as CSV.`
      throw new Refusal('invalid_request', detail)
    } finally {
      await worker.terminate()
    }
  }
  const rows = readRows()
  const first = await rows.next()
  async function* allRows(): RowBatches {
    if (first.done) return
    yield first.value as RawRow[]
    yield* rows
  }
  const close = async () => {
    await rows.return()
  }
  return { columns, rows: allRows(), notes, titles, damage: () => damage, close }
}
