import { sql } from 'kysely'
import { recordEntry } from '../../audit/record-entry.ts'
import type { Database, Db } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type Progress, startProgress } from '../../lib/progress.ts'
import { Refusal } from '../../lib/refusal.ts'
import { inImportSession } from '../importing/session.ts'
import { countWithoutOwn, refreshGridPrices } from './grid-prices.ts'
import {
  insertSheet,
  isGridUnfinished,
  listGrids,
  markGridsApplied,
  type PriceGrid,
} from './grid-store.ts'
import { readSheets } from './read-sheet.ts'

interface GridFile {
  bytes: AsyncIterable<Uint8Array>
  fileName?: string
  onProgress?: (progress: Progress) => void
}

interface LoadedGrids {
  /** The sheets of the file. */
  price_grids: PriceGrid[]
  /** How many stones have another list price now. */
  changed: number
}

/** A sheet of both shapes has 150 kB. */
export const GRID_BYTES_MAX = 4 * 1024 * 1024
const FILE_NAME_CHARS_MAX = 300

/**
 * Loads a sheet of reference prices. If it is the newest of its shape, all stones whose feed
 * carries no list price get theirs from it. The work is done in pieces; if it is interrupted, a
 * server goes on with it.
 */
export async function loadGrid(database: Database, file: GridFile): Promise<LoadedGrids> {
  const sheets = readSheets(await readText(file.bytes))
  return inImportSession(database, async ({ db }) => {
    if (!(await lockGrids(db))) {
      const detail = 'Another price sheet is being loaded; wait until it has finished.'
      throw new Refusal('import_running', detail)
    }
    const uuids = await inTransaction(db, async (tx) => {
      const name = (file.fileName ?? '').slice(0, FILE_NAME_CHARS_MAX)
      const stored: string[] = []
      for (const sheet of sheets) {
        const uuid = await insertSheet(tx, sheet, name)
        stored.push(uuid)
        await recordEntry(tx, {
          action: 'price_grid.load',
          subject: { kind: 'price_grid', id: uuid },
          after: { shape: sheet.shape, dated_on: sheet.dated_on, file_name: name },
        })
      }
      return stored
    })
    const changed = await applyGrids(db, file.onProgress)
    const price_grids = (await listGrids(db)).filter(({ uuid }) => uuids.includes(uuid))
    return { price_grids, changed }
  })
}

/** Goes on where loading a sheet was interrupted; returns how many stones changed. */
export async function recoverGrids(database: Database): Promise<number> {
  if (!(await isGridUnfinished(database.db))) return 0
  return inImportSession(database, async ({ db }) => ((await lockGrids(db)) ? applyGrids(db) : 0))
}

async function applyGrids(db: Db, onProgress?: (progress: Progress) => void): Promise<number> {
  const total = onProgress ? await countWithoutOwn(db) : 0
  const progress = onProgress && startProgress(total, onProgress)
  const changed = await refreshGridPrices(db, { onStones: progress })
  await inTransaction(db, async (tx) => {
    await markGridsApplied(tx)
  })
  return changed
}

const GRID_LOCK = 0x67_72_69_64

/** Held until the session ends. */
async function lockGrids(db: Db): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_lock(${GRID_LOCK}) as locked`.execute(db)
  return rows[0].locked
}

async function readText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > GRID_BYTES_MAX) {
      throw new Refusal('file_too_large', 'A price sheet has at most 4 MiB; this is another file.')
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
