import { PAGE_ROWS_MAX } from '../../api/client.ts'
import { useAction, useRead } from '../../api/hooks.ts'
import { mayDo } from '../../api/session-store.ts'
import { dismissRow, listQuarantine, type QuarantinedRow, releaseRow } from '../../api/stock.ts'
import { ReasonText } from '../../imports/reason-text.tsx'
import { t, tIn } from '../../language/language.ts'
import { plural } from '../../lib/format.ts'
import { useLocation, useOffset } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { BulkButton } from '../../parts/table/bulk-button.tsx'
import {
  SelectAll,
  SelectedNote,
  type Selection,
  SelectRow,
  useSelection,
} from '../../parts/table/selection.tsx'
import { SortHead, sortParams, useSort } from '../../parts/table/sort.tsx'
import { showToast } from '../../parts/toast.tsx'
import { ReviewHead } from './review-tabs.tsx'

const LIMIT = 50

/** What rows can be sorted by, in the names of the interface. */
const HEADS = [
  ['supplier', t('Supplier')],
  ['row', t('Row'), 'number'],
  ['vendor_sku', t('Stone')],
  ['value', t('Value')],
  ['reason', t('Reason')],
] as const
const SORTS = HEADS.map(([by]) => by)

const COLUMNS: readonly (readonly [string, (row: QuarantinedRow) => Cell])[] = [
  [t('Supplier'), ({ supplier }) => supplier],
  [t('Row'), ({ row }) => row],
  [t('Stock number'), ({ vendor_sku }) => vendor_sku],
  [t('Column'), ({ column }) => column],
  [t('Value'), ({ value }) => value],
  [t('Reason'), ({ reason }) => reason],
]

/** Rows of feeds whose price is so far off that a person must decide. */
export function QuarantinePage() {
  const offset = useOffset()
  const supplier = useLocation().params.get('supplier') || undefined
  const search = { supplier, ...sortParams(useSort(SORTS)) }
  const query = { ...search, limit: LIMIT, offset }
  const reading = useRead(JSON.stringify(query), (signal) => listQuarantine(query, signal))
  const action = useAction()
  const decide = (row: QuarantinedRow, isRelease: boolean) =>
    action.run(async () => {
      if (!(await confirmed(questionOf(row, isRelease)))) return
      const { sku } = await (isRelease ? releaseRow : dismissRow)(row.uuid)
      const stone = nameOf(row)
      showToast(sku ? t('{stone} is on sale.', { stone }) : t('{stone} was dismissed.', { stone }))
      reading.reload()
    })
  const total = reading.value?.total ?? 0
  const rows = reading.value?.rows ?? []
  const selection = useSelection(supplier ?? '', rows, ({ uuid }) => uuid)
  return (
    <>
      <ReviewHead
        lead={t("Rows of each supplier's last import whose price is far too high or far too low.")}
      >
        <ExportButton
          name={t('quarantine.csv')}
          columns={COLUMNS}
          read={async (from) => listQuarantine({ ...search, limit: PAGE_ROWS_MAX, offset: from })}
          selected={selection.rows}
        />
      </ReviewHead>
      <ProblemNote problem={action.problem} />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && <Empty title={t('No rows in quarantine')} />}
      {reading.value && total > 0 && (
        <div class="stack">
          <p class="muted">{plural(total, 'row')}</p>
          <SelectedRows selection={selection} onDone={reading.reload} />
          <QuarantineTable
            rows={rows}
            selection={selection}
            busy={action.busy}
            onDecide={(row, isRelease) => void decide(row, isRelease)}
          />
        </div>
      )}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}

/** Decides about several at once. */
function SelectedRows(props: { selection: Selection<QuarantinedRow>; onDone: () => void }) {
  const { rows } = props.selection
  const named = { rows: plural(rows.length, 'row') }
  return (
    <SelectedNote selection={props.selection}>
      <BulkButton
        {...props}
        scope="inventory"
        rows={rows}
        label={t('Release {rows}', named)}
        text={t("They are sold as they are until the supplier's next files have other prices.")}
        step={({ uuid }) => releaseRow(uuid)}
      />
      <BulkButton
        {...props}
        scope="inventory"
        rows={rows}
        label={t('Dismiss {rows}', named)}
        text={t("They are not sold until the supplier's next files have other prices.")}
        isDanger
        step={({ uuid }) => dismissRow(uuid)}
      />
    </SelectedNote>
  )
}

function nameOf({ vendor_sku, row }: QuarantinedRow): string {
  return vendor_sku ?? t('row {row}', { row })
}

function questionOf(row: QuarantinedRow, isRelease: boolean) {
  const stone = nameOf(row)
  if (isRelease) {
    return {
      title: t('Put {stone} on sale as it is?', { stone }),
      text: t("It is sold at {value} until the supplier's next files have another price.", {
        value: row.value,
      }),
      action: tIn('quarantine', 'Release'),
    }
  }
  return {
    title: t('Dismiss {stone}?', { stone }),
    text: t("It is not sold until the supplier's next files have another price."),
    action: t('Dismiss'),
    isDanger: true,
  }
}

function QuarantineTable(props: {
  rows: readonly QuarantinedRow[]
  selection: Selection<QuarantinedRow>
  busy: boolean
  onDecide: (row: QuarantinedRow, isRelease: boolean) => void
}) {
  return (
    <ScrollArea label={t('Quarantine')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={props.selection} rows={props.rows} />
            {HEADS.map(([by, label, kind]) => (
              <SortHead key={by} by={by} {...(kind && { class: kind })}>
                {label}
              </SortHead>
            ))}
            {mayDo('inventory') && <th scope="col">{t('Decision')}</th>}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={row.uuid}>
              <SelectRow selection={props.selection} row={row} name={nameOf(row)} />
              <td>
                <a href={`/operator/imports/${row.import_uuid}`}>{row.supplier}</a>
              </td>
              <td class="number">{row.row}</td>
              <td class="mono">{row.vendor_sku ?? '–'}</td>
              <td>
                <span class="mono">{row.column}</span>: {row.value}
              </td>
              <td>
                <ReasonText text={row.reason} />
              </td>
              {mayDo('inventory') && (
                <td>
                  <DecisionButtons row={row} busy={props.busy} onDecide={props.onDecide} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function DecisionButtons(props: {
  row: QuarantinedRow
  busy: boolean
  onDecide: (row: QuarantinedRow, isRelease: boolean) => void
}) {
  const stone = nameOf(props.row)
  return (
    <div class="row">
      <button
        type="button"
        class="button is-small"
        disabled={props.busy}
        aria-label={t('Release {stone}', { stone })}
        onClick={() => props.onDecide(props.row, true)}
      >
        {tIn('quarantine', 'Release')}
      </button>
      <button
        type="button"
        class="button is-small is-danger"
        disabled={props.busy}
        aria-label={t('Dismiss {stone}', { stone })}
        onClick={() => props.onDecide(props.row, false)}
      >
        {t('Dismiss')}
      </button>
    </div>
  )
}
