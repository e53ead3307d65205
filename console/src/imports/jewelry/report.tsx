import type { ImportColumn, JewelryReport } from '../../api/imports.ts'
import { t } from '../../language/language.ts'
import { ColumnTable, type Mapping } from '../column-table.tsx'
import { Notes } from '../notes.tsx'
import { ImportFigures, RejectionTable } from '../report.tsx'
import { JEWELRY_FIELDS } from './fields.ts'

type Reported = Omit<JewelryReport, 'dry_run'>

/** Columns of a file of jewelry, in the form that the table of columns has. */
export function columnsOf({ mapping, unmapped }: Reported): ImportColumn[] {
  const column = (name: string, field: string | null) => {
    return { column: name, field, confidence: 1, reason: '' }
  }
  return [
    ...Object.entries(mapping).map(([name, field]) => column(name, field)),
    ...unmapped.map((name) => column(name, null)),
  ]
}

/** What an import of jewelry did, or would do. */
export function JewelryReportView(props: {
  report: Reported
  mapping?: Mapping
  onMapping?: (mapping: Mapping) => void
}) {
  const { report, mapping, onMapping } = props
  return (
    <>
      <ImportFigures figures={report} />
      {report.catalogue !== '' && (
        <p>{t('Catalogue of new products: {name}', { name: report.catalogue })}</p>
      )}
      <Notes sentences={report.notes} />
      <RejectionTable rejections={report.rejections} />
      <ColumnTable
        columns={columnsOf(report)}
        jewelryFields={JEWELRY_FIELDS}
        {...(mapping && { mapping })}
        {...(onMapping && { onMapping })}
      />
    </>
  )
}
