import type { Rejection } from '../drafting/gem-draft.ts'
import type { ColumnMapping, MappingOverride } from '../mapping/mapping.ts'
import type { ImportMode, ImportNotes } from './import-store.ts'
import type { ImportDiff } from './plan-import.ts'

export interface ImportRequest {
  /** The supplier's name; an unknown one is made by its first import. */
  supplier: string
  bytes: AsyncIterable<Uint8Array>
  fileName?: string
  mode: ImportMode
  dryRun?: boolean
  /** The currency of the feed's prices; the supplier's unless given. */
  currency?: string
  /** The share of the supplier's live stones, 0 to 1, that a replacing feed may take out. */
  maxRemovedShare?: number
  /** The operator's own mapping; remembered for the supplier. */
  mapping?: MappingOverride
  onProgress?: (progress: ImportProgress) => void
}

/** How far an import has come. The rows of a file are not known before its end. */
export interface ImportProgress {
  phase: 'reading' | 'applying'
  done: number
  total: number | null
}

/** What an import answers: the contract's members first. */
export interface ImportReport {
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
  columns: ColumnMapping[]
  quarantined: number
  not_offered: number
  currency_code: string
  notes: ImportNotes
  dry_run: boolean
  diff?: ImportDiff
}
