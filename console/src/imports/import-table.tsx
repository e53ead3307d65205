import { type ImportRecord, importSide } from '../api/imports.ts'
import { t } from '../language/language.ts'
import { count, dateTime, fromNow } from '../lib/format.ts'
import type { Cell } from '../lib/workbook.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { SelectAll, type Selection, SelectRow } from '../parts/table/selection.tsx'
import { SortHead } from '../parts/table/sort.tsx'
import { ImportStatus } from './report.tsx'

/** Columns with numbers, by their names in the interface. */
const COUNTS = [
  ['added', t('New')],
  ['changed', t('Changed')],
  ['removed', t('Removed')],
  ['rejected', t('Rejected')],
] as const
/** What the list can be sorted by, in the names of the interface. */
export const IMPORT_SORTS = [
  'file_name',
  'supplier',
  'started_on',
  'status',
  'added',
  'changed',
  'removed',
  'rejected',
] as const

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

/** Imports of stones, of all suppliers or of one. */
export function ImportTable(props: {
  imports: readonly ImportRecord[]
  showSupplier: boolean
  selection: Selection<ImportRecord>
}) {
  const { imports, showSupplier, selection } = props
  const side = importSide()
  return (
    <ScrollArea label={t('Import history')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={imports} />
            <SortHead by="file_name">{t('File')}</SortHead>
            {showSupplier && <SortHead by="supplier">{t('Supplier')}</SortHead>}
            <SortHead by="started_on">{t('Started')}</SortHead>
            <SortHead by="status">{t('Status')}</SortHead>
            {COUNTS.map(([name, label]) => (
              <SortHead key={name} by={name} first="desc" class="number">
                {label}
              </SortHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {imports.map((record) => (
            <tr key={record.uuid}>
              <SelectRow selection={selection} row={record} name={nameOf(record)} />
              <td>
                <a href={`/${side}/imports/${record.uuid}`}>{nameOf(record)}</a>
              </td>
              {showSupplier && <td>{record.supplier}</td>}
              <td title={dateTime(record.started_on)}>{fromNow(record.started_on)}</td>
              <td>
                <ImportStatus status={record.status} />
              </td>
              {COUNTS.map(([name]) => (
                <td key={name} class="number">
                  {count(record[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function nameOf({ file_name }: ImportRecord): string {
  return file_name || t('Unnamed file')
}
