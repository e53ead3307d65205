import type { ComponentChildren } from 'preact'
import type { ImportReport } from '../api/imports.ts'
import { ColumnTable, type Mapping } from './column-table.tsx'
import { DiffTables } from './diff-tables.tsx'
import type { Sample } from './file-sample.ts'
import { ImportNoteList } from './notes.tsx'
import { ImportFigures, RejectionTable } from './report.tsx'
import { SampleTable } from './review.tsx'

/** The result of the check: what importing the file would change. */
export function ImportReview(props: {
  report: ImportReport
  sample: Sample | undefined
  mapping: Mapping
  onMapping: (mapping: Mapping) => void
  children: ComponentChildren
}) {
  const { report, sample, mapping } = props
  return (
    <div class="stack">
      <ImportFigures figures={report} />
      <ImportNoteList notes={report.notes} />
      {sample && <SampleTable sample={sample} />}
      <ColumnTable columns={report.columns} mapping={mapping} onMapping={props.onMapping} />
      {report.diff && <DiffTables diff={report.diff} />}
      <RejectionTable rejections={report.rejections} />
      {props.children}
    </div>
  )
}
