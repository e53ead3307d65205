import { useState } from 'preact/hooks'
import { useAction } from '../api/hooks.ts'
import { cancelOwnOrder, type Order } from '../api/orders.ts'
import { t } from '../language/language.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNote } from '../parts/feedback.tsx'
import { TextField } from '../parts/fields.tsx'
import { allQuantities, QuantityFields, quantitiesBody } from './line-quantities.tsx'
import { cancellableUnits, goodsOf } from './units.ts'

/** The merchant cancels its order, or some of it, and is told what that means. */
export function CancelDialog(props: { order: Order; onClose: () => void; onDone: () => void }) {
  const { order, onClose, onDone } = props
  const remaining = cancellableUnits(order)
  const goods = goodsOf(order)
  const lines = goods.filter((line) => remaining(line) > 0)
  const [quantities, setQuantities] = useState(allQuantities(lines, remaining))
  const [reason, setReason] = useState('')
  const action = useAction()
  const line_items = quantitiesBody(quantities)
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async (keyFor) => {
      const cancellation = { line_items, ...(reason && { reason }) }
      await cancelOwnOrder(order.uuid, cancellation, keyFor)
      onDone()
    })
  }
  return (
    <Dialog title={t('Cancel order')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>
          {t('Cancelled items are on sale again at once, and others can order them.')}{' '}
          {t('You owe nothing for them. This cannot be taken back.')}
        </p>
        <QuantityFields
          lines={lines}
          remaining={remaining}
          quantities={quantities}
          onChange={setQuantities}
        />
        {lines.length < goods.length && (
          <p class="muted small">{t('Items that are confirmed are not listed; ask the seller.')}</p>
        )}
        <TextField label={t('Reason')} value={reason} onInput={setReason} />
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Keep as it is')}
          </button>
          <button
            type="submit"
            class="button is-danger"
            disabled={action.busy || line_items.length === 0}
          >
            {t('Cancel items')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
