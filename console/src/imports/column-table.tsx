import { FIELDS } from '../../../src/feeds/mapping/fields.ts'
import type { ImportColumn } from '../api/imports.ts'
import { humanize, percent } from '../lib/format.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'

/** A field, or null for none, for columns whose guess the operator has corrected. */
export type Mapping = Record<string, string | null>

/** The field each column was mapped to, with confidence and reason; it can be corrected. */
export function ColumnTable(props: {
  columns: ImportColumn[]
  mapping?: Mapping
  onMapping?: (mapping: Mapping) => void
}) {
  const { columns, mapping = {}, onMapping } = props
  return (
    <details open>
      <summary>Column mapping</summary>
      <ScrollArea class="wide-scroll" label="Columns">
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Field</th>
              <th scope="col">Confidence</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr key={column.column}>
                <td>{column.column}</td>
                <td>
                  {onMapping && column.constant === undefined ? (
                    <FieldChoice
                      column={column}
                      chosen={mapping[column.column]}
                      onChoose={(field) => onMapping({ ...mapping, [column.column]: field })}
                    />
                  ) : (
                    humanize(column.field ?? 'not used')
                  )}
                </td>
                <td>
                  <Confidence column={column} />
                </td>
                <td class="small muted">{column.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </details>
  )
}

function Confidence({ column }: { column: ImportColumn }) {
  if (column.field === null) return <span class="tag">not used</span>
  const kind =
    column.confidence >= 0.9 ? 'is-good' : column.confidence >= 0.6 ? 'is-warn' : 'is-bad'
  return <span class={`tag ${kind}`}>{percent(column.confidence * 100, 0)}</span>
}

function FieldChoice(props: {
  column: ImportColumn
  chosen: string | null | undefined
  onChoose: (field: string | null) => void
}) {
  const value = props.chosen === undefined ? props.column.field : props.chosen
  return (
    <select
      class="input"
      aria-label={`Field for ${props.column.column}`}
      value={value ?? ''}
      onChange={(event) => props.onChoose(event.currentTarget.value || null)}
    >
      <option value="">not used</option>
      {FIELDS.map((field) => (
        <option key={field} value={field}>
          {humanize(field)}
        </option>
      ))}
    </select>
  )
}
