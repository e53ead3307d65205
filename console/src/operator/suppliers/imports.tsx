import { useRead } from '../../api/hooks.ts'
import { listImports } from '../../api/imports.ts'
import type { Supplier } from '../../api/operator/suppliers.ts'
import { IMPORT_COLUMNS, IMPORT_SORTS, ImportTable } from '../../imports/import-table.tsx'
import { t } from '../../language/language.ts'
import { useOffset } from '../../lib/router.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Pager } from '../../parts/pager.tsx'
import { SelectedNote, useSelection } from '../../parts/table/selection.tsx'
import { sortParams, useSort } from '../../parts/table/sort.tsx'

const LIMIT = 25
const EXPORT_LIMIT = 500

/** The files of one supplier that were imported, newest first. */
export function SupplierImports({ supplier: { name } }: { supplier: Supplier }) {
  const offset = useOffset()
  const search = { supplier: name, ...sortParams(useSort(IMPORT_SORTS)) }
  const query = { ...search, limit: LIMIT, offset }
  const reading = useRead(JSON.stringify(query), (signal) => listImports(query, signal))
  const { value } = reading
  const { imports = [], total = 0 } = value ?? {}
  const selection = useSelection(name, imports, ({ uuid }) => uuid)
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
      {total > 0 && (
        <div class="row list-tools">
          <ExportButton
            name={t('imports.csv')}
            columns={IMPORT_COLUMNS}
            read={async (from) => {
              const page = await listImports({ ...search, limit: EXPORT_LIMIT, offset: from })
              return { rows: page.imports, total: page.total }
            }}
            selected={selection.rows}
          />
        </div>
      )}
      <SelectedNote selection={selection} />
      {total > 0 && <ImportTable imports={imports} showSupplier={false} selection={selection} />}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}
