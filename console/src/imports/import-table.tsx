import { type ImportRecord, importSide, listImports } from '../api/imports.ts'
import { t } from '../language/language.ts'
import { count, dateTime, fromNow } from '../lib/format.ts'
import type { Cell } from '../lib/workbook.ts'
import { ListTable, NUMBER } from '../parts/table/list-table.tsx'
import { type PagedList, usePagedList } from '../parts/table/paged-list.tsx'
import { useFileFilters } from './filters.tsx'
import { ImportStatus } from './report.tsx'

/** What the list can be sorted by, in the names of the interface. */
const HEADS = [
  ['file_name', t('File')],
  ['supplier', t('Supplier')],
  ['started_on', t('Started')],
  ['status', t('Status')],
  ['added', t('New'), NUMBER],
  ['changed', t('Changed'), NUMBER],
  ['removed', t('Removed'), NUMBER],
  ['rejected', t('Rejected'), NUMBER],
] as const
const OWN_HEADS = HEADS.filter(([by]) => by !== 'supplier')

/** What a file of imports has. */
export const IMPORT_COLUMNS: readonly (readonly [string, (record: ImportRecord) => Cell])[] = [
  [t('File'), ({ file_name }) => file_name],
  [t('Supplier'), ({ supplier }) => supplier],
  [t('Started'), ({ started_on }) => started_on],
  [t('Status'), ({ status }) => status],
  [t('Rows'), ({ rows }) => rows],
  [t('New'), ({ added }) => added],
  [t('Changed'), ({ changed }) => changed],
  [t('Removed'), ({ removed }) => removed],
  [t('Rejected'), ({ rejected }) => rejected],
]

export const IMPORT_STATUSES = [
  'done',
  'failed',
  'undone',
  'reading',
  'applying',
  'undoing',
] as const satisfies readonly ImportRecord['status'][]

/** Imports of stones, of all suppliers or of one. */
export function useImports(supplier: string | undefined, version = ''): PagedList<ImportRecord> {
  return usePagedList({
    filters: { supplier, ...useFileFilters(IMPORT_STATUSES) },
    sorts: HEADS.map(([by]) => by),
    idOf: ({ uuid }: ImportRecord) => uuid,
    version,
    read: async (query, signal) => {
      const { imports, total } = await listImports(query, signal)
      return { rows: imports, total }
    },
  })
}

export function ImportTable(props: { list: PagedList<ImportRecord>; showSupplier: boolean }) {
  const { list, showSupplier } = props
  const side = importSide()
  return (
    <ListTable
      label={t('Import history')}
      heads={showSupplier ? HEADS : OWN_HEADS}
      rows={list.rows}
      selection={list.selection}
      nameOf={nameOf}
    >
      {(record) => (
        <>
          <td>
            <a href={`/${side}/imports/${record.uuid}`}>{nameOf(record)}</a>
          </td>
          {showSupplier && <td>{record.supplier}</td>}
          <td title={dateTime(record.started_on)}>{fromNow(record.started_on)}</td>
          <td>
            <ImportStatus status={record.status} />
          </td>
          <ImportCounts record={record} />
        </>
      )}
    </ListTable>
  )
}

type Counts = Pick<ImportRecord, 'added' | 'changed' | 'removed' | 'rejected'>

/** The cells with the numbers of an import. */
export function ImportCounts({ record }: { record: Counts }) {
  return (
    <>
      <td class="number">{count(record.added)}</td>
      <td class="number">{count(record.changed)}</td>
      <td class="number">{count(record.removed)}</td>
      <td class="number">{count(record.rejected)}</td>
    </>
  )
}

/** The name of a file, which some senders leave out. */
export function nameOf({ file_name }: { file_name: string }): string {
  return file_name || t('Unnamed file')
}
