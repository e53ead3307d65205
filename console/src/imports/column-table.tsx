import { FIELDS } from '../../../src/feeds/mapping/fields.ts'
import type { ImportColumn } from '../api/imports.ts'
import { t } from '../language/language.ts'
import { fieldName } from '../lib/field-name.ts'
import { percent } from '../lib/format.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { ReasonText } from './reason-text.tsx'

/** A field, or null for none, for columns whose guess the operator has corrected. */
export type Mapping = Record<string, string | null>

/** The field each column was mapped to, with confidence and reason; it can be corrected. */
export function ColumnTable(props: {
  columns: ImportColumn[]
  mapping?: Mapping
  onMapping?: (mapping: Mapping) => void
  /** Whether it is known how sure each field is, and why it was chosen. */
  isJudged?: boolean
  /** Files of jewelry have fields of their own, which are known by their names alone. */
  jewelryFields?: readonly string[]
}) {
  const { columns, mapping = {}, onMapping, jewelryFields } = props
  const { isJudged = jewelryFields === undefined } = props
  if (columns.length === 0) return null
  return (
    <details open>
      <summary>{t('Column mapping')}</summary>
      <ScrollArea class="wide-scroll" label={t('Columns')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Column')}</th>
              <th scope="col">{t('Field')}</th>
              {isJudged && <th scope="col">{t('Confidence')}</th>}
              {isJudged && <th scope="col">{t('Reason')}</th>}
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr key={column.column}>
                <td class="mono">{column.column}</td>
                <td>
                  {onMapping && column.constant === undefined ? (
                    <FieldChoice
                      column={column}
                      fields={jewelryFields ?? FIELDS}
                      chosen={mapping[column.column]}
                      onChoose={(field) => onMapping({ ...mapping, [column.column]: field })}
                    />
                  ) : (
                    nameOf(column.field)
                  )}
                </td>
                {isJudged && (
                  <td>
                    <Confidence column={column} />
                  </td>
                )}
                {isJudged && (
                  <td class="small muted">
                    <ReasonText text={column.reason} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </details>
  )
}

function nameOf(field: string | null): string {
  return field === null ? t('not used') : fieldName(field)
}

function Confidence({ column }: { column: ImportColumn }) {
  if (column.field === null) return <span class="tag">{t('not used')}</span>
  const kind =
    column.confidence >= 0.9 ? 'is-good' : column.confidence >= 0.6 ? 'is-warn' : 'is-bad'
  return <span class={`tag ${kind}`}>{percent(column.confidence * 100, 0)}</span>
}

function FieldChoice(props: {
  column: ImportColumn
  fields: readonly string[]
  chosen: string | null | undefined
  onChoose: (field: string | null) => void
}) {
  const value = props.chosen === undefined ? props.column.field : props.chosen
  return (
    <select
      class="input"
      aria-label={t('Field for {column}', { column: props.column.column })}
      value={value ?? ''}
      onChange={(event) => props.onChoose(event.currentTarget.value || null)}
    >
      <option value="">{t('not used')}</option>
      {props.fields.map((field) => (
        <option key={field} value={field}>
          {fieldName(field)}
        </option>
      ))}
    </select>
  )
}
