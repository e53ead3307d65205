import { useState } from 'preact/hooks'
import { useRead } from '../../api/hooks.ts'
import { listSuppliers } from '../../api/imports.ts'
import {
  listSupplierFigures,
  type Supplier,
  type SupplierFigures,
} from '../../api/operator/suppliers.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { count, countryName, fromNow, percent, plural } from '../../lib/format.ts'
import { go, useLocation, withParams } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox } from '../../parts/fields.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import {
  SelectAll,
  SelectedNote,
  type Selection,
  SelectRow,
  useSelection,
} from '../../parts/table/selection.tsx'
import { SortHead, useSorted } from '../../parts/table/sort.tsx'
import { AddSupplierDialog } from './add-dialog.tsx'

type Row = Supplier & SupplierFigures

const COLUMNS: readonly (readonly [string, (row: Row) => Cell])[] = [
  [t('Supplier'), ({ name }) => name],
  [t('Country'), ({ country_code }) => country_code],
  [t('For sale'), ({ stones }) => stones],
  [t('Last import'), ({ synced_on }) => synced_on],
  [t('Open order lines'), ({ open_lines }) => open_lines],
  [t('Lines without an answer'), ({ unconfirmed_lines }) => unconfirmed_lines],
  [t('Markup'), ({ markup }) => markup],
  [t('Markup, US'), ({ markup_us }) => markup_us],
]

/** All suppliers: what each sells, whether its files come, and what waits for it. */
export function SuppliersPage() {
  const { params } = useLocation()
  const [isAdding, setAdding] = useState(false)
  const reading = useRead('suppliers', readRows)
  const typed = (params.get('q') ?? '').trim().toLowerCase()
  const onlyUrgent = params.get('attention') === 'yes'
  const found = reading.value?.filter(
    (row) => row.name.toLowerCase().includes(typed) && (!onlyUrgent || needsAttention(row)),
  )
  const rows = useSorted(found ?? [], VALUES)
  const selection = useSelection(`${typed} ${onlyUrgent}`, rows, ({ uuid }) => uuid)
  return (
    <>
      <div class="page-head">
        <h1>{t('Suppliers')}</h1>
        {found && <span class="muted">{plural(rows.length, 'supplier')}</span>}
        <div class="page-tools">
          <Checkbox
            checked={onlyUrgent}
            onChange={(on) => go(withParams({ attention: on ? 'yes' : undefined }))}
          >
            {t('Only those that need attention')}
          </Checkbox>
          <ExportButton
            name={t('suppliers.csv')}
            columns={COLUMNS}
            read={async () => ({ rows, total: rows.length })}
            selected={selection.rows}
          />
          {mayDo('inventory') && (
            <button type="button" class="button is-main" onClick={() => setAdding(true)}>
              {t('Add supplier')}
            </button>
          )}
        </div>
      </div>
      <NameFilter />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!found && !reading.problem && <Loading />}
      {found?.length === 0 && <Empty title={t('No suppliers found')} />}
      <SelectedNote selection={selection} />
      {rows.length > 0 && <SupplierTable rows={rows} selection={selection} />}
      {isAdding && <AddSupplierDialog onClose={() => setAdding(false)} />}
    </>
  )
}

async function readRows(signal: AbortSignal): Promise<Row[]> {
  const [settings, figures] = await Promise.all([
    listSuppliers(signal),
    listSupplierFigures(signal),
  ])
  const byUuid = new Map(figures.map((each) => [each.uuid, each]))
  return settings.flatMap((supplier) => {
    const found = byUuid.get(supplier.uuid)
    return found ? [{ ...supplier, ...found }] : []
  })
}

function needsAttention({ fresh, synced_on, failing_sources, unconfirmed_lines }: Row): boolean {
  return (!fresh && synced_on !== null) || failing_sources > 0 || unconfirmed_lines > 0
}

