import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { fulfillOrder, type OperatorOrder } from '../../api/operator-orders.ts'
import type { LineItem } from '../../api/orders.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { allQuantities, QuantityFields, quantitiesBody } from './line-quantities.tsx'

/** Ships an order, or part of it. */
export function ShipDialog(props: {
  order: OperatorOrder
  onClose: () => void
  onDone: () => void
}) {
  const { order, onClose, onDone } = props
  const lines = order.line_items.filter((line) => line.sku !== '' && notShipped(line) > 0)
  const [quantities, setQuantities] = useState(allQuantities(lines, notShipped))
  const [company, setCompany] = useState('')
  const [number, setNumber] = useState('')
  const [url, setUrl] = useState('')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await fulfillOrder(order.uuid, {
        line_items: quantitiesBody(quantities),
        tracking_company: company.trim(),
        tracking_number: number.trim(),
        ...(url.trim() && { tracking_url: url.trim() }),
      })
      onDone()
    })
  }
  return (
    <Dialog title="Ship order" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <QuantityFields
          lines={lines}
          remaining={notShipped}
          quantities={quantities}
          onChange={setQuantities}
        />
        <TextField label="Carrier" required value={company} onInput={setCompany} />
        <TextField label="Tracking number" required value={number} onInput={setNumber} />
        <TextField label="Tracking link" type="url" value={url} onInput={setUrl} />
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class="button is-main"
            disabled={action.busy || quantitiesBody(quantities).length === 0}
          >
            Confirm shipment
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function notShipped(line: LineItem): number {
  return line.quantity - line.fulfilled_quantity
}
