import type { Supplier } from '../../api/operator/suppliers.ts'
import { IMPORT_COLUMNS, ImportTable, useImports } from '../../imports/import-table.tsx'
import { t } from '../../language/language.ts'
import { PagedExport, PagedRows } from '../../parts/table/paged-list.tsx'

/** The files of one supplier that were imported, newest first. */
export function SupplierImports({ supplier: { name } }: { supplier: Supplier }) {
  const list = useImports(name)
  const toImport = (
    <a class="button" href="/operator/imports">
      {t('Import a file')}
    </a>
  )
  return (
    <div class="stack">
      <div class="row list-tools">
        <PagedExport list={list} name={t('imports.csv')} columns={IMPORT_COLUMNS} />
      </div>
      <PagedRows list={list} empty={t('No imports yet')} whenEmpty={toImport}>
        <ImportTable list={list} showSupplier={false} />
      </PagedRows>
    </div>
  )
}
