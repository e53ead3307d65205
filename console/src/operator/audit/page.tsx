import { PAGE_ROWS_MAX } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import { type AuditEntry, type AuditQuery, listAudit } from '../../api/operator/audit.ts'
import { t } from '../../language/language.ts'
import { useLocation, withParams } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { SelectedNote, useSelection } from '../../parts/table/selection.tsx'
import { sortParams, useSort } from '../../parts/table/sort.tsx'
import { actionText } from './actions.ts'
import { ENTRY_SORTS, EntryTable } from './entry-table.tsx'
import { AuditFilters, queryIn } from './filters.tsx'

const LIMIT = 50

const json = (value: unknown) => (value === null ? '' : JSON.stringify(value))
const COLUMNS: readonly (readonly [string, (entry: AuditEntry) => Cell])[] = [
  [t('Time'), ({ at }) => at],
  [t('Who'), ({ actor }) => actor.name],
  [t('What'), ({ action }) => actionText(action)],
  [t('Action'), ({ action }) => action],
  [t('Kind'), ({ subject }) => subject.kind],
  [t('Number'), ({ subject }) => subject.id],
  [t('Before'), ({ before }) => json(before)],
  [t('After'), ({ after }) => json(after)],
  [t('Network address'), ({ ip }) => ip],
  [t('Request'), ({ request_id }) => request_id],
]

/** Who did what to what, newest first unless sorted otherwise. */
export function AuditPage() {
  const { params } = useLocation()
  const cursor = params.get('cursor') || undefined
  const filters = queryIn(params)
  const sort = useSort(ENTRY_SORTS)
  const query = { ...filters, ...sortParams(sort) }
  const reading = useRead(JSON.stringify({ query, cursor }), (signal) =>
    listAudit({ ...query, limit: LIMIT, ...(cursor && { cursor }) }, signal),
  )
  const { value } = reading
  const entries = value?.entries ?? []
  const selection = useSelection(JSON.stringify(filters), entries, ({ uuid }) => uuid)
  return (
    <>
      <div class="page-head">
        <h1>{t('Audit log')}</h1>
        <div class="page-tools">
          <ExportButton
            name={t('audit-log.csv')}
            columns={COLUMNS}
            read={exportOf(query)}
            selected={selection.rows}
          />
        </div>
        <p class="page-lead">
          {t('Everything that anybody changed. Nobody can change or delete an entry.')}
        </p>
      </div>
      <AuditFilters entries={entries} />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!value && !reading.problem && <Loading />}
      {value?.entries.length === 0 && <Empty title={t('No entries found')} />}
      <SelectedNote selection={selection} />
      {entries.length > 0 && <EntryTable entries={entries} selection={selection} />}
      <Pages cursor={cursor} next={value?.next_cursor ?? null} isSorted={sort !== undefined} />
    </>
  )
}

/** Entries have no number to begin at: each page says where the next one begins. */
function exportOf(query: Omit<AuditQuery, 'limit' | 'cursor'>) {
  let cursor: string | undefined
  return async (offset: number) => {
    const from = offset > 0 && cursor ? { cursor } : {}
    const page = await listAudit({ ...query, ...from, limit: PAGE_ROWS_MAX })
    cursor = page.next_cursor ?? undefined
    const more = cursor ? 1 : 0
    return { rows: page.entries, total: offset + page.entries.length + more }
  }
}

function Pages(props: { cursor: string | undefined; next: string | null; isSorted: boolean }) {
  const { cursor, next, isSorted } = props
  if (!cursor && !next) return null
  return (
    <nav class="row" aria-label={t('Result pages')} style={{ marginTop: '16px' }}>
      {cursor && (
        <a class="button is-small" href={withParams({ cursor: undefined })}>
          {isSorted ? t('First entries') : t('Newest entries')}
        </a>
      )}
      {next && (
        <a class="button is-small" href={withParams({ cursor: next })}>
          {isSorted ? t('More entries →') : t('Older entries →')}
        </a>
      )}
    </nav>
  )
}
