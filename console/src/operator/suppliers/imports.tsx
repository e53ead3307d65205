import { useRead } from '../../api/hooks.ts'
import { listImports } from '../../api/imports.ts'
import type { Supplier } from '../../api/operator/suppliers.ts'
import { IMPORT_SORTS, ImportTable } from '../../imports/import-table.tsx'
import { t } from '../../language/language.ts'
import { useOffset } from '../../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Pager } from '../../parts/pager.tsx'
import { sortParams, useSort } from '../../parts/table/sort.tsx'

const LIMIT = 25

/** The files of one supplier that were imported, newest first. */
export function SupplierImports({ supplier: { name } }: { supplier: Supplier }) {
  const offset = useOffset()
  const sort = sortParams(useSort(IMPORT_SORTS))
  const query = { supplier: name, ...sort, limit: LIMIT, offset }
  const reading = useRead(JSON.stringify(query), (signal) => listImports(query, signal))
  const { value } = reading
  return (
    <>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!value && !reading.problem && <Loading />}
      {value?.total === 0 && (
        <Empty title={t('No imports yet')}>
          <a class="button" href="/operator/imports">
            {t('Import a file')}
          </a>
        </Empty>
      )}
      {value && value.total > 0 && <ImportTable imports={value.imports} showSupplier={false} />}
      <Pager total={value?.total ?? 0} limit={LIMIT} offset={offset} />
    </>
  )
}
