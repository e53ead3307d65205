import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../../lib/refusal.ts'
import type { RawRow } from './raw-row.ts'
import { readWorkbook } from './workbook.ts'

/** What the thread sends: rows with empty `cells`, a refusal, or that all rows were sent. */
export interface WorkbookMessage {
  rows: RawRow[]
  refusal?: string
  isDone?: boolean
}

/** Smaller batches would cost more for the messages than for the rows. */
const BATCH_CHARS = 262_144

/** Reads a workbook in a thread of its own, one batch ahead of its user. */
async function sendRows(path: string, send: (message: WorkbookMessage) => Promise<void>) {
  let rows: RawRow[] = []
  let chars = 0
  for await (const batch of readWorkbook(path)) {
    for (const row of batch) {
      rows.push({ ...row, cells: [] })
      chars += row.raw.length
    }
    if (chars < BATCH_CHARS) continue
    await send({ rows })
    rows = []
    chars = 0
  }
  if (rows.length > 0) await send({ rows })
}

const port = parentPort
if (!port) throw new Error('this module runs in a thread')
try {
  await sendRows((workerData as { path: string }).path, async (message) => {
    const next = once(port, 'message')
    port.postMessage(message)
    await next
  })
  port.postMessage({ rows: [], isDone: true } satisfies WorkbookMessage)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  port.postMessage({ rows: [], refusal: error.message } satisfies WorkbookMessage)
}
