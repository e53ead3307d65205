import type { Database } from '../../database/open.ts'
import { type Change, countStoneChanges } from '../../events/change-log.ts'
import type { MarketLog } from '../../events/market-log.ts'
import { driftFromBase, mergeInThread, mergeStore } from '../../index/index.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { IndexName } from './columns.ts'
import {
  ageOfFile,
  type FileMessage,
  fileMessage,
  type IndexFile,
  segmentFile,
} from './index-file.ts'
import { INLINE_STONES_MAX, readPrinted } from './load.ts'
import { applyRows, type IndexState } from './state.ts'

/** What is told of the changes that an index applies, and where they come from. */
export interface Advancing {
  database: Database
  name: IndexName
  log: MarketLog
  /** Called with the stones that changed, before a search can find them changed. */
  onChanged?: (ids: ReadonlySet<number>) => void
  /** Called when the prices of a merchant changed, or with null those of every merchant. */
  onPrices?: (merchantUuid: string | null) => void
  onError?: (error: unknown) => void
  /** From how many rows that differ from the base on it is merged with them. */
  driftMin?: number
  /** How many changes an index of any size may have to apply before it is loaded instead. */
  behindMin?: number
  /** In which file the base is kept. */
  file?: IndexFile | undefined
  onFile?: ((message: FileMessage) => void) | undefined
  /** Up to so many stones the index is loaded in this thread, and has no file. */
  inlineMax?: number | undefined
}

/** With 2,000 at a time more were followed, but searches waited up to 130 ms (bench/follow.ts). */
const BATCH = 500
/** How far behind an index is gets counted once in so many full batches. */
const BATCHES_PER_COUNT = 40
/**
 * With more changes to apply than these, or than this share of the stones, loading the table is
 * faster: applying a change takes about twice as long as loading a stone.
 */
const BEHIND_MIN = 20_000
const BEHIND_SHARE = 0.5

/**
 * Applies what the change log has after the state's number, and begins a merge when much has
 * changed. Returns 'cut off' when the index must be loaded from the table: because that is faster,
 * because the log no longer has all of it, or because a merge has failed.
 */
export async function advance(
  state: IndexState,
  options: Advancing,
): Promise<'up to date' | 'cut off'> {
  const { database, log } = options
  for (let batches = 0; ; batches++) {
    if (state.hasFailedToMerge) return 'cut off'
    const part = await log.read(state.sequence, BATCH).catch(orExpired)
    if (part === 'expired') return 'cut off'
    const { changes, upTo } = part
    if (changes.length === BATCH && batches % BATCHES_PER_COUNT === 0) {
      const share = Math.floor(BEHIND_SHARE * state.store.base.size)
      const behindMax = Math.max(options.behindMin ?? BEHIND_MIN, share)
      const behind = await countStoneChanges(database.db, state.sequence, behindMax + 1)
      if (behind > behindMax) return 'cut off'
    }
    if (changes.length > 0) await applyChanges(state, changes, options)
    state.sequence = upTo
    await mergeWhenDue(state, options)
    if (changes.length < BATCH) return 'up to date'
  }
}

function orExpired(error: unknown): 'expired' {
  if (error instanceof Refusal && error.code === 'changes_expired') return 'expired'
  throw error
}

async function applyChanges(
  state: IndexState,
  changes: readonly Change[],
  { database, name, onChanged, onPrices }: Advancing,
): Promise<void> {
  const ids = new Set<number>()
  for (const { kind, gem_id, merchant_uuid } of changes) {
    if (kind === 'prices') onPrices?.(merchant_uuid)
    else if (gem_id !== null) ids.add(gem_id)
  }
  const printed = await readPrinted(database, name, [...ids])
  // From here on nothing is awaited, so no search sees half of the changes.
  onChanged?.(ids)
  applyRows(state, ids, printed)
  state.sequence = changes[changes.length - 1].sequence
}

/** So many rows, or this share of the base, may differ from the base before it is merged. */
const DRIFT_MIN = 5_000
const DRIFT_SHARE = 0.02
/** While a merge lasts, so many times more may: a search checks them one by one. */
const DRIFT_DURING_MERGE = 10

/**
 * Starts a merge when it is due. Resolves at once, unless changes come so much faster than they are
 * merged that the delta would grow without bound: then they wait in the log.
 */
async function mergeWhenDue(state: IndexState, options: Advancing): Promise<void> {
  const { store } = state
  const due = Math.max(options.driftMin ?? DRIFT_MIN, DRIFT_SHARE * store.base.size)
  const drift = driftFromBase(store)
  if (drift > due) state.merging ??= merge(state, options)
  if (drift > due * DRIFT_DURING_MERGE) await state.merging
}

async function merge(state: IndexState, options: Advancing, fileAgeMs = FILE_MS): Promise<void> {
  const { file, onError, inlineMax = INLINE_STONES_MAX } = options
  try {
    const { store } = state
    const isLarge = file !== undefined && store.base.size > inlineMax
    const isDue = isLarge && (await ageOfFile(file)) >= fileAgeMs
    const onMerged = (merged: typeof store) => {
      state.store = merged
    }
    await mergeStore(store, onMerged, (parts) =>
      mergeInThread(parts, isDue ? nextFile(state, file, options) : undefined),
    )
  } catch (error) {
    state.hasFailedToMerge = true
    onError?.(error)
  } finally {
    state.merging = undefined
  }
}

/** The file of a base as it is made from the state now. */
function nextFile(state: IndexState, file: IndexFile, { name, onFile }: Advancing) {
  const { sequence } = state
  let onEnded = (_: string | undefined) => {}
  state.writing = new Promise((resolve) => {
    onEnded = (problem) => {
      state.writing = undefined
      onFile?.(fileMessage(problem, sequence))
      resolve()
    }
  })
  return { ...segmentFile(file, name, state), onEnded }
}

/** A merge leaves a file alone that is younger; the log has what changed since. */
const FILE_MS = 5 * 60_000
/** At a stop, one that another process of the node has just written. */
const FILE_AT_STOP_MS = 30_000

/** Merges and writes what has changed, so that the next start need not read it from the log. */
export async function mergeAtStop(state: IndexState, options: Advancing): Promise<void> {
  const { file } = options
  await state.merging
  const isDue = file !== undefined && (await ageOfFile(file)) >= FILE_AT_STOP_MS
  if (isDue && !state.hasFailedToMerge) await merge(state, options, 0)
  await state.writing
}
