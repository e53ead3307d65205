import { listen } from '../database/listen.ts'
import type { Database } from '../database/open.ts'
import { driftFromBase, type Store } from '../index/index.ts'
import { Refusal } from '../lib/refusal.ts'
import { CHANGE_CHANNEL, type Change, lastSequence, readChanges } from './change-log.ts'
import { loadAside } from './index-aside.ts'
import { applyRows, expireHolds, type IndexState, stateFrom } from './index-state.ts'
import { INDEX_TABLES, type IndexName } from './index-tables.ts'

/**
 * Keeps an index in step with the gem table. It reads the change log after its last number, woken
 * by a notification and once a second without one: a missed notification, a lost connection or a
 * restarted database needs no other cure. When it is far behind, or much has changed since the
 * base was built, a new base is built aside and swapped in.
 */
export interface GemIndex {
  readonly name: IndexName
  /** The index as of now; refuses while it is loading. */
  store(): Store
  /** Resolves when every change that was committed before the call can be found. Never rejects. */
  catchUp(): Promise<void>
  /** Undefined when well, otherwise what a person should know. */
  problem(): string | undefined
  /** The number of the change log up to which changes can be found; undefined while loading. */
  sequence(): number | undefined
  stop(): Promise<void>
}

export interface GemIndexOptions {
  database: Database
  name: IndexName
  now?: () => number
  /** Told which stones changed, before a search can find them changed; null: any may have. */
  onChanged?: (ids: Iterable<number> | null) => void
  /** Told of changes that concern prices rather than stones. */
  onPrices?: (merchantUuid: string | null) => void
  onError?: (error: unknown) => void
  /** Stones up to which a load runs in this thread. */
  inlineMax?: number
}

const POLL_MS = 1_000
/** Reading this many changed stones takes some 50 ms. */
const BATCH = 2_000
/** Farther behind than this, a new base is quicker than following. */
const BEHIND_MAX = 20_000
/** The delta may hold this much, or this share of the base, before a new base is built. */
const DELTA_MIN = 5_000
const DELTA_SHARE = 0.02
/** Without a successful look at the log for this long, the index is called stale. */
const STALE_MS = 5_000

export function startGemIndex(options: GemIndexOptions): GemIndex {
  const { database, name, now = Date.now } = options
  const table = INDEX_TABLES[name]
  let state: IndexState | undefined
  let rebuilding: Promise<void> | undefined
  let running: Promise<void> | undefined
  let queued: Promise<void> | undefined
  let evenAtMs = 0
  let stopped = false

  async function step(): Promise<void> {
    if (!state) return rebuild()
    const behind = await advance(state)
    evenAtMs = now()
    if (behind) return rebuild()
    const drift = driftFromBase(state.store)
    if (drift > Math.max(DELTA_MIN, DELTA_SHARE * state.store.base.size)) {
      rebuild().catch(report)
    }
  }

  /** Applies what the log has after the state's number; true when that would take too long. */
  async function advance(target: IndexState): Promise<boolean> {
    for (;;) {
      const changes = await readChanges(database.db, target.sequence, BATCH).catch(orExpired)
      if (changes === 'expired') return true
      if (changes.length === 0) return false
      if (changes.length === BATCH) {
        const last = await lastSequence(database.db)
        if (last - target.sequence > BEHIND_MAX) return true
      }
      await applyChanges(target, changes)
      if (changes.length < BATCH) return false
    }
  }

  async function applyChanges(target: IndexState, changes: readonly Change[]): Promise<void> {
    const ids = new Set<number>()
    for (const { gem_id, merchant_uuid } of changes) {
      if (gem_id === null) options.onPrices?.(merchant_uuid)
      else ids.add(gem_id)
    }
    const printed = await readPrinted(database, name, [...ids])
    // From here on it is one step: no search sees half of it.
    options.onChanged?.(ids)
    applyRows(target, ids, printed)
    target.sequence = changes[changes.length - 1].sequence
  }

  function rebuild(): Promise<void> {
    rebuilding ??= buildNext().finally(() => {
      rebuilding = undefined
    })
    return rebuilding
  }

  async function buildNext(): Promise<void> {
    const loaded = await loadAside(database, name, options.inlineMax)
    const next = stateFrom(table, loaded)
    while (await advance(next)) {
      if (stopped) return
      Object.assign(next, stateFrom(table, await loadAside(database, name, options.inlineMax)))
    }
    // What changed between the old state and the new base was not told one by one.
    if (!state || loaded.sequence > state.sequence) options.onChanged?.(null)
    if (!state || next.sequence >= state.sequence) state = next
    evenAtMs = now()
  }

  function catchUp(): Promise<void> {
    if (!running) {
      running = step()
        .catch(report)
        .finally(() => {
          running = undefined
        })
      return running
    }
    // A look that is under way may have begun before the caller's commit: one more follows it.
    queued ??= running.then(() => {
      queued = undefined
      return catchUp()
    })
    return queued
  }

  function report(error: unknown): void {
    if (!stopped) options.onError?.(error)
  }

  function wake(): void {
    if (!stopped) void catchUp()
  }

  const timer = setInterval(wake, POLL_MS)
  timer.unref()
  const listener = listen(database.url, [CHANGE_CHANNEL], {
    onConnected: wake,
    onLost: () => {},
    onNotification: wake,
  })
  wake()

  return {
    name,
    store() {
      if (!state) throw new Refusal('not_ready', 'The index is still loading; try again shortly.')
      expireHolds(state, now())
      return state.store
    },
    catchUp: () => (state ? catchUp() : Promise.resolve()),
    problem() {
      if (!state) return 'loading'
      const lateMs = now() - evenAtMs
      if (lateMs < STALE_MS || rebuilding) return undefined
      return `stale: has not seen the change log for ${Math.round(lateMs / 1000)} s`
    },
    sequence: () => state?.sequence,
    async stop() {
      stopped = true
      clearInterval(timer)
      await listener.close()
    },
  }
}

function orExpired(error: unknown): 'expired' {
  if (error instanceof Refusal && error.code === 'changes_expired') return 'expired'
  throw error
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
    types: asPrinted as unknown as import('pg').CustomTypesConfig,
  })
  return rows as (string | null)[][]
}
