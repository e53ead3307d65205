import { useRead } from '../../api/hooks.ts'
import { type JewelryImport, listJewelryImports } from '../../api/imports.ts'
import { t } from '../../language/language.ts'
import { count, dateTime, fromNow, plural } from '../../lib/format.ts'
import { useLocation, useOffset } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { SupplierFilter } from '../../operator/stock/supplier-filter.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import {
  SelectAll,
  SelectedNote,
  type Selection,
  SelectRow,
  useSelection,
} from '../../parts/table/selection.tsx'
import { SortHead, sortParams, useSort } from '../../parts/table/sort.tsx'
import { ImportsHead } from '../head.tsx'
import { ImportStatus } from '../report.tsx'
import { JewelryUpload } from './upload.tsx'

const LIMIT = 25
const EXPORT_LIMIT = 500

/** What imports can be sorted by, in the names of the interface. */
const HEADS = [
  ['file_name', t('File')],
  ['supplier', t('Supplier')],
  ['catalogue', t('Catalogue')],
  ['created_on', t('Started')],
  ['status', t('Status')],
  ['added', t('New'), 'number'],
  ['changed', t('Changed'), 'number'],
  ['removed', t('Removed'), 'number'],
  ['rejected', t('Rejected'), 'number'],
] as const
const SORTS = HEADS.map(([by]) => by)

const COLUMNS = HEADS.map(
  ([name, label]) =>
    [
      label,
      (record: JewelryImport): Cell => (name === 'status' ? jewelryStatus(record) : record[name]),
    ] as const,
)

/** Uploads a file of jewelry, and lists the imports of jewelry so far. */
export function JewelryImportsPage() {
  const offset = useOffset()
  const supplier = useLocation().params.get('supplier') || undefined
  const search = { supplier, ...sortParams(useSort(SORTS)) }
  const query = { ...search, limit: LIMIT, offset }
  const reading = useRead(JSON.stringify(query), (signal) => listJewelryImports(query, signal))
  const total = reading.value?.total ?? 0
  const imports = reading.value?.imports ?? []
  const selection = useSelection(supplier ?? '', imports, ({ uuid }) => uuid)
  return (
    <>
      <ImportsHead title={t('Jewelry imports')} />
      <JewelryUpload onDone={reading.reload} />
      <section class="stack" style={{ marginTop: '28px' }} aria-labelledby="history">
        <div class="row">
          <h2 id="history">{t('History')}</h2>
          {reading.value && <span class="muted">{plural(total, 'import')}</span>}
          <SupplierFilter key={total} />
          {total > 0 && (
            <ExportButton
              name={t('imports.csv')}
              columns={COLUMNS}
              read={async (from) => {
                const page = { ...search, limit: EXPORT_LIMIT, offset: from }
                const found = await listJewelryImports(page)
                return { rows: found.imports, total: found.total }
              }}
              selected={selection.rows}
            />
          )}
        </div>
        <ProblemNote problem={reading.problem} onRetry={reading.reload} />
        {!reading.value && !reading.problem && <Loading />}
        {reading.value && total === 0 && <Empty title={t('No imports yet')} />}
        <SelectedNote selection={selection} />
        {total > 0 && <JewelryTable imports={imports} selection={selection} />}
        <Pager total={total} limit={LIMIT} offset={offset} />
      </section>
    </>
  )
}

/** An import of jewelry is one transaction: it is done, has failed, or was undone. */
export function jewelryStatus({ failure, undone_on }: JewelryImport) {
  if (failure !== null) return 'failed'
  return undone_on === null ? 'done' : 'undone'
}

function JewelryTable(props: {
  imports: readonly JewelryImport[]
  selection: Selection<JewelryImport>
}) {
  const { imports, selection } = props
  return (
    <ScrollArea label={t('Import history')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={imports} />
            {HEADS.map(([by, label, kind]) => (
              <SortHead key={by} by={by} {...(kind && { class: kind, first: 'desc' })}>
                {label}
              </SortHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {imports.map((record) => (
            <tr key={record.uuid}>
              <SelectRow
                selection={selection}
                row={record}
                name={record.file_name || t('Unnamed file')}
              />
              <td>
                <a href={`/operator/imports/jewelry/${record.uuid}`}>
                  {record.file_name || t('Unnamed file')}
                </a>
              </td>
              <td>{record.supplier}</td>
              <td>{record.catalogue || '–'}</td>
              <td title={dateTime(record.created_on)}>{fromNow(record.created_on)}</td>
              <td>
                <ImportStatus status={jewelryStatus(record)} />
              </td>
              <td class="number">{count(record.added)}</td>
              <td class="number">{count(record.changed)}</td>
              <td class="number">{count(record.removed)}</td>
              <td class="number">{count(record.rejected)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
