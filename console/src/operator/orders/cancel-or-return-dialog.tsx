import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import {
  cancelOrder,
  type OperatorLine,
  type OperatorOrder,
  returnMemo,
} from '../../api/operator/orders.ts'
import { t } from '../../language/language.ts'
import { allQuantities, QuantityFields, quantitiesBody } from '../../orders/line-quantities.tsx'
import { unitsOf } from '../../orders/units.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { goodsOf } from './possible.ts'

/** Cancels what has not shipped, or records the return of a memo. Both restock the items. */
export function CancelOrReturnDialog(props: {
  order: OperatorOrder
  verb: 'cancel' | 'return'
  onClose: () => void
  onDone: () => void
}) {
  const { order, verb, onClose, onDone } = props
  const isCancel = verb === 'cancel'
  const remaining = (line: OperatorLine) =>
    isCancel ? line.open_quantity : unitsOf(order, line).kept
  const lines = goodsOf(order).filter((line) => remaining(line) > 0)
  const [quantities, setQuantities] = useState(allQuantities(lines, remaining))
  const [reason, setReason] = useState('')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async (keyFor) => {
      const line_items = quantitiesBody(quantities)
      const cancellation = { line_items, ...(reason && { reason }) }
      if (isCancel) await cancelOrder(order.uuid, cancellation, keyFor)
      else await returnMemo(order.uuid, { line_items }, keyFor)
      onDone()
    })
  }
  return (
    <Dialog title={isCancel ? t('Cancel order') : t('Return from memo')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">{t('The items go back into stock. This cannot be taken back.')}</p>
        <QuantityFields
          lines={lines}
          remaining={remaining}
          quantities={quantities}
          onChange={setQuantities}
        />
        {isCancel && <TextField label={t('Reason')} value={reason} onInput={setReason} />}
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Close')}
          </button>
          <button
            type="submit"
            class="button is-danger"
            disabled={action.busy || quantitiesBody(quantities).length === 0}
          >
            {isCancel ? t('Cancel items') : t('Confirm return')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
