import { codeAt, NONE, type NumberView, type View } from './segment/columns.ts'
import {
  type Dictionary,
  dictionaryOf,
  encode,
  newRows,
  type Rows,
  reserve,
} from './segment/rows.ts'
import { textAt } from './segment/texts.ts'
import { find, type Store } from './store.ts'

/** A table without rows, like that of the store, to which `copyRows` adds. */
export function rowsLike({ spec, dictionaries }: Store): Rows {
  const own = Object.entries(dictionaries).map(([name, { values, open }]): [string, Dictionary] => [
    name,
    dictionaryOf(values, open),
  ])
  return newRows(spec, Object.fromEntries(own))
}

/**
 * Adds those of the rows that the store has. It may be called for some rows at a time, while the
 * store changes or is replaced in between. Sparse columns, which no search uses, are left out, and
 * texts unless they are asked for.
 */
export function copyRows(
  rows: Rows,
  store: Store,
  ids: readonly number[],
  { texts }: { texts: boolean },
): void {
  const inBase: Copied = { ids: [], rows: [] }
  const inDelta: Copied = { ids: [], rows: [] }
  for (const id of ids) {
    const found = find(store, id)
    if (!found) continue
    const copied = found.view === store.base ? inBase : inDelta
    copied.ids.push(id)
    copied.rows.push(found.row)
  }
  const { base, delta } = store
  const translations = translationsTo(rows, store)
  addRows(rows, base, inBase, translations, (name, row) =>
    texts ? textAt(base.texts[name], row) : null,
  )
  addRows(rows, delta, inDelta, translations, (name, row) =>
    texts ? delta.texts[name][row] : null,
  )
}

/** A text of a row; undefined when the store does not have the row. */
export function textOf(store: Store, id: number, column: string): string | null | undefined {
  const found = find(store, id)
  if (!found) return undefined
  const { base, delta } = store
  return found.view === base
    ? textAt(base.texts[column], found.row)
    : delta.texts[column][found.row]
}

interface Copied {
  ids: number[]
  rows: number[]
}

/** By column, what each code of the store is in the copy; null where they are the same. */
type Translations = Map<string, Uint16Array | null>

function translationsTo(rows: Rows, store: Store): Translations {
  const translations: Translations = new Map()
  for (const [name, { values, open }] of Object.entries(store.dictionaries)) {
    const own = rows.dictionaries[name]
    translations.set(name, open ? Uint16Array.from(values, (value) => encode(own, value)) : null)
  }
  return translations
}

function addRows(
  rows: Rows,
  view: View,
  { ids, rows: from }: Copied,
  translations: Translations,
  textOf: (name: string, row: number) => string | null,
): void {
  const start = rows.size
  const count = ids.length
  reserve(rows, start + count)
  for (let i = 0; i < count; i++) rows.ids.values[start + i] = ids[i]
  for (const { kind, name } of rows.spec.columns) {
    if (kind === 'number') addNumbers(rows.numbers[name], start, view.numbers[name], from)
    if (kind === 'text') for (const row of from) rows.texts[name].push(textOf(name, row))
    if (kind !== 'code') continue
    const { words } = rows.codes[name]
    const source = view.codes[name]
    const translation = translations.get(name)
    for (let i = 0; i < count; i++) {
      const code = codeAt(source, from[i])
      words[start + i] = translation ? translation[code] : code
    }
  }
  rows.size += count
}

function addNumbers(
  { values }: NumberView,
  start: number,
  { values: source, base, none }: NumberView,
  from: readonly number[],
): void {
  for (let i = 0; i < from.length; i++) {
    const stored = source[from[i]]
    values[start + i] = stored === none ? NONE : stored + base
  }
}
