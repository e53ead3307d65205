import type { ComponentChildren } from 'preact'
import { useAction, useRead } from '../api/hooks.ts'
import type { ImportRecord } from '../api/imports.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { dateTime, humanize } from '../lib/format.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { showToast } from '../parts/toast.tsx'
import { ImportStatus } from './report.tsx'

interface Recorded {
  file_name: string
  supplier: string
  mode: string
  failure: string | null
}

/** One import of stones or of jewelry: what became of the file. A finished one can be undone. */
export function RecordedImport<Row extends Recorded>(props: {
  uuid: string
  read: (uuid: string, signal: AbortSignal) => Promise<Row>
  undo: (uuid: string) => Promise<unknown>
  /** What undoing does, in sentences. */
  undoText: string
  statusOf: (record: Row) => ImportRecord['status']
  startedOn: (record: Row) => string
  report: (record: Row) => ComponentChildren
}) {
  const { uuid } = props
  const reading = useRead(uuid, (signal) => props.read(uuid, signal))
  const action = useAction()
  const record = reading.value
  const undo = () =>
    action.run(async () => {
      const title = t('Undo this import?')
      const question = { title, text: props.undoText, action: t('Undo'), isDanger: true }
      if (!(await confirmed(question))) return
      await props.undo(uuid)
      showToast(t('The import has been undone.'))
      reading.reload()
    })
  const status = record && props.statusOf(record)
  return (
    <>
      <div class="page-head">
        <h1>{record?.file_name || t('Import')}</h1>
        {status && <ImportStatus status={status} />}
        {status === 'done' && mayDo('inventory') && (
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
            {record.supplier} · {humanize(record.mode)} · {dateTime(props.startedOn(record))}
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
          {props.report(record)}
        </section>
      )}
    </>
  )
}
