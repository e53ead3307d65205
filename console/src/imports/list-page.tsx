import { useRead } from '../api/hooks.ts'
import { type ImportRecord, importSide, listImports } from '../api/imports.ts'
import { count, fromNow, plural } from '../lib/format.ts'
import { useOffset } from '../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Pager } from '../parts/pager.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { ImportStatus } from './report.tsx'
import { ImportUpload } from './upload.tsx'

const LIMIT = 25

/** Uploads a file, and lists the imports so far: of all suppliers, or the supplier's own. */
export function ImportsPage() {
  const offset = useOffset()
  const reading = useRead(String(offset), (signal) => listImports({ limit: LIMIT, offset }, signal))
  return (
    <>
      <div class="page-head">
        <h1>Imports</h1>
      </div>
      <ImportUpload onDone={reading.reload} />
      <section style={{ marginTop: '28px' }} aria-labelledby="history">
        <h2 id="history">
          History
          {reading.value && (
            <span class="muted small"> {plural(reading.value.total, 'import')}</span>
          )}
        </h2>
        <ProblemNote problem={reading.problem} onRetry={reading.reload} />
        {!reading.value && !reading.problem && <Loading />}
        {reading.value?.total === 0 && <Empty title="No imports yet" />}
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
    <ScrollArea label="Import history">
      <table>
        <thead>
          <tr>
            <th scope="col">File</th>
            {side === 'operator' && <th scope="col">Supplier</th>}
            <th scope="col">Started</th>
            <th scope="col">Status</th>
            <th scope="col" class="number">
              New
            </th>
            <th scope="col" class="number">
              Changed
            </th>
            <th scope="col" class="number">
              Removed
            </th>
            <th scope="col" class="number">
              Rejected
            </th>
          </tr>
        </thead>
        <tbody>
          {imports.map((record) => (
            <tr key={record.uuid}>
              <td>
                <a href={`/${side}/imports/${record.uuid}`}>{record.file_name || 'Unnamed file'}</a>
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
