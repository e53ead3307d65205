import type { Database } from '../../src/database/open.ts'
import { INDEX_TABLES, type IndexName } from '../../src/gems/indexing/columns.ts'
import { loadSegment } from '../../src/gems/indexing/read-table.ts'
import { codeAt, find, idAt, newStore, type Store, textOf } from '../../src/index/index.ts'

type IndexRows = Record<number, Record<string, string | number | null | undefined>>

/** Every row of an index with all its values, by id. */
export function indexRows(store: Store): IndexRows {
  const ids = [...store.deltaRowById.keys()]
  for (let row = 0; row < store.base.size; row++) ids.push(idAt(store.base, row))
  return Object.fromEntries([...new Set(ids)].flatMap((id) => rowsOf(store, id)))
}

/** The rows that an index has when it is loaded from the table now. */
export async function loadedRows(database: Database, name: IndexName): Promise<IndexRows> {
  const { segment } = await loadSegment(database.directUrl, name)
  return indexRows(newStore(INDEX_TABLES[name].columns.spec, segment))
}

/** None when the row is replaced or removed. */
function rowsOf(store: Store, id: number): [number, IndexRows[number]][] {
  const found = find(store, id)
  if (!found) return []
  const { view, row } = found
  const values = store.spec.columns.map(({ kind, name }) => {
    if (kind === 'text') return [name, textOf(store, id, name)]
    if (kind === 'code') {
      return [name, store.dictionaries[name].values[codeAt(view.codes[name], row)]]
    }
    if (kind === 'sparse') return [name, null]
    const { values: stored, base, none } = view.numbers[name]
    return [name, stored[row] === none ? null : stored[row] + base]
  })
  return [[id, Object.fromEntries(values)]]
}
