import { useDoing, useRead } from '../../api/hooks.ts'
import { readImport, undoImport } from '../../api/imports.ts'
import { count, moment } from '../../lib/format.ts'
import { Loading, ProblemNote } from '../../parts/notes.tsx'
import { say } from '../../parts/toast.tsx'
import { ColumnTable } from './column-table.tsx'
import { RejectionTable } from './rejection-table.tsx'
import { ImportStatus } from './status.tsx'

/** One import of the past: its figures, its columns, its rejected rows; the last can be undone. */
export function ImportPage({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readImport(uuid, signal))
  const doing = useDoing()
  const record = reading.value
  const undo = () =>
    doing.run(async () => {
      await undoImport(uuid)
      say('The import is taken back.')
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
              disabled={doing.busy}
              onClick={() => void undo()}
            >
              Take it back
            </button>
          </div>
        )}
        {record && (
          <p class="page-lead">
            {record.supplier}, {record.mode}, {moment(record.started_on)}
          </p>
        )}
      </div>
      <ProblemNote problem={doing.problem ?? reading.problem} />
      {!record && !reading.problem && <Loading />}
      {record && (
        <section class="panel stack" aria-label="Report">
          {record.failure && <p class="note is-bad">{record.failure}</p>}
          <dl class="facts">
            {(['rows', 'added', 'changed', 'unchanged', 'removed', 'rejected'] as const).map(
              (name) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{count(record[name])}</dd>
                </div>
              ),
            )}
          </dl>
          <RejectionTable rejections={record.rejections} />
          <ColumnTable columns={record.columns} />
        </section>
      )}
    </>
  )
}
