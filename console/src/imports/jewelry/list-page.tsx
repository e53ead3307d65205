import { useRead } from '../../api/hooks.ts'
import { type JewelryImport, listJewelryImports } from '../../api/imports.ts'
import { t } from '../../language/language.ts'
import { count, fromNow, plural } from '../../lib/format.ts'
import { useOffset } from '../../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { ImportsHead } from '../head.tsx'
import { ImportStatus } from '../report.tsx'
import { JewelryUpload } from './upload.tsx'

const LIMIT = 25

/** Uploads a file of jewelry, and lists the imports of jewelry so far. */
export function JewelryImportsPage() {
  const offset = useOffset()
  const reading = useRead(String(offset), (signal) =>
    listJewelryImports({ limit: LIMIT, offset }, signal),
  )
  const total = reading.value?.total ?? 0
  return (
    <>
      <ImportsHead title={t('Jewelry imports')} />
      <JewelryUpload onDone={reading.reload} />
      <section class="stack" style={{ marginTop: '28px' }} aria-labelledby="history">
        <div class="row">
          <h2 id="history">{t('History')}</h2>
          {reading.value && <span class="muted">{plural(total, 'import')}</span>}
        </div>
        <ProblemNote problem={reading.problem} onRetry={reading.reload} />
        {!reading.value && !reading.problem && <Loading />}
        {reading.value && total === 0 && <Empty title={t('No imports yet')} />}
        {reading.value && total > 0 && <JewelryTable imports={reading.value.imports} />}
        <Pager total={total} limit={LIMIT} offset={offset} />
      </section>
    </>
  )
}

/** An import of jewelry is one transaction: it is done, has failed, or was undone. */
export function jewelryStatus({ failure, undone_on }: JewelryImport) {
  if (failure !== null) return 'failed'
  return undone_on === null ? 'done' : 'undone'
}

function JewelryTable({ imports }: { imports: JewelryImport[] }) {
  return (
    <ScrollArea label={t('Import history')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('File')}</th>
            <th scope="col">{t('Supplier')}</th>
            <th scope="col">{t('Catalogue')}</th>
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
                <a href={`/operator/imports/jewelry/${record.uuid}`}>
                  {record.file_name || t('Unnamed file')}
                </a>
              </td>
              <td>{record.supplier}</td>
              <td>{record.catalogue || '–'}</td>
              <td>{fromNow(record.created_on)}</td>
              <td>
                <ImportStatus status={jewelryStatus(record)} />
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