/** The list is complete, so that typing filters it at once. */
function NameFilter() {
  const { params } = useLocation()
  const label = t('Filter by name')
  return (
    <label class="field panel" style={{ marginBottom: '16px' }}>
      <span class="visually-hidden">{label}</span>
      <input
        class="input"
        type="search"
        placeholder={label}
        value={params.get('q') ?? ''}
        onInput={(event) =>
          go(withParams({ q: event.currentTarget.value || undefined }), { replace: true })
        }
      />
    </label>
  )
}

const VALUES = {
  name: ({ name }: Row) => name,
  stones: ({ stones }: Row) => stones,
  synced_on: ({ synced_on }: Row) => synced_on,
  sources: ({ sources, failing_sources }: Row) => (failing_sources > 0 ? -1 : sources),
  lines: ({ open_lines }: Row) => open_lines,
  markup: ({ markup }: Row) => markup,
  markup_us: ({ markup_us }: Row) => markup_us,
}

function SupplierTable(props: { rows: readonly Row[]; selection: Selection<Row> }) {
  const { rows } = props
  return (
    <ScrollArea label={t('Suppliers')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={props.selection} rows={rows} />
            <SortHead by="name">{t('Supplier')}</SortHead>
            <SortHead by="stones" first="desc" class="number">
              {t('For sale')}
            </SortHead>
            <SortHead by="synced_on">{t('Last import')}</SortHead>
            <SortHead by="sources">{t('Feeds')}</SortHead>
            <SortHead by="lines" first="desc">
              {t('Open order lines')}
            </SortHead>
            <SortHead by="markup" first="desc" class="number">
              {t('Markup')}
            </SortHead>
            <SortHead by="markup_us" first="desc" class="number">
              {t('Markup, US')}
            </SortHead>
            <th scope="col">{t('Agreed')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <SupplierRow key={row.uuid} row={row} selection={props.selection} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function SupplierRow({ row, selection }: { row: Row; selection: Selection<Row> }) {
  return (
    <tr>
      <SelectRow selection={selection} row={row} name={row.name} />
      <td>
        <a href={`/operator/suppliers/${row.uuid}`}>{row.name}</a>
        {row.country_code && <div class="muted small">{countryName(row.country_code)}</div>}
      </td>
      <td class="number">
        {row.stones > 0 ? (
          <a href={`/operator/stock?supplier=${encodeURIComponent(row.name)}`}>
            {count(row.stones)}
          </a>
        ) : (
          count(0)
        )}
      </td>
      <td>
        <Freshness row={row} />
      </td>
      <td>
        <FeedHealth row={row} />
      </td>
      <td>
        {count(row.open_lines)}{' '}
        {row.unconfirmed_lines > 0 && (
          <span class="tag is-warn">
            {t('{count} without an answer', { count: count(row.unconfirmed_lines) })}
          </span>
        )}
      </td>
      <td class="number">{percent(row.markup, 2)}</td>
      <td class="number">{percent(row.markup_us, 2)}</td>
      <td>
        <span class="row">
          {row.confirms && <span class="tag">{t('confirms')}</span>}
          {row.ships && <span class="tag">{t('ships')}</span>}
          {row.memo && <span class="tag">{t('memo')}</span>}
        </span>
      </td>
    </tr>
  )
}

function Freshness({ row: { synced_on, fresh } }: { row: Row }) {
  if (synced_on === null) return <span class="muted">{t('never')}</span>
  return (
    <span class={fresh ? 'tag is-good' : 'tag is-bad'}>
      {fresh ? fromNow(synced_on) : t('stale: {time}', { time: fromNow(synced_on) })}
    </span>
  )
}

function FeedHealth({ row: { sources, failing_sources, paused_sources } }: { row: Row }) {
  if (sources === 0) return <span class="muted">{t('no source')}</span>
  if (failing_sources > 0) return <span class="tag is-bad">{t('failing')}</span>
  if (paused_sources === sources) return <span class="tag is-warn">{t('paused')}</span>
  return <span class="tag is-good">{t('in order')}</span>
}
