import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  convertMemo,
  fulfillOrder,
  type OperatorOrder,
  payOrder,
  readOperatorOrder,
} from '../../api/operator-orders.ts'
import { money } from '../../lib/format.ts'
import { ShipDialog } from '../../orders/ship-dialog.tsx'
import { OrderView } from '../../orders/view.tsx'
import { confirmed } from '../../parts/confirm.tsx'
import { Loading, PageProblem, ProblemNote } from '../../parts/feedback.tsx'
import { showToast } from '../../parts/toast.tsx'
import { CancelOrReturnDialog } from './cancel-or-return-dialog.tsx'

type DialogName = 'ship' | 'cancel' | 'return'

/** One order, with everything an operator can do to it. */
export function OperatorOrderPage({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readOperatorOrder(uuid, signal))
  const [dialog, setDialog] = useState<DialogName>()
  const action = useAction()
  const done = (text: string) => {
    setDialog(undefined)
    showToast(text)
    reading.reload()
  }
  const run = (work: () => Promise<OperatorOrder>, text: string) =>
    void action.run(async () => {
      await work()
      done(text)
    })
  const order = reading.value
  if (!order) {
    if (!reading.problem) return <Loading rows={4} height={90} />
    return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  }
  const close = () => setDialog(undefined)
  const tools = <OrderTools order={order} busy={action.busy} onDialog={setDialog} run={run} />
  return (
    <>
      <ProblemNote problem={action.problem} />
      <OrderView order={order} documents={order.documents} tools={tools} />
      {dialog === 'ship' && (
        <ShipDialog
          lines={order.line_items.filter(({ sku }) => sku !== '')}
          ship={(fulfillment) => fulfillOrder(uuid, fulfillment)}
          onClose={close}
          onDone={() => done('The shipment is recorded.')}
        />
      )}
      {(dialog === 'cancel' || dialog === 'return') && (
        <CancelOrReturnDialog
          order={order}
          verb={dialog}
          onClose={close}
          onDone={() => done(dialog === 'cancel' ? 'Cancelled.' : 'The return is recorded.')}
        />
      )}
    </>
  )
}

function ask(title: string, text: string, action: string, next: () => void): void {
  void confirmed({ title, text, action }).then((yes) => yes && next())
}

/** The buttons that make sense in the order's present state. */
function OrderTools(props: {
  order: OperatorOrder
  busy: boolean
  onDialog: (dialog: DialogName) => void
  run: (work: () => Promise<OperatorOrder>, text: string) => void
}) {
  const { order, busy, onDialog, run } = props
  if (order.order_status !== null) return null
  const { uuid } = order
  const canShip = order.open_quantity > 0
  const isMemo = order.order_type === 'memo'
  const button = (label: string, kind: string, onClick: () => void) => (
    <button type="button" class={`button ${kind}`} disabled={busy} onClick={onClick}>
      {label}
    </button>
  )
  return (
    <>
      {canShip && button('Ship', 'is-main', () => onDialog('ship'))}
      {order.payment_status !== 'paid' &&
        !isMemo &&
        button('Record payment', '', () =>
          ask(
            `Record that ${money(order.balance, 'USD')} was paid?`,
            'The whole balance counts as received today. This cannot be taken back.',
            'Record payment',
            () => run(() => payOrder(uuid), 'The payment is recorded.'),
          ),
        )}
      {isMemo &&
        button('Convert to invoice', '', () =>
          ask(
            'Convert this memo to an invoice?',
            'The merchant has bought what it holds, and owes its price. This cannot be taken back.',
            'Convert',
            () => run(() => convertMemo(uuid), 'The memo is now an invoice.'),
          ),
        )}
      {isMemo && button('Record return', '', () => onDialog('return'))}
      {canShip && button('Cancel order', 'is-danger', () => onDialog('cancel'))}
    </>
  )
}
