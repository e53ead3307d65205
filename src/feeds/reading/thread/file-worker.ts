import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../../../lib/refusal.ts'
import type { RawRow } from '../raw-row.ts'
import { PLAIN_OPTIONS, type TableOptions } from '../stone-list.ts'
import { openFile } from './open-file.ts'

/** What the thread sends: rows with empty `cells`, a refusal, or that all rows were sent. */
export interface FileMessage {
  rows: RawRow[]
  /** Columns, notes and titles that were not sent before. */
  columns: string[]
  notes: string[]
  titles: string[]
  damage?: string
  refusal?: string
  isDone?: boolean
}

const NO_ROWS: FileMessage = { rows: [], columns: [], notes: [], titles: [] }

/** Smaller batches would cost more for the messages than for the rows. */
const BATCH_CHARS = 262_144

interface FileRequest extends Pick<TableOptions, 'mapped' | 'isExplained' | 'sheet'> {
  path: string
}

/** Reads a file in a thread of its own, one batch ahead of its user. */
async function sendRows(request: FileRequest, send: (message: FileMessage) => Promise<void>) {
  const list = await openFile(request.path, { ...PLAIN_OPTIONS, ...request })
  let rows: RawRow[] = []
  let chars = 0
  let columnsSent = 0
  let titlesSent = 0
  let { notes } = list
  const take = (): FileMessage => {
    const columns = list.columns.slice(columnsSent)
    columnsSent = list.columns.length
    const titles = list.titles.slice(titlesSent)
    titlesSent = list.titles.length
    const message = { rows, columns, notes, titles, damage: undefined }
    rows = []
    notes = []
    chars = 0
    return message
  }
  // The columns go first, even of a list without stones.
  let isFirst = true
  for await (const batch of list.rows) {
    for (const row of batch) {
      rows.push({ ...row, cells: [] })
      chars += row.raw.length
    }
    if (chars < BATCH_CHARS && !(isFirst && rows.length > 0)) continue
    isFirst = false
    await send(take())
  }
  await send(take())
  await send({ ...NO_ROWS, damage: list.damage(), isDone: true })
}

const port = parentPort
if (!port) throw new Error('this module runs in a thread')
try {
  await sendRows(workerData as FileRequest, async (message) => {
    const next = once(port, 'message')
    port.postMessage(message)
    if (!message.isDone) await next
  })
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  const refused: FileMessage = { ...NO_ROWS, refusal: error.message }
  port.postMessage(refused)
}
