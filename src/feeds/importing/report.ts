/** What an import is asked to do, how far it has come, and what it reports at the end. */
import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { Rejection } from '../drafting/gem-draft.ts'
import type { ColumnMapping, FeedMapping, PriceMeaning } from '../mapping/mapping.ts'
import type { MappingFile } from '../mapping/mapping-file.ts'
import { type RawRow, textAt } from '../reading/raw-row.ts'
import type { ImportMode, ImportNotes } from './import-store.ts'
import type { DiffReader, ImportDiff, ImportPlan } from './plan-import.ts'
import type { LoggedRejection } from './rejection-log.ts'
import type { Staging } from './stage-rows.ts'

export interface ImportRequest {
  /** The supplier's name; an unknown supplier is created by its first import. */
  supplier: string
  bytes: AsyncIterable<Uint8Array>
  fileName?: string
  mode: ImportMode
  dryRun?: boolean
  /** The currency of the feed's prices; the supplier's unless given. */
  currency?: string
  /** The share of the supplier's live stones, 0 to 1, that a replacing feed may remove. */
  maxRemovedShare?: number
  /** The share of the supplier's known stones, 0 to 1, whose price may jump by a fifth or more. */
  maxJumpsShare?: number
  /** What the price column holds, where the file alone cannot tell; it is remembered. */
  price?: PriceMeaning
  /** Accept prices that are, as a whole, far from those of similar stones. */
  acceptPrices?: boolean
  /** Accept a file that reads differently from the supplier's last one, and remember it. */
  relearn?: boolean
  /** The operator's own mapping; it is saved for the supplier. */
  mapping?: MappingFile
  /** Only this sheet of a workbook is read; all that have stones unless given. */
  sheet?: string
  /** Whose prices a dry run shows; the operator's unless given. */
  reader?: DiffReader
  /** Ends the reading of the file; an import that has begun to change the market goes on. */
  signal?: AbortSignal | undefined
  onProgress?: (progress: ImportProgress) => void
  /** Called at the end with the rejected rows and their cells, which the report does not have. */
  onRejected?: (rejections: LoggedRejection[]) => void
}

/** `total` is null while the file is read: its number of rows is unknown until it ends. */
export interface ImportProgress {
  phase: 'reading' | 'applying'
  done: number
  total: number | null
}

/** The specified part of a report, which imports of jewelry have as well. */
export interface ImportSummary {
  uuid: string
  supplier: string
  mode: ImportMode
  rows: number
  added: number
  changed: number
  unchanged: number
  removed: number
  rejected: number
  rejections: Rejection[]
  mapping: Record<string, string>
  unmapped: string[]
  dry_run: boolean
}

export interface ImportReport extends ImportSummary {
  columns: ColumnMapping[]
  quarantined: number
  not_offered: number
  currency_code: string
  notes: ImportNotes
  diff?: ImportDiff
}

/** Makes the report from the plan, or from what was applied. */
export function reportOf(
  head: Pick<ImportReport, 'uuid' | 'supplier' | 'mode' | 'currency_code'>,
  mapping: FeedMapping,
  staging: Staging,
  plan: Omit<ImportPlan, 'marked' | 'known' | 'jumps' | 'grids'>,
): ImportReport {
  const { counts, notes, rejections } = staging
  return {
    uuid: head.uuid,
    supplier: head.supplier,
    mode: head.mode,
    rows: counts.rows,
    added: plan.added,
    changed: plan.changed,
    unchanged: counts.unchanged + plan.unchanged,
    removed: plan.removed,
    rejected: rejections.count(),
    rejections: rejections.kept().map(({ row, column, value, reason }) => {
      return { row, column, value, reason }
    }),
    ...columnLists(mapping.columns),
    columns: withFilled(mapping.columns, staging.sample),
    quarantined: rejections.kept().filter(({ quarantined }) => quarantined).length,
    not_offered: plan.not_offered,
    currency_code: head.currency_code,
    notes: {
      ...notes.counts(),
      unreadable: notes.values(),
      other_labs: notes.otherLabs(),
      file: [...staging.fileNotes],
    },
    dry_run: false,
  }
}

function withFilled(columns: readonly ColumnMapping[], sample: readonly RawRow[]): ColumnMapping[] {
  return columns.map((column, at) => ({
    ...column,
    filled: sample.filter(({ cells }) => textAt(cells, at) !== '').length,
    sampled: sample.length,
  }))
}

/** Lists which column is which field, and which columns are not used. */
export function columnLists(
  columns: readonly ColumnMapping[],
): Pick<ImportSummary, 'mapping' | 'unmapped'> {
  const mapped = columns.filter(({ field }) => field !== null)
  const unused = columns.filter(({ field }) => field === null)
  return {
    mapping: Object.fromEntries(mapped.map(({ column, field }) => [column, field as string])),
    unmapped: unused.map(({ column }) => column),
  }
}

const RECORD_EVERY_MS = 2_000

/**
 * Reports how many rows were read: to the caller at once, and now and then to the import's record,
 * so that the operator's list shows a long upload progressing. `db` must not be the import's own
 * connection, which is busy with the rows.
 */
export function createRowProgress(db: Db, uuid: string, { onProgress, dryRun }: ImportRequest) {
  let recordedMs = performance.now()
  return (rows: number): void => {
    onProgress?.({ phase: 'reading', done: rows, total: null })
    if (dryRun || performance.now() - recordedMs < RECORD_EVERY_MS) return
    recordedMs = performance.now()
    const record = sql`update import set rows = ${rows} where uuid = ${uuid} and status = 'reading'`
    // A failure does not matter: the import itself writes the final count.
    void record.execute(db).catch(() => {})
  }
}
