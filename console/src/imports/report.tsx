import type { ImportRecord, ImportRejection } from '../api/imports.ts'
import { t } from '../language/language.ts'
import { downloadCsv } from '../lib/download.ts'
import { count, humanize } from '../lib/format.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { ReasonText, reasonIn } from './reason-text.tsx'

const STATUS_CLASSES: Partial<Record<ImportRecord['status'], string>> = {
  done: 'is-good',
  failed: 'is-bad',
  undone: 'is-warn',
}

export function ImportStatus({ status }: { status: ImportRecord['status'] }) {
  return <span class={`tag ${STATUS_CLASSES[status] ?? 'is-accent'}`}>{humanize(status)}</span>
}

type Figures = Pick<
  ImportRecord,
  'rows' | 'added' | 'changed' | 'unchanged' | 'removed' | 'rejected'
> & { not_offered?: number; quarantined?: number }

/** How many rows became what. */
export function ImportFigures({ figures }: { figures: Figures }) {
  const shown: [string, number | undefined][] = [
    [t('Rows'), figures.rows],
    [t('New'), figures.added],
    [t('Changed'), figures.changed],
    [t('Unchanged'), figures.unchanged],
    [t('Removed'), figures.removed],
    [t('Rejected'), figures.rejected],
    [t('Quarantined (of the rejected)'), figures.quarantined],
    [t('No longer for sale (of the changed)'), figures.not_offered],
  ]
  return (
    <dl class="facts">
      {shown.map(
        ([label, value]) =>
          value !== undefined && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{count(value)}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

const SHOWN_MAX = 100

/** The rows that were not imported, each with the reason; all of them as a file. */
export function RejectionTable({ rejections }: { rejections: ImportRejection[] }) {
  if (rejections.length === 0) return null
  const head = [t('Row'), t('Column'), t('Value'), t('Reason')]
  const save = () => {
    const rows = rejections.map(({ row, column, value, reason }) => {
      return [row, column, value, reasonIn(reason)]
    })
    downloadCsv('rejected.csv', head, rows)
  }
  return (
    <details open>
      <summary>
        {t('Rejected rows')} <span class="tag is-warn">{count(rejections.length)}</span>
      </summary>
      <p>
        <button type="button" class="button is-small" onClick={save}>
          {t('Save rejected rows as CSV')}
        </button>
      </p>
      <ScrollArea class="wide-scroll small" label={t('Rejected rows')}>
        <table>
          <thead>
            <tr>
              {head.map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rejections.slice(0, SHOWN_MAX).map((rejection, index) => (
              <tr key={index}>
                <td>{rejection.row}</td>
                <td class="mono">{rejection.column}</td>
                <td class="mono">{rejection.value}</td>
                <td>
                  <ReasonText text={rejection.reason} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {rejections.length > SHOWN_MAX && (
          <p class="muted">
            {t('and {count} more', { count: count(rejections.length - SHOWN_MAX) })}
          </p>
        )}
      </ScrollArea>
    </details>
  )
}
