import type { OperatorReturn } from '../../api/operator/returns.ts'
import { mayDo } from '../../api/session-store.ts'
import { t, withElements } from '../../language/language.ts'
import { count, dateTime, humanize, money } from '../../lib/format.ts'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { SelectAll, type Selection, SelectRow } from '../../parts/table/selection.tsx'
import { SortHead } from '../../parts/table/sort.tsx'

interface Steps {
  busy: boolean
  onApprove: (returned: OperatorReturn) => void
  onReject: (returned: OperatorReturn) => void
  onReceive: (returned: OperatorReturn) => void
}

const KINDS: Record<OperatorReturn['status'], string> = {
  requested: 'is-warn',
  approved: 'is-accent',
  received: 'is-good',
  rejected: 'is-bad',
}

/** What returns can be sorted by, in the names of the interface. */
export const RETURN_SORTS = [
  'created_on',
  'external_order_id',
  'merchant_legal_dba',
  'reason',
  'status',
  'total',
] as const

/** Returns, with the steps that are possible for each. */
export function ReturnTable(
  props: Steps & {
    returns: readonly OperatorReturn[]
    names: ReadonlyMap<string, string> | undefined
    selection: Selection<OperatorReturn>
  },
) {
  const { returns, names, selection, ...steps } = props
  return (
    <ScrollArea label={t('Returns')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={returns} />
            <SortHead by="created_on">{t('Requested')}</SortHead>
            <SortHead by="external_order_id">{t('Order')}</SortHead>
            <SortHead by="merchant_legal_dba">{t('Merchant')}</SortHead>
            <th scope="col">{t('Goods')}</th>
            <SortHead by="reason">{t('Reason')}</SortHead>
            <SortHead by="status">{t('Status')}</SortHead>
            <SortHead by="total" first="desc" class="number">
              {t('Total')}
            </SortHead>
            <td />
          </tr>
        </thead>
        <tbody>
          {returns.map((each) => (
            <ReturnRow
              key={each.uuid}
              returned={each}
              merchant={names?.get(each.merchant_uuid) ?? t('Merchant')}
              selection={selection}
              steps={steps}
            />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function ReturnRow(props: {
  returned: OperatorReturn
  merchant: string
  selection: Selection<OperatorReturn>
  steps: Steps
}) {
  const { returned: each } = props
  return (
    <tr>
      <SelectRow selection={props.selection} row={each} name={each.external_order_id} />
      <td>{dateTime(each.created_on)}</td>
      <td>
        <a href={`/operator/orders/${each.order_uuid}`}>{each.external_order_id}</a>
      </td>
      <td>
        <a href={`/operator/merchants/${each.merchant_uuid}`}>{props.merchant}</a>
      </td>
      <td>
        {each.line_items.map((line) => (
          <div key={line.uuid} class="mono small number">
            {line.quantity > 1 && `${count(line.quantity)} × `}
            {line.sku}
          </div>
        ))}
      </td>
      <td>
        <span lang="">{each.reason}</span>
        {each.reject_reason && (
          <div class="small is-gone">
            {withElements('Rejected: {reason}', {
              reason: (
                <span key="reason" lang="">
                  {each.reject_reason}
                </span>
              ),
            })}
          </div>
        )}
      </td>
      <td>
        <span class={`tag ${KINDS[each.status]}`}>{humanize(each.status)}</span>
      </td>
      <td class="number">{money(each.total, each.currency_code)}</td>
      <td>
        <StepButtons returned={each} {...props.steps} />
      </td>
    </tr>
  )
}

function StepButtons({ returned, busy, ...steps }: Steps & { returned: OperatorReturn }) {
  const { status, external_order_id } = returned
  if (!mayDo('orders:write')) return null
  const button = (label: string, kind: string, start: (returned: OperatorReturn) => void) => (
    <button
      type="button"
      class={`button is-small ${kind}`}
      disabled={busy}
      onClick={() => start(returned)}
    >
      {label}
      <span class="visually-hidden"> – {external_order_id}</span>
    </button>
  )
  const isOpen = status === 'requested' || status === 'approved'
  return (
    <div class="row">
      {status === 'requested' && button(t('Approve'), '', steps.onApprove)}
      {status === 'approved' && button(t('Receive'), '', steps.onReceive)}
      {isOpen && button(t('Reject'), 'is-danger', steps.onReject)}
    </div>
  )
}
