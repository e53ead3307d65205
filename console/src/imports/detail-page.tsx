import { useAction, useRead } from '../api/hooks.ts'
import { type ImportNotes, readImport, undoImport } from '../api/imports.ts'
import { t } from '../language/language.ts'
import { dateTime, humanize } from '../lib/format.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { showToast } from '../parts/toast.tsx'
import { ColumnTable } from './column-table.tsx'
import { ImportNoteList } from './notes.tsx'
import { ImportFigures, ImportStatus, RejectionTable } from './report.tsx'

/** One import: its figures, columns and rejected rows. A finished import can be undone. */
export function ImportPage({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readImport(uuid, signal))
  const action = useAction()
  const record = reading.value
  const undo = () =>
    action.run(async () => {
      if (!(await isUndoMeant())) return
      await undoImport(uuid)
      showToast(t('The import has been undone.'))
      reading.reload()
    })
  return (
    <>
      <div class="page-head">
        <h1>{record?.file_name || t('Import')}</h1>
        {record && <ImportStatus status={record.status} />}
        {record?.status === 'done' && (
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
            {record.supplier} · {humanize(record.mode)} · {dateTime(record.started_on)}
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
          <ImportFigures figures={record} />
          <ImportNoteList notes={record.notes as Partial<ImportNotes>} />
          <RejectionTable rejections={record.rejections} />
          <ColumnTable columns={record.columns} />
        </section>
      )}
    </>
  )
}

function isUndoMeant(): Promise<boolean> {
  const gone = t('Stones that it added leave the market, and what it changed is as it was.')
  const kept = t('Stones that were ordered meanwhile stay ordered.')
  return confirmed({
    title: t('Undo this import?'),
    text: `${gone} ${kept}`,
    action: t('Undo'),
    isDanger: true,
  })
}
