import { useAction, useRead } from '../../api/hooks.ts'
import { readJewelryImport, undoJewelryImport } from '../../api/imports.ts'
import { t } from '../../language/language.ts'
import { dateTime, humanize } from '../../lib/format.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { showToast } from '../../parts/toast.tsx'
import { ImportStatus } from '../report.tsx'
import { jewelryStatus } from './list-page.tsx'
import { JewelryReportView } from './report.tsx'

/** One import of jewelry, which can be undone while it is the supplier's last one. */
export function JewelryImportPage({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readJewelryImport(uuid, signal))
  const action = useAction()
  const record = reading.value
  const undo = () =>
    action.run(async () => {
      const title = t('Undo this import?')
      const text = t('Pieces that it added leave the market, and what it changed is as it was.')
      if (!(await confirmed({ title, text, action: t('Undo'), isDanger: true }))) return
      await undoJewelryImport(uuid)
      showToast(t('The import has been undone.'))
      reading.reload()
    })
  return (
    <>
      <div class="page-head">
        <h1>{record?.file_name || t('Import')}</h1>
        {record && <ImportStatus status={jewelryStatus(record)} />}
        {record && jewelryStatus(record) === 'done' && (
          <div class="page-tools">
            <button
              type="button"
              class="button is-danger"
              disabled={action.busy}
              onClick={() => void undo()}
            >
              {t('Undo import')}
            </button>
          </div>
        )}
        {record && (
          <p class="page-lead">
            {record.supplier} · {humanize(record.mode)} · {dateTime(record.created_on)}
          </p>
        )}
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} />
      {!record && !reading.problem && <Loading />}
      {record && (
        <section class="panel stack" aria-label={t('Report')}>
          {record.failure && (
            <p class="note is-bad" lang="en">
              {record.failure}
            </p>
          )}
          <JewelryReportView report={record} />
        </section>
      )}
    </>
  )
}
