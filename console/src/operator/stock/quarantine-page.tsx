import { useAction, useRead } from '../../api/hooks.ts'
import { dismissRow, listQuarantine, type QuarantinedRow, releaseRow } from '../../api/stock.ts'
import { ReasonText } from '../../imports/reason-text.tsx'
import { t, tIn } from '../../language/language.ts'
import { plural } from '../../lib/format.ts'
import { useLocation, useOffset } from '../../lib/router.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { showToast } from '../../parts/toast.tsx'
import { ReviewHead } from './review-tabs.tsx'

const LIMIT = 50

/** Rows of feeds whose price is so far off that a person must decide. */
export function QuarantinePage() {
  const offset = useOffset()
  const supplier = useLocation().params.get('supplier') || undefined
  const query = { supplier, limit: LIMIT, offset }
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
  return (
    <>
      <ReviewHead
        lead={t("Rows of each supplier's last import whose price is far too high or far too low.")}
      />
      <ProblemNote problem={action.problem} />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && <Empty title={t('No rows in quarantine')} />}
      {reading.value && total > 0 && (
        <>
          <p class="muted">{plural(total, 'row')}</p>
          <QuarantineTable
            rows={reading.value.rows}
            busy={action.busy}
            onDecide={(row, isRelease) => void decide(row, isRelease)}
          />
        </>
      )}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
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
  rows: QuarantinedRow[]
  busy: boolean
  onDecide: (row: QuarantinedRow, isRelease: boolean) => void
}) {
  return (
    <ScrollArea label={t('Quarantine')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Supplier')}</th>
            <th scope="col">{t('Row')}</th>
            <th scope="col">{t('Stone')}</th>
            <th scope="col">{t('Value')}</th>
            <th scope="col">{t('Reason')}</th>
            <th scope="col">{t('Decision')}</th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={row.uuid}>
              <td>
                <a href={`/operator/imports/${row.import_uuid}`}>{row.supplier}</a>
              </td>
              <td>{row.row}</td>
              <td class="mono">{row.vendor_sku ?? '–'}</td>
              <td>
                <span class="mono">{row.column}</span>: {row.value}
              </td>
              <td>
                <ReasonText text={row.reason} />
              </td>
              <td>
                <DecisionButtons row={row} busy={props.busy} onDecide={props.onDecide} />
              </td>
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
