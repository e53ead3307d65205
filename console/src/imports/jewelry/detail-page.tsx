import { readJewelryImport, undoJewelryImport } from '../../api/imports.ts'
import { t } from '../../language/language.ts'
import { RecordedImport } from '../recorded-import.tsx'
import { jewelryStatus } from './list-page.tsx'
import { JewelryReportView } from './report.tsx'

/** One import of jewelry, which can be undone while it is the supplier's last one. */
export function JewelryImportPage({ uuid }: { uuid: string }) {
  return (
    <RecordedImport
      uuid={uuid}
      read={readJewelryImport}
      undo={undoJewelryImport}
      undoText={t('Pieces that it added leave the market, and what it changed is as it was.')}
      statusOf={jewelryStatus}
      startedOn={({ created_on }) => created_on}
      report={(record) => <JewelryReportView report={record} />}
    />
  )
}
