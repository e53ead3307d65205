import type { Supplier } from '../../api/operator/suppliers.ts'
import { ImportHistory } from '../../imports/history.tsx'
import {
  IMPORT_COLUMNS,
  IMPORT_STATUSES,
  ImportTable,
  useImports,
} from '../../imports/import-table.tsx'
import { t } from '../../language/language.ts'

/** The files of one supplier that were imported, newest first unless sorted otherwise. */
export function SupplierImports({ supplier: { name } }: { supplier: Supplier }) {
  const list = useImports(name)
  const toImport = (
    <a class="button" href="/operator/imports">
      {t('Import a file')}
    </a>
  )
  return (
    <ImportHistory
      list={list}
      columns={IMPORT_COLUMNS}
      statuses={IMPORT_STATUSES}
      whenEmpty={toImport}
    >
      <ImportTable list={list} showSupplier={false} />
    </ImportHistory>
  )
}
