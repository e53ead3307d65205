import { useRead } from '../api/hooks.ts'
import { type ImportRecord, importSide, listImports } from '../api/imports.ts'
import { t } from '../language/language.ts'
import { count, fromNow, plural } from '../lib/format.ts'
import { useLocation, useOffset } from '../lib/router.ts'
import { SupplierFilter } from '../operator/stock/supplier-filter.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Pager } from '../parts/pager.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { ImportsHead } from './head.tsx'
import { ImportStatus } from './report.tsx'
import { ImportUpload } from './upload.tsx'

const LIMIT = 25

/** Uploads a file, and lists the imports so far: of all suppliers, or the supplier's own. */
export function ImportsPage() {
  const offset = useOffset()
  const isOperator = importSide() === 'operator'
  const chosen = useLocation().params.get('supplier') || undefined
  const query = { limit: LIMIT, offset, ...(isOperator && { supplier: chosen }) }
  const reading = useRead(JSON.stringify(query), (signal) => listImports(query, signal))
  return (
    <>
      <ImportsHead title={t('Imports')} />
      <ImportUpload onDone={reading.reload} />
      <section class="stack" style={{ marginTop: '28px' }} aria-labelledby="history">
        <div class="row">
          <h2 id="history">{t('History')}</h2>
          {reading.value && <span class="muted">{plural(reading.value.total, 'import')}</span>}
          {isOperator && <SupplierFilter key={reading.value?.total} />}
        </div>
        <ProblemNote problem={reading.problem} onRetry={reading.reload} />
        {!reading.value && !reading.problem && <Loading />}
        {reading.value?.total === 0 && <Empty title={t('No imports yet')} />}
        {reading.value && reading.value.total > 0 && (
          <ImportTable imports={reading.value.imports} />
        )}
        <Pager total={reading.value?.total ?? 0} limit={LIMIT} offset={offset} />
      </section>
    </>
  )
}

function ImportTable({ imports }: { imports: ImportRecord[] }) {
  const side = importSide()
  return (
    <ScrollArea label={t('Import history')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('File')}</th>
            {side === 'operator' && <th scope="col">{t('Supplier')}</th>}
            <th scope="col">{t('Started')}</th>
            <th scope="col">{t('Status')}</th>
            {[t('New'), t('Changed'), t('Removed'), t('Rejected')].map((label) => (
              <th key={label} scope="col" class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {imports.map((record) => (
            <tr key={record.uuid}>
              <td>
                <a href={`/${side}/imports/${record.uuid}`}>
                  {record.file_name || t('Unnamed file')}
                </a>
              </td>
              {side === 'operator' && <td>{record.supplier}</td>}
              <td>{fromNow(record.started_on)}</td>
              <td>
                <ImportStatus status={record.status} />
              </td>
              <td class="number">{count(record.added)}</td>
              <td class="number">{count(record.changed)}</td>
              <td class="number">{count(record.removed)}</td>
              <td class="number">{count(record.rejected)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
