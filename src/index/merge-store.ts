import { setImmediate as nextTurn } from 'node:timers/promises'
import { startThread } from '../lib/start-thread.ts'
import type { Mergeable, MergeData, MergeMessage } from './merge-worker.ts'
import { codeAt, NONE, type Segment } from './segment/columns.ts'
import { encode, type RowValues } from './segment/rows.ts'
import type { SegmentFile } from './segment-file.ts'
import { find, newStore, remove, type Store, setCode, trackChanges, upsert } from './store.ts'

/** How the next base is made; it returns at once and works elsewhere. */
type Merge = (parts: Mergeable) => Promise<Segment>

/** So many rows are copied in a millisecond or two, after which requests have their turn. */
const ROWS_PER_TURN = 250

/**
 * Merges the base and the delta of a store into the base of a new store. The old one can be
 * searched and changed meanwhile; what changes is copied at the end, and `onMerged` is called with
 * the new store in the same turn of the event loop in which both have the same rows.
 */
export async function mergeStore(
  store: Store,
  onMerged: (merged: Store) => void,
  merge: Merge = mergeInThread,
): Promise<void> {
  const changes = trackChanges(store)
  try {
    const { base, delta, workspace } = store
    const segment = await merge({ base, delta, alive: workspace.alive.slice() })
    const merged = newStore(store.spec, segment)
    let copied = 0
    // What changes between two turns is added to the set, and so it is copied in the same loop.
    for (const id of changes.ids) {
      changes.ids.delete(id)
      copyRow(store, merged, id)
      if (++copied % ROWS_PER_TURN === 0) await nextTurn()
    }
    for (const { id, column } of changes.codes) copyCode(store, merged, id, column)
    onMerged(merged)
  } finally {
    store.changes = null
  }
}

/** A file that the thread writes the base to, and what is called when it has tried to. */
interface WrittenFile extends SegmentFile {
  onEnded: (problem: string | undefined) => void
}

/** The thread is given a copy of the delta, and the base as it is: that is in shared memory. */
export function mergeInThread(parts: Mergeable, written?: WrittenFile): Promise<Segment> {
  return new Promise((resolve, reject) => {
    const file = written && { path: written.path, about: written.about }
    const workerData: MergeData = { ...parts, file }
    const worker = startThread(import.meta.url, 'merge-worker', { workerData })
    let unwritten: string | undefined = 'the thread ended'
    worker.on('message', (message: MergeMessage) => {
      if ('segment' in message) return resolve(message.segment)
      unwritten = message.unwritten
      void worker.terminate()
    })
    worker.once('error', reject)
    worker.once('exit', (code) => {
      reject(new Error(`the merging thread ended with ${code}`))
      written?.onEnded(unwritten)
    })
    worker.unref()
  })
}

/** A row that changed is in the delta or gone. */
function copyRow(from: Store, to: Store, id: number): void {
  const row = from.deltaRowById.get(id)
  if (row === undefined) remove(to, id)
  else upsert(to, id, rowOfDelta(from, to, row))
}

function rowOfDelta({ spec, delta, dictionaries }: Store, to: Store, row: number): RowValues {
  return spec.columns.map(({ kind, name }) => {
    if (kind === 'text') return delta.texts[name][row]
    if (kind === 'sparse') return delta.sparse[name].get(delta.ids.values[row]) ?? null
    if (kind === 'number') {
      const value = delta.numbers[name].values[row]
      return value === NONE ? null : value
    }
    const code = codeAt(delta.codes[name], row)
    const { values, open } = dictionaries[name]
    return open ? encode(to.dictionaries[name], values[code]) : code
  })
}

function copyCode(from: Store, to: Store, id: number, column: string): void {
  const found = find(from, id)
  const value =
    found && from.dictionaries[column].values[codeAt(found.view.codes[column], found.row)]
  if (value) setCode(to, id, column, value)
}
