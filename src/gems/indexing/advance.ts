import type { CustomTypesConfig } from 'pg'
import type { Database } from '../../database/open.ts'
import { type Change, lastSequence, readChanges } from '../../events/change-log.ts'
import { Refusal } from '../../lib/refusal.ts'
import { applyRows, type IndexState } from './state.ts'
import { INDEX_TABLES, type IndexName } from './tables.ts'

export interface ChangeHooks {
  /** Told which stones changed, before a search can find them changed. */
  onChanged?: (ids: ReadonlySet<number>) => void
  /** Awaited before a new base is swapped in: every stone may have changed, and nobody was told. */
  onReplaced?: () => Promise<void>
  /** Told of changes that concern prices rather than stones; null: those of every merchant. */
  onPrices?: (merchantUuid: string | null) => void
}

/** Reading this many changed stones takes some 50 ms. */
const BATCH = 2_000
/** Farther behind than this, a new base is quicker than following. */
const BEHIND_MAX = 20_000

/**
 * Applies what the change log has after the state's number. Answers 'far behind' when that would
 * take longer than building the index anew, or when the log no longer reaches back so far.
 */
export async function advance(
  database: Database,
  name: IndexName,
  state: IndexState,
  hooks: ChangeHooks,
): Promise<'even' | 'far behind'> {
  for (;;) {
    const changes = await readChanges(database.db, state.sequence, BATCH).catch(orExpired)
    if (changes === 'expired') return 'far behind'
    if (changes.length === BATCH) {
      const last = await lastSequence(database.db)
      if (last - state.sequence > BEHIND_MAX) return 'far behind'
    }
    if (changes.length > 0) await applyChanges(database, name, state, changes, hooks)
    if (changes.length < BATCH) return 'even'
  }
}

function orExpired(error: unknown): 'expired' {
  if (error instanceof Refusal && error.code === 'changes_expired') return 'expired'
  throw error
}

async function applyChanges(
  database: Database,
  name: IndexName,
  state: IndexState,
  changes: readonly Change[],
  hooks: ChangeHooks,
): Promise<void> {
  const ids = new Set<number>()
  for (const { gem_id, merchant_uuid } of changes) {
    if (gem_id === null) hooks.onPrices?.(merchant_uuid)
    else ids.add(gem_id)
  }
  const printed = await readPrinted(database, name, [...ids])
  // From here on it is one step: no search sees half of it.
  hooks.onChanged?.(ids)
  applyRows(state, ids, printed)
  state.sequence = changes[changes.length - 1].sequence
}

const asPrinted = { getTypeParser: () => (printed: string) => printed }

/** The stones that belong in the index now, as PostgreSQL prints them. */
export async function readPrinted(
  { pool }: Pick<Database, 'pool'>,
  name: IndexName,
  ids: readonly number[],
): Promise<(string | null)[][]> {
  if (ids.length === 0) return []
  const { columns, where } = INDEX_TABLES[name]
  const { rows } = await pool.query({
    text: `select ${columns.select} from gem where id = any($1) and ${where}`,
    values: [ids],
    rowMode: 'array',
    types: asPrinted as unknown as CustomTypesConfig,
  })
  return rows as (string | null)[][]
}
