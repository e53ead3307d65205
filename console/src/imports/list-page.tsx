import { useRead } from '../api/hooks.ts'
import { importSide, listImports } from '../api/imports.ts'
import { t } from '../language/language.ts'
import { plural } from '../lib/format.ts'
import { useLocation, useOffset } from '../lib/router.ts'
import { SupplierFilter } from '../operator/stock/supplier-filter.tsx'
import { ExportButton } from '../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Pager } from '../parts/pager.tsx'
import { SelectedNote, useSelection } from '../parts/table/selection.tsx'
import { sortParams, useSort } from '../parts/table/sort.tsx'
import { ImportsHead } from './head.tsx'
import { IMPORT_COLUMNS, IMPORT_SORTS, ImportTable } from './import-table.tsx'
import { ImportUpload } from './upload.tsx'

const LIMIT = 25
const EXPORT_LIMIT = 500

/** Uploads a file, and lists the imports so far: of all suppliers, or the supplier's own. */
export function ImportsPage() {
  const offset = useOffset()
  const isOperator = importSide() === 'operator'
  const chosen = useLocation().params.get('supplier') || undefined
  const sort = sortParams(useSort(IMPORT_SORTS))
  const search = { ...sort, ...(isOperator && { supplier: chosen }) }
  const query = { ...search, limit: LIMIT, offset }
  const reading = useRead(JSON.stringify(query), (signal) => listImports(query, signal))
  const { imports = [], total = 0 } = reading.value ?? {}
  const selection = useSelection(chosen ?? '', imports, ({ uuid }) => uuid)
  return (
    <>
      <ImportsHead title={t('Imports')} />
      <ImportUpload onDone={reading.reload} />
      <section class="stack" style={{ marginTop: '28px' }} aria-labelledby="history">
        <div class="row">
          <h2 id="history">{t('History')}</h2>
          {reading.value && <span class="muted">{plural(total, 'import')}</span>}
          {isOperator && <SupplierFilter key={reading.value?.total} />}
          {total > 0 && (
            <ExportButton
              name={t('imports.csv')}
              columns={IMPORT_COLUMNS}
              read={async (from) => {
                const page = await listImports({ ...search, limit: EXPORT_LIMIT, offset: from })
                return { rows: page.imports, total: page.total }
              }}
              selected={selection.rows}
            />
          )}
        </div>
        <ProblemNote problem={reading.problem} onRetry={reading.reload} />
        {!reading.value && !reading.problem && <Loading />}
        {reading.value?.total === 0 && <Empty title={t('No imports yet')} />}
        <SelectedNote selection={selection} />
        {total > 0 && (
          <ImportTable imports={imports} showSupplier={isOperator} selection={selection} />
        )}
        <Pager total={total} limit={LIMIT} offset={offset} />
      </section>
    </>
  )
}
