import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { cancelOrder, type OperatorOrder, returnMemo } from '../../api/operator-orders.ts'
import type { LineItem } from '../../api/orders.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { allQuantities, QuantityFields, quantitiesBody } from './line-quantities.tsx'

/** Cancels what has not shipped, or takes a memo back; stock returns. */
export function CancelOrReturnDialog(props: {
  order: OperatorOrder
  verb: 'cancel' | 'return'
  onClose: () => void
  onDone: () => void
}) {
  const { order, verb, onClose, onDone } = props
  const isCancel = verb === 'cancel'
  const left = (line: LineItem) =>
    isCancel ? line.quantity - line.fulfilled_quantity : line.quantity
  const lines = order.line_items.filter((line) => line.sku !== '' && left(line) > 0)
  const [units, setUnits] = useState(allQuantities(lines, left))
  const [reason, setReason] = useState('')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const line_items = quantitiesBody(units)
      if (isCancel) await cancelOrder(order.uuid, { line_items, ...(reason && { reason }) })
      else await returnMemo(order.uuid, { line_items })
      onDone()
    })
  }
  return (
    <Dialog title={isCancel ? 'Cancel' : 'Return from memo'} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">The stones go back on offer.</p>
        <QuantityFields lines={lines} left={left} units={units} onChange={setUnits} />
        {isCancel && <TextField label="Why" value={reason} onInput={setReason} />}
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            Not now
          </button>
          <button
            type="submit"
            class="button is-danger"
            disabled={action.busy || quantitiesBody(units).length === 0}
          >
            {isCancel ? 'Cancel them' : 'Take them back'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
