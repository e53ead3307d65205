import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t, tIn } from '../../language/language.ts'
import { count } from '../../lib/format.ts'

/** Rows that are selected, also on other pages of the same list. */
export interface Selection<Row> {
  rows: readonly Row[]
  idOf: (row: Row) => string
  has: (row: Row) => boolean
  toggle: (row: Row, isRange: boolean) => void
  /** Adds all of these, or takes them out when all are selected. */
  toggleAll: (rows: readonly Row[]) => void
  clear: () => void
}

/** More than anybody selects by hand. */
const SELECTED_MAX = 1000

/** With other filters (another key) the list begins with nothing selected. */
export function useSelection<Row>(
  key: string,
  shown: readonly Row[],
  idOf: (row: Row) => string,
): Selection<Row> {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map())
  const anchor = useRef<string | undefined>(undefined)
  useEffect(() => {
    setSelected(new Map())
    anchor.current = undefined
  }, [key])
  const add = (rows: readonly Row[]) => {
    const all = [...selected, ...rows.map((row) => [idOf(row), row] as const)]
    setSelected(new Map(all.slice(0, SELECTED_MAX)))
  }
  const remove = (rows: readonly Row[]) => {
    const ids = new Set(rows.map(idOf))
    setSelected(new Map([...selected].filter(([id]) => !ids.has(id))))
  }
  return {
    rows: [...selected.values()],
    idOf,
    has: (row) => selected.has(idOf(row)),
    toggle: (row, isRange) => {
      const from = shown.findIndex((each) => idOf(each) === anchor.current)
      const to = shown.indexOf(row)
      anchor.current = idOf(row)
      if (isRange && from >= 0) add(shown.slice(Math.min(from, to), Math.max(from, to) + 1))
      else if (selected.has(idOf(row))) remove([row])
      else add([row])
    },
    toggleAll: (rows) => {
      if (rows.every((row) => selected.has(idOf(row)))) remove(rows)
      else add(rows)
    },
    clear: () => setSelected(new Map()),
  }
}

/** The head of the column of check boxes: all rows of this page. */
export function SelectAll<Row>(props: { selection: Selection<Row>; rows: readonly Row[] }) {
  return (
    <td class="select-cell">
      <SelectAllBox {...props} />
    </td>
  )
}

/** The same where a list is not a table. */
export function SelectAllBox<Row>(props: { selection: Selection<Row>; rows: readonly Row[] }) {
  const { selection, rows } = props
  const chosen = rows.filter((row) => selection.has(row)).length
  return (
    <input
      type="checkbox"
      class="select-box"
      aria-label={t('Select all rows of this page')}
      checked={chosen > 0 && chosen === rows.length}
      indeterminate={chosen > 0 && chosen < rows.length}
      onChange={() => selection.toggleAll(rows)}
    />
  )
}

interface SelectProps<Row> {
  selection: Selection<Row>
  row: Row
  name: string
  /** Whether somebody has typed the name, in whatever language. */
  isTyped?: boolean
}

/** The check box of a row; with Shift everything since the last one is selected. */
export function SelectRow<Row>(props: SelectProps<Row>) {
  return (
    <td class="select-cell">
      <SelectBox {...props} />
    </td>
  )
}

/** The same in the head of a panel. */
export function SelectBox<Row>(props: SelectProps<Row>) {
  const { selection, row, name, isTyped } = props
  return (
    <input
      type="checkbox"
      class="select-box"
      aria-label={t('Select {name}', { name })}
      {...(isTyped && { lang: 'und' })}
      checked={selection.has(row)}
      onClick={(event) => selection.toggle(row, event.shiftKey)}
    />
  )
}

/** How many rows are selected, on whatever page of the list, and what can be done with them. */
export function SelectedNote<Row>(props: {
  selection: Selection<Row>
  children?: ComponentChildren
}) {
  const { rows, clear } = props.selection
  if (rows.length === 0) return null
  return (
    <div class="row list-tools">
      <strong role="status">{t('{count} selected', { count: count(rows.length) })}</strong>
      <button type="button" class="button is-small is-quiet" onClick={clear}>
        {tIn('selection', 'Clear')}
      </button>
      {props.children}
    </div>
  )
}
