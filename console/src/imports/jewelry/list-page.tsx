import { useState } from 'preact/hooks'
import { type JewelryImport, listJewelryImports } from '../../api/imports.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { dateTime, fromNow } from '../../lib/format.ts'
import { useLocation } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { SupplierFilter } from '../../operator/stock/supplier-filter.tsx'
import { ListTable, NUMBER } from '../../parts/table/list-table.tsx'
import { type PagedList, usePagedList } from '../../parts/table/paged-list.tsx'
import { useFileFilters } from '../filters.tsx'
import { ImportsHead } from '../head.tsx'
import { ImportHistory } from '../history.tsx'
import { ImportCounts, nameOf } from '../import-table.tsx'
import { ImportStatus } from '../report.tsx'
import { JewelryUpload } from './upload.tsx'

/** What imports can be sorted by, in the names of the interface. */
const HEADS = [
  ['file_name', t('File')],
  ['supplier', t('Supplier')],
  ['catalogue', t('Catalogue')],
  ['created_on', t('Started')],
  ['status', t('Status')],
  ['added', t('New'), NUMBER],
  ['changed', t('Changed'), NUMBER],
  ['removed', t('Removed'), NUMBER],
  ['rejected', t('Rejected'), NUMBER],
] as const

const COLUMNS = HEADS.map(
  ([name, label]) =>
    [
      label,
      (record: JewelryImport): Cell => (name === 'status' ? jewelryStatus(record) : record[name]),
    ] as const,
)

/** An import of jewelry is one transaction: it is done, has failed, or was undone. */
const STATUSES = ['done', 'failed', 'undone'] as const

/** Uploads a file of jewelry, and lists the imports of jewelry so far. */
export function JewelryImportsPage() {
  const supplier = useLocation().params.get('supplier') || undefined
  const [uploads, setUploads] = useState(0)
  const list = usePagedList({
    filters: { supplier, ...useFileFilters(STATUSES) },
    sorts: HEADS.map(([by]) => by),
    idOf: ({ uuid }: JewelryImport) => uuid,
    version: String(uploads),
    read: async (query, signal) => {
      const { imports, total } = await listJewelryImports(query, signal)
      return { rows: imports, total }
    },
  })
  return (
    <>
      <ImportsHead title={t('Jewelry imports')} />
      {mayDo('inventory') && <JewelryUpload onDone={() => setUploads((before) => before + 1)} />}
      <ImportHistory
        list={list}
        columns={COLUMNS}
        statuses={STATUSES}
        filters={<SupplierFilter key={uploads} />}
      >
        <JewelryTable list={list} />
      </ImportHistory>
    </>
  )
}

export function jewelryStatus({ failure, undone_on }: JewelryImport) {
  if (failure !== null) return 'failed'
  return undone_on === null ? 'done' : 'undone'
}

function JewelryTable({ list }: { list: PagedList<JewelryImport> }) {
  return (
    <ListTable
      label={t('Import history')}
      heads={HEADS}
      rows={list.rows}
      selection={list.selection}
      nameOf={nameOf}
    >
      {(record) => (
        <>
          <td>
            <a href={`/operator/imports/jewelry/${record.uuid}`}>{nameOf(record)}</a>
          </td>
          <td>{record.supplier}</td>
          <td>{record.catalogue || '–'}</td>
          <td title={dateTime(record.created_on)}>{fromNow(record.created_on)}</td>
          <td>
            <ImportStatus status={jewelryStatus(record)} />
          </td>
          <ImportCounts record={record} />
        </>
      )}
    </ListTable>
  )
}
