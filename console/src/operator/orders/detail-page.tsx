import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  convertMemo,
  type OperatorOrder,
  payOrder,
  readOperatorOrder,
} from '../../api/operator-orders.ts'
import { OrderView } from '../../orders/view.tsx'
import { Loading, PageProblem, ProblemNote } from '../../parts/feedback.tsx'
import { showToast } from '../../parts/toast.tsx'
import { CancelOrReturnDialog } from './cancel-or-return-dialog.tsx'
import { ShipDialog } from './ship-dialog.tsx'

type Verb = 'fulfil' | 'cancel' | 'return'

/** One order with what an operator can do to it. */
export function OperatorOrderPage({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readOperatorOrder(uuid, signal))
  const [verb, setVerb] = useState<Verb>()
  const action = useAction()
  const done = (text: string) => {
    setVerb(undefined)
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
  const isOpen = order.order_status === null
  const canShip = isOpen && order.open_quantity > 0
  const isMemo = order.order_type === 'memo'
  const tools = (
    <>
      {canShip && (
        <button type="button" class="button is-main" onClick={() => setVerb('fulfil')}>
          Ship
        </button>
      )}
      {isOpen && order.payment_status !== 'paid' && !isMemo && (
        <button
          type="button"
          class="button"
          disabled={action.busy}
          onClick={() => run(() => payOrder(uuid), 'The payment is recorded.')}
        >
          Record payment
        </button>
      )}
      {isOpen && isMemo && (
        <button
          type="button"
          class="button"
          disabled={action.busy}
          onClick={() => run(() => convertMemo(uuid), 'The memo is an invoice now.')}
        >
          Turn into invoice
        </button>
      )}
      {isOpen && isMemo && (
        <button type="button" class="button" onClick={() => setVerb('return')}>
          Return
        </button>
      )}
      {canShip && (
        <button type="button" class="button is-danger" onClick={() => setVerb('cancel')}>
          Cancel
        </button>
      )}
    </>
  )
  return (
    <>
      <ProblemNote problem={action.problem} />
      <OrderView order={order} tools={tools} />
      {verb === 'fulfil' && (
        <ShipDialog
          order={order}
          onClose={() => setVerb(undefined)}
          onDone={() => done('It is on its way.')}
        />
      )}
      {(verb === 'cancel' || verb === 'return') && (
        <CancelOrReturnDialog
          order={order}
          verb={verb}
          onClose={() => setVerb(undefined)}
          onDone={() => done(verb === 'cancel' ? 'Cancelled.' : 'Back in stock.')}
        />
      )}
    </>
  )
}
