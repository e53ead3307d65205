import type { Database } from '../../database/open.ts'
import { changedAmong, lastSequence } from '../../events/change-log.ts'
import { numberChanges } from '../../events/number-changes.ts'
import { codeAt, type Found, find, idAt, type Store } from '../../index/index.ts'
import { INDEX_TABLES } from './columns.ts'
import type { GemIndex } from './follower.ts'
import { readPrinted } from './load.ts'

/**
 * Compares samples of an index with the table, slowly and all the time. The index only follows the
 * table; should it ever differ, the operator must learn of it before a merchant does, and the index
 * is loaded again.
 */
interface IndexAudit {
  figures(): { checked: number; drifted: number }
  /** Undefined when the last sample agreed with the table, otherwise how it differed. */
  problem(): string | undefined
  stop(): void
}

const PERIOD_MS = 15_000
const SAMPLE = 100

export function startIndexAudit(
  database: Database,
  index: GemIndex,
  onError: (error: unknown) => void,
): IndexAudit {
  let checked = 0
  let drifted = 0
  let lastDrift: number[] = []
  const run = async () => {
    const sample = await auditSample(database, index)
    if (!sample) return
    checked += sample.checked
    drifted += sample.drifted.length
    lastDrift = sample.drifted
    if (lastDrift.length === 0) return
    onError(new Error(`index differs in stones ${lastDrift.join(', ')}`))
    await index.reload()
  }
  const timer = setInterval(() => void run().catch(onError), PERIOD_MS)
  timer.unref()
  return {
    figures: () => ({ checked, drifted }),
    problem: () =>
      lastDrift.length > 0 ? `differs from the table in ${lastDrift.length} stones` : undefined,
    stop: () => clearInterval(timer),
  }
}

interface AuditedSample {
  checked: number
  /** The ids of stones that are not in the index as they are in the table. */
  drifted: number[]
}

/** One sample: stones of the table and stones of the index. Undefined while the index loads. */
export async function auditSample(
  database: Database,
  index: GemIndex,
): Promise<AuditedSample | undefined> {
  const before = index.sequence()
  if (before === undefined) return undefined
  const ids = [...indexIds(index.store()), ...(await tableIds(database))]
  const printed = await readPrinted(database, index.name, ids)
  await numberChanges(database.db)
  const after = await lastSequence(database.db)
  await index.catchUp()
  // Stones that changed while they were read prove nothing.
  const moved = await changedAmong(database.db, ids, before)
  if ((index.sequence() ?? 0) < after) return undefined
  const store = index.store()
  const inTable = new Map(printed.map((row) => [Number(row[0]), row]))
  const drifted = [...new Set(ids)].filter((id) => {
    if (moved.has(id)) return false
    return !agrees(index, store, find(store, id), inTable.get(id))
  })
  return { checked: ids.length, drifted }
}

function indexIds(store: Store): number[] {
  const { base } = store
  const ids = [...store.deltaRowById.keys()].slice(0, SAMPLE)
  for (let i = 0; i < SAMPLE && base.size > 0; i++) {
    const row = Math.floor(Math.random() * base.size)
    ids.push(idAt(base, row))
  }
  return ids
}

/** Consecutive ids from a random one on: cheap in a table of any size. */
async function tableIds({ pool }: Database): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `select id from gem where id >= (select floor(random() * max(id)) from gem)
     order by id limit $1`,
    [SAMPLE],
  )
  return rows.map(({ id }) => Number(id))
}

function agrees(
  index: GemIndex,
  store: Store,
  found: Found | undefined,
  printed: (string | null)[] | undefined,
): boolean {
  if (!found || !printed) return !found && !printed
  const { columns } = INDEX_TABLES[index.name]
  const { values } = columns.read(printed, store.dictionaries)
  return columns.spec.columns.every(({ kind, name }, i) => {
    // A hold ends by the clock and not in the table; texts have no value in the row to compare.
    if (kind === 'sparse' || kind === 'text' || name === 'on_hold') return true
    if (kind === 'code') return codeAt(found.view.codes[name], found.row) === values[i]
    const { values: stored, base, none } = found.view.numbers[name]
    const value = stored[found.row] === none ? null : stored[found.row] + base
    return value === values[i]
  })
}
