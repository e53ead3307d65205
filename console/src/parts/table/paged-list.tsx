import type { ComponentChildren } from 'preact'
import { type ApiProblem, PAGE_ROWS_MAX } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import { useOffset } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { ExportButton } from '../export-button.tsx'
import { Empty, Loading, ProblemNote } from '../feedback.tsx'
import { Pager } from '../pager.tsx'
import { SelectedNote, type Selection, useSelection } from './selection.tsx'
import { type Sort, sortParams, useSort } from './sort.tsx'

const LIMIT = 25

type Rows<Row> = { rows: readonly Row[]; total: number }
type PageQuery<Filters, By extends string> = Filters & {
  sort_col?: By
  sort_order?: Sort['order']
  limit: number
  offset: number
}

/** A list that the server filters, sorts and returns in pages. */
export interface PagedList<Row> {
  /** Those of the page that is shown. */
  rows: readonly Row[]
  /** How many there are on all pages, once it is known. */
  total: number | undefined
  offset: number
  selection: Selection<Row>
  problem: ApiProblem | undefined
  reload: () => void
  /** Reads as many rows from there on as one request returns. */
  readFrom: (offset: number) => Promise<Rows<Row>>
}

export function usePagedList<Row, Filters extends object, By extends string>(options: {
  filters: Filters
  /** What the list can be sorted by, in the names of the interface. */
  sorts: readonly By[]
  idOf: (row: Row) => string
  read: (query: PageQuery<Filters, By>, signal?: AbortSignal) => Promise<Rows<Row>>
  /** The list is read again when this changes. */
  version?: string
}): PagedList<Row> {
  const { filters, sorts, idOf, read, version = '' } = options
  const offset = useOffset()
  const search = { ...filters, ...sortParams(useSort(sorts)) }
  const query = { ...search, limit: LIMIT, offset }
  const reading = useRead(JSON.stringify([query, version]), (signal) => read(query, signal))
  const { rows = [], total } = reading.value ?? {}
  const selection = useSelection(JSON.stringify(filters), rows, idOf)
  const readFrom = (from: number) => read({ ...search, limit: PAGE_ROWS_MAX, offset: from })
  const { problem, reload } = reading
  return { rows, total, offset, selection, problem, reload, readFrom }
}

/** The buttons that save a list. */
export function PagedExport<Row>(props: {
  list: PagedList<Row>
  name: string
  columns: readonly (readonly [label: string, value: (row: Row) => Cell])[]
}) {
  const { list, name, columns } = props
  if (!list.total) return null
  return (
    <ExportButton
      name={name}
      columns={columns}
      read={list.readFrom}
      selected={list.selection.rows}
    />
  )
}

/** The table of a list, or why there is none, and the way to its other pages. */
export function PagedRows<Row>(props: {
  list: PagedList<Row>
  /** Said when there is nothing, with what can be done about it. */
  empty: string
  whenEmpty?: ComponentChildren
  children: ComponentChildren
}) {
  const { total, offset, selection, problem, reload } = props.list
  return (
    <>
      <ProblemNote problem={problem} onRetry={reload} />
      {total === undefined && !problem && <Loading />}
      {total === 0 && <Empty title={props.empty}>{props.whenEmpty}</Empty>}
      <SelectedNote selection={selection} />
      {total !== undefined && total > 0 && props.children}
      <Pager total={total ?? 0} limit={LIMIT} offset={offset} />
    </>
  )
}
