import type { ComponentChildren } from 'preact'
import { t } from '../../language/language.ts'
import { humanize } from '../../lib/format.ts'
import { go, useLocation, withParams } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { ExportButton } from '../export-button.tsx'
import { Empty } from '../feedback.tsx'
import { SelectedNote, type Selection, useSelection } from './selection.tsx'
import { useSorted, type Value } from './sort.tsx'

/** A list that the page has as a whole, so that it is filtered and sorted here. */
export interface WholeList<Row> {
  /** Those that contain what is typed, in the chosen order. */
  rows: readonly Row[]
  /** How many there are without the filter. */
  total: number
  columns: Columns<Row>
  selection: Selection<Row>
  /** The name of the filter in the address. */
  param: string
}

type Columns<Row> = readonly (readonly [label: string, value: (row: Row) => Cell])[]

export function useWholeList<Row>(
  all: readonly Row[] | undefined,
  options: {
    idOf: (row: Row) => string
    /** What is saved, and what the filter looks at. */
    columns: Columns<Row>
    values: Readonly<Record<string, (row: Row) => Value>>
    /** Of the second list of a page. */
    param?: string
  },
): WholeList<Row> {
  const { idOf, columns, values, param = 'filter' } = options
  const typed = useLocation().params.get(param) ?? ''
  const found = (all ?? []).filter((row) => contains(row, columns, typed))
  const rows = useSorted(found, values)
  const selection = useSelection(typed, rows, idOf)
  return { rows, total: all?.length ?? 0, columns, selection, param }
}

/** Whether a row has every word: as it is saved, or as the reader's language calls it. */
function contains<Row>(row: Row, columns: Columns<Row>, typed: string): boolean {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const cells = columns.map(([, value]) => value(row))
  const text = cells.map((cell) => (typeof cell === 'string' ? `${cell} ${humanize(cell)}` : cell))
  const all = text.join('\n').toLowerCase()
  return words.every((word) => all.includes(word))
}

/** The filter of a list, and the buttons that save it. */
export function ListTools<Row>({ list, name }: { list: WholeList<Row>; name: string }) {
  const { rows, total, columns, selection, param } = list
  const typed = useLocation().params.get(param) ?? ''
  if (total === 0) return null
  const label = t('Filter the list')
  return (
    <>
      <label class="field">
        <span class="visually-hidden">{label}</span>
        <input
          class="input"
          type="search"
          placeholder={label}
          value={typed}
          onInput={(event) => {
            const text = event.currentTarget.value || undefined
            go(withParams({ [param]: text }), { replace: true })
          }}
        />
      </label>
      <ExportButton
        name={name}
        columns={columns}
        read={async () => ({ rows, total: rows.length })}
        selected={selection.rows}
      />
    </>
  )
}

/** How many rows are selected, and that the filter leaves none. */
export function ListNotes<Row>(props: { list: WholeList<Row>; children?: ComponentChildren }) {
  const { rows, total, selection } = props.list
  return (
    <>
      {total > 0 && rows.length === 0 && <Empty title={t('Nothing contains what you typed')} />}
      <SelectedNote selection={selection}>{props.children}</SelectedNote>
    </>
  )
}
