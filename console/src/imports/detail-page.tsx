import { type ImportNotes, readImport, undoImport } from '../api/imports.ts'
import { t } from '../language/language.ts'
import { ColumnTable } from './column-table.tsx'
import { ImportNoteList } from './notes.tsx'
import { RecordedImport } from './recorded-import.tsx'
import { ImportFigures, RejectionTable } from './report.tsx'

const GONE = t('Stones that it added leave the market, and what it changed is as it was.')
const KEPT = t('Stones that were ordered meanwhile stay ordered.')

/** One import of stones: its figures, columns and rejected rows. */
export function ImportPage({ uuid }: { uuid: string }) {
  return (
    <RecordedImport
      uuid={uuid}
      read={readImport}
      undo={undoImport}
      undoText={`${GONE} ${KEPT}`}
      statusOf={({ status }) => status}
      startedOn={({ started_on }) => started_on}
      report={(record) => (
        <>
          <ImportFigures figures={record} />
          <ImportNoteList notes={record.notes as Partial<ImportNotes>} />
          <RejectionTable rejections={record.rejections} />
          <ColumnTable columns={record.columns} />
        </>
      )}
    />
  )
}
