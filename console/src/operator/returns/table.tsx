import type { OperatorReturn } from '../../api/operator/returns.ts'
import { t, withElements } from '../../language/language.ts'
import { count, dateTime, humanize, money } from '../../lib/format.ts'
import { ScrollArea } from '../../parts/scroll-area.tsx'

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

/** Returns, with the steps that are possible for each. */
export function ReturnTable(
  props: Steps & {
    returns: readonly OperatorReturn[]
    names: ReadonlyMap<string, string> | undefined
  },
) {
  const { returns, names, ...steps } = props
  return (
    <ScrollArea label={t('Returns')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Requested')}</th>
            <th scope="col">{t('Order')}</th>
            <th scope="col">{t('Goods')}</th>
            <th scope="col">{t('Reason')}</th>
            <th scope="col">{t('Status')}</th>
            <th scope="col" class="number">
              {t('Total')}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {returns.map((each) => (
            <ReturnRow
              key={each.uuid}
              returned={each}
              merchant={names?.get(each.merchant_uuid) ?? t('Merchant')}
              steps={steps}
            />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function ReturnRow(props: { returned: OperatorReturn; merchant: string; steps: Steps }) {
  const { returned: each } = props
  return (
    <tr>
      <td>{dateTime(each.created_on)}</td>
      <td>
        <a href={`/operator/orders/${each.order_uuid}`}>{each.external_order_id}</a>
        <div class="small">
          <a href={`/operator/merchants/${each.merchant_uuid}`}>{props.merchant}</a>
        </div>
      </td>
      <td>
        {each.line_items.map((line) => (
          <div key={line.uuid} class="mono small">
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
      {status === 'requested' && button(t('Approve'), 'is-main', steps.onApprove)}
      {status === 'approved' && button(t('Receive'), 'is-main', steps.onReceive)}
      {isOpen && button(t('Reject'), 'is-danger', steps.onReject)}
    </div>
  )
}
