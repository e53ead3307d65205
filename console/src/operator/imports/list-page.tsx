import { useRead } from '../../api/hooks.ts'
import { listImports } from '../../api/imports.ts'
import { count, fromNow, plural } from '../../lib/format.ts'
import { useLocation } from '../../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ImportStatus } from './status.tsx'
import { FileDrop } from './upload.tsx'

const LIMIT = 25

/** Suppliers' files: drop one, look at what it would do, let it in; and what came before. */
export function ImportsPage() {
  const offset = Number(useLocation().params.get('offset') ?? 0) || 0
  const reading = useRead(String(offset), (signal) => listImports({ limit: LIMIT, offset }, signal))
  return (
    <>
      <div class="page-head">
        <h1>Imports</h1>
      </div>
      <FileDrop onDone={reading.reload} />
      <section style={{ marginTop: '28px' }} aria-labelledby="history">
        <h2 id="history">
          History
          {reading.value && (
            <span class="muted small"> {plural(reading.value.total, 'import')}</span>
          )}
        </h2>
        <ProblemNote problem={reading.problem} onRetry={reading.reload} />
        {!reading.value && !reading.problem && <Loading />}
        {reading.value?.total === 0 && <Empty title="No file was imported yet" />}
        {reading.value && reading.value.total > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by key
          <section class="panel wide-scroll" tabIndex={0} aria-label="Imports so far">
            <table>
              <thead>
                <tr>
                  <th scope="col">File</th>
                  <th scope="col">Supplier</th>
                  <th scope="col">When</th>
                  <th scope="col">State</th>
                  <th scope="col" class="number">
                    New
                  </th>
                  <th scope="col" class="number">
                    Changed
                  </th>
                  <th scope="col" class="number">
                    Gone
                  </th>
                  <th scope="col" class="number">
                    Rejected
                  </th>
                </tr>
              </thead>
              <tbody>
                {reading.value.imports.map((record) => (
                  <tr key={record.uuid}>
                    <td>
                      <a href={`/operator/imports/${record.uuid}`}>
                        {record.file_name || 'a file'}
                      </a>
                    </td>
                    <td>{record.supplier}</td>
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
          </section>
        )}
        <Pager total={reading.value?.total ?? 0} limit={LIMIT} offset={offset} />
      </section>
    </>
  )
}
