import { useRead } from '../api/hooks.ts'
import { importSide, listImports } from '../api/imports.ts'
import { t } from '../language/language.ts'
import { plural } from '../lib/format.ts'
import { useLocation, useOffset } from '../lib/router.ts'
import { SupplierFilter } from '../operator/stock/supplier-filter.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Pager } from '../parts/pager.tsx'
import { sortParams, useSort } from '../parts/table/sort.tsx'
import { ImportsHead } from './head.tsx'
import { IMPORT_SORTS, ImportTable } from './import-table.tsx'
import { ImportUpload } from './upload.tsx'

const LIMIT = 25

/** Uploads a file, and lists the imports so far: of all suppliers, or the supplier's own. */
export function ImportsPage() {
  const offset = useOffset()
  const isOperator = importSide() === 'operator'
  const chosen = useLocation().params.get('supplier') || undefined
  const sort = sortParams(useSort(IMPORT_SORTS))
  const query = { limit: LIMIT, offset, ...sort, ...(isOperator && { supplier: chosen }) }
  const reading = useRead(JSON.stringify(query), (signal) => listImports(query, signal))
  return (
    <>
      <ImportsHead title={t('Imports')} />
      <ImportUpload onDone={reading.reload} />
      <section class="stack" style={{ marginTop: '28px' }} aria-labelledby="history">
        <div class="row">
          <h2 id="history">{t('History')}</h2>
          {reading.value && <span class="muted">{plural(reading.value.total, 'import')}</span>}
          {isOperator && <SupplierFilter key={reading.value?.total} />}
        </div>
        <ProblemNote problem={reading.problem} onRetry={reading.reload} />
        {!reading.value && !reading.problem && <Loading />}
        {reading.value?.total === 0 && <Empty title={t('No imports yet')} />}
        {reading.value && reading.value.total > 0 && (
          <ImportTable imports={reading.value.imports} showSupplier={isOperator} />
        )}
        <Pager total={reading.value?.total ?? 0} limit={LIMIT} offset={offset} />
      </section>
    </>
  )
}
