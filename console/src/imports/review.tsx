import type { ImportReport } from '../api/imports.ts'
import { count } from '../lib/format.ts'
import { Spinner } from '../parts/feedback.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { ColumnTable, type Mapping } from './column-table.tsx'
import { DiffTables } from './diff-tables.tsx'
import type { Sample } from './file-sample.ts'
import { RejectionTable } from './report.tsx'

/** The result of the check: what importing the file would change. */
export function ImportReview(props: {
  report: ImportReport
  sample: Sample | undefined
  mapping: Mapping
  busy: boolean
  onMapping: (mapping: Mapping) => void
  onRecheck: () => void
  onImport: () => void
}) {
  const { report, sample, mapping, busy } = props
  const isChanged = Object.keys(mapping).length > 0
  return (
    <div class="stack">
      <Figures report={report} />
      {sample && <SampleTable sample={sample} />}
      <ColumnTable columns={report.columns} mapping={mapping} onMapping={props.onMapping} />
      {report.diff && <DiffTables diff={report.diff} />}
      <RejectionTable rejections={report.rejections} />
      <div class="row">
        <button type="button" class="button is-main" disabled={busy} onClick={props.onImport}>
          {busy && <Spinner />} Import
        </button>
        <button
          type="button"
          class="button"
          disabled={busy || !isChanged}
          onClick={props.onRecheck}
        >
          Check again with your mapping
        </button>
        <span class="muted small">Nothing has been changed yet.</span>
      </div>
    </div>
  )
}

function Figures({ report }: { report: ImportReport }) {
  const figures: [string, number][] = [
    ['Rows', report.rows],
    ['New', report.added],
    ['Changed', report.changed],
    ['Unchanged', report.unchanged],
    ['Removed', report.removed],
    ['Rejected', report.rejected],
    ['Quarantined (of the rejected)', report.quarantined],
  ]
  return (
    <dl class="tiles" style={{ marginBottom: 0 }}>
      {figures.map(([label, value]) => (
        <div key={label} class="tile">
          <dt>{label}</dt>
          <dd>{count(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function SampleTable({ sample }: { sample: Sample }) {
  return (
    <details open>
      <summary>First rows of the file</summary>
      <ScrollArea class="wide-scroll small" label="First rows of the file">
        <table>
          <thead>
            <tr>
              {sample.header.map((name, index) => (
                <th key={index} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sample.rows.map((row, index) => (
              <tr key={index}>
                {sample.header.map((_, cell) => (
                  <td key={cell}>{row[cell]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </details>
  )
}
