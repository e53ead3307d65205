import { useState } from 'preact/hooks'
import type { Static } from 'typebox'
import type { FulfillBody } from '../../../src/http/schemas/orders/order-operator.ts'
import { type KeyFor, useAction } from '../api/hooks.ts'
import { t } from '../language/language.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNote } from '../parts/feedback.tsx'
import { TextField } from '../parts/fields.tsx'
import {
  allQuantities,
  type OrderedLine,
  QuantityFields,
  quantitiesBody,
} from './line-quantities.tsx'

interface LineToShip extends OrderedLine {
  open_quantity: number
}

/** Ships an order, or part of it. */
export function ShipDialog(props: {
  lines: LineToShip[]
  ship: (fulfillment: Static<typeof FulfillBody>, keyFor: KeyFor) => Promise<unknown>
  onClose: () => void
  onDone: () => void
}) {
  const { ship, onClose, onDone } = props
  const lines = props.lines.filter((line) => notShipped(line) > 0)
  const [quantities, setQuantities] = useState(allQuantities(lines, notShipped))
  const [company, setCompany] = useState('')
  const [number, setNumber] = useState('')
  const [url, setUrl] = useState('')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async (keyFor) => {
      const fulfillment = {
        line_items: quantitiesBody(quantities),
        tracking_company: company.trim(),
        tracking_number: number.trim(),
        ...(url.trim() && { tracking_url: url.trim() }),
      }
      await ship(fulfillment, keyFor)
      onDone()
    })
  }
  return (
    <Dialog title={t('Ship order')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <QuantityFields
          lines={lines}
          remaining={notShipped}
          quantities={quantities}
          onChange={setQuantities}
        />
        <TextField label={t('Carrier')} required value={company} onInput={setCompany} />
        <TextField label={t('Tracking number')} required value={number} onInput={setNumber} />
        <TextField label={t('Tracking link')} type="url" value={url} onInput={setUrl} />
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button
            type="submit"
            class="button is-main"
            disabled={action.busy || quantitiesBody(quantities).length === 0}
          >
            {t('Confirm shipment')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function notShipped({ open_quantity }: LineToShip): number {
  return open_quantity
}
