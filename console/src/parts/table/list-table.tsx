import type { ComponentChildren } from 'preact'
import { ScrollArea } from '../scroll-area.tsx'
import { SelectAll, type Selection, SelectRow } from './selection.tsx'
import { type Sort, SortHead } from './sort.tsx'

/** What stands above a column, and what the list is sorted by with it, if it can be. */
export type ListHead = readonly [
  by: string | undefined,
  label: string,
  look?: { class?: string; first?: Sort['order'] },
]

/** The head of a column of numbers, of which the largest are wanted first. */
export const NUMBER = { class: 'number', first: 'desc' } as const

/** The table of a list: sorted by its heads, and each row selected by its check box. */
export function ListTable<Row>(props: {
  label: string
  heads: readonly ListHead[]
  rows: readonly Row[]
  selection: Selection<Row>
  /** The name of a row, for those who hear its check box. */
  nameOf: (row: Row) => string
  /** Whether the last column is that of the buttons of a row. */
  hasButtons?: boolean
  class?: string
  /** The cells of a row. */
  children: (row: Row) => ComponentChildren
}) {
  const { heads, rows, selection, nameOf } = props
  return (
    <ScrollArea label={props.label} {...(props.class && { class: props.class })}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={rows} />
            {heads.map(([by, label, look]) =>
              by ? (
                <SortHead key={label} by={by} {...look}>
                  {label}
                </SortHead>
              ) : (
                <th key={label} scope="col" class={look?.class}>
                  {label}
                </th>
              ),
            )}
            {props.hasButtons && <td />}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={selection.idOf(row)}>
              <SelectRow selection={selection} row={row} name={nameOf(row)} />
              {props.children(row)}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
