import { FIELDS } from '../../../../src/feeds/mapping/fields.ts'
import type { ImportColumn } from '../../api/imports.ts'
import { humanize, percent } from '../../lib/format.ts'

/** What each column was taken for, how surely and why; another field can be chosen. */
export function ColumnTable(props: {
  columns: ImportColumn[]
  mapping?: Record<string, string | null>
  onMapping?: (mapping: Record<string, string | null>) => void
}) {
  const { columns, mapping = {}, onMapping } = props
  return (
    <details open>
      <summary>Columns and what they mean</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by key */}
      <section class="wide-scroll" tabIndex={0} aria-label="Columns">
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Means</th>
              <th scope="col">Sure</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr key={column.column}>
                <td>{column.column}</td>
                <td>
                  {onMapping ? (
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
      </section>
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
      aria-label={`Meaning of ${props.column.column}`}
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
