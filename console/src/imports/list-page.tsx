import { useState } from 'preact/hooks'
import { importSide } from '../api/imports.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { useLocation } from '../lib/router.ts'
import { SupplierFilter } from '../operator/stock/supplier-filter.tsx'
import { ImportsHead } from './head.tsx'
import { ImportHistory } from './history.tsx'
import { IMPORT_COLUMNS, IMPORT_STATUSES, ImportTable, useImports } from './import-table.tsx'
import { ImportUpload } from './upload.tsx'

/** Uploads a file, and lists the imports so far: of all suppliers, or the supplier's own. */
export function ImportsPage() {
  const isOperator = importSide() === 'operator'
  const chosen = useLocation().params.get('supplier') || undefined
  const [uploads, setUploads] = useState(0)
  const list = useImports(isOperator ? chosen : undefined, String(uploads))
  return (
    <>
      <ImportsHead title={t('Imports')} />
      {mayDo('inventory') && <ImportUpload onDone={() => setUploads((before) => before + 1)} />}
      <ImportHistory
        list={list}
        columns={IMPORT_COLUMNS}
        statuses={IMPORT_STATUSES}
        // The first file of a supplier adds it to the list of suppliers.
        filters={isOperator && <SupplierFilter key={uploads} />}
      >
        <ImportTable list={list} showSupplier={isOperator} />
      </ImportHistory>
    </>
  )
}
