import { useAction, useRead } from '../api/hooks.ts'
import { readImport, undoImport } from '../api/imports.ts'
import { count, dateTime } from '../lib/format.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { showToast } from '../parts/toast.tsx'
import { ColumnTable } from './column-table.tsx'
import { ImportStatus, RejectionTable } from './report.tsx'

const FIGURES = [
  ['rows', 'Rows'],
  ['added', 'New'],
  ['changed', 'Changed'],
  ['unchanged', 'Unchanged'],
  ['removed', 'Removed'],
  ['rejected', 'Rejected'],
] as const

/** One import: its figures, columns and rejected rows. A finished import can be undone. */
export function ImportPage({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readImport(uuid, signal))
  const action = useAction()
  const record = reading.value
  const undo = () =>
    action.run(async () => {
      const title = 'Undo this import?'
      const text =
        'Stones that it added leave the market, and what it changed or removed is as it was. ' +
        'Stones that were ordered meanwhile stay ordered.'
      if (!(await confirmed({ title, text, action: 'Undo', isDanger: true }))) return
      await undoImport(uuid)
      showToast('The import has been undone.')
      reading.reload()
    })
  return (
    <>
      <div class="page-head">
        <h1>{record ? record.file_name || 'Import' : 'Import'}</h1>
        {record && <ImportStatus status={record.status} />}
        {record?.status === 'done' && (
          <div class="page-tools">
            <button
              type="button"
              class="button is-danger"
              disabled={action.busy}
              onClick={() => void undo()}
            >
              Undo import
            </button>
          </div>
        )}
        {record && (
          <p class="page-lead">
            {record.supplier}, {record.mode}, {dateTime(record.started_on)}
          </p>
        )}
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} />
      {!record && !reading.problem && <Loading />}
      {record && (
        <section class="panel stack" aria-label="Report">
          {record.failure && <p class="note is-bad">{record.failure}</p>}
          <dl class="facts">
            {FIGURES.map(([name, label]) => (
              <div key={name}>
                <dt>{label}</dt>
                <dd>{count(record[name])}</dd>
              </div>
            ))}
          </dl>
          <RejectionTable rejections={record.rejections} />
          <ColumnTable columns={record.columns} />
        </section>
      )}
    </>
  )
}
