import { convertMemo, invoiceOrder, type OperatorOrder } from '../../api/operator/orders.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { possibleSteps } from './possible.ts'

export type DialogName =
  | 'confirm'
  | 'decline'
  | 'ship'
  | 'charges'
  | 'pay'
  | 'extend'
  | 'return'
  | 'cancel'

interface Tool {
  label: string
  isPossible: boolean
  isDanger?: boolean
  isDisabled?: boolean
  start: () => void
}

/** The buttons for the steps that are possible now; the first one is what comes next. */
export function OrderTools(props: {
  order: OperatorOrder
  busy: boolean
  onDialog: (dialog: DialogName) => void
  run: (work: () => Promise<OperatorOrder>, done: string) => void
}) {
  const { order, busy, onDialog, run } = props
  if (!mayDo('orders:write')) return null
  const can = possibleSteps(order)
  const opens = (dialog: DialogName) => () => onDialog(dialog)
  const tools: Tool[] = [
    { label: t('Confirm'), isPossible: can.confirm, start: opens('confirm') },
    { label: t('Ship'), isPossible: can.ship, isDisabled: can.isUnpaid, start: opens('ship') },
    { label: t('Record payment'), isPossible: can.pay, start: opens('pay') },
    {
      label: t('Convert to invoice'),
      isPossible: can.isOnMemo,
      start: () => void convert(order, run),
    },
    { label: t('Extend'), isPossible: can.isOnMemo, start: opens('extend') },
    { label: t('Record return'), isPossible: can.isOnMemo, start: opens('return') },
    { label: t('Charges'), isPossible: can.charge, start: opens('charges') },
    { label: t('Issue invoice'), isPossible: can.invoice, start: () => void invoice(order, run) },
    { label: t('Decline'), isPossible: can.decline, isDanger: true, start: opens('decline') },
    { label: t('Cancel order'), isPossible: can.cancel, isDanger: true, start: opens('cancel') },
  ]
  const possible = tools.filter(({ isPossible }) => isPossible)
  const next = possible.find(({ isDisabled, isDanger }) => !isDisabled && !isDanger)
  const kindOf = (tool: Tool) => (tool.isDanger ? 'is-danger' : tool === next ? 'is-main' : '')
  return (
    <>
      {possible.map((tool) => (
        <button
          key={tool.label}
          type="button"
          class={`button ${kindOf(tool)}`}
          disabled={busy || tool.isDisabled}
          onClick={tool.start}
        >
          {tool.label}
        </button>
      ))}
    </>
  )
}

type Run = (work: () => Promise<OperatorOrder>, done: string) => void

async function convert({ uuid }: OperatorOrder, run: Run): Promise<void> {
  const isMeant = await confirmed({
    title: t('Convert this memo to an invoice?'),
    text: t(
      'The merchant has bought what it holds, and owes its price. This cannot be taken back.',
    ),
    action: t('Convert'),
  })
  if (isMeant) run(() => convertMemo(uuid), t('The memo is now an invoice.'))
}

async function invoice({ uuid }: OperatorOrder, run: Run): Promise<void> {
  const isMeant = await confirmed({
    title: t('Issue the invoice now?'),
    text: t('It gets its number and its due date, and the charges are final.'),
    action: t('Issue invoice'),
  })
  if (isMeant) run(() => invoiceOrder(uuid), t('The invoice is issued.'))
}
