import { useState } from 'preact/hooks'
import { useAction } from '../api/hooks.ts'
import { declineLines, type SupplierLine, type SupplierOrder } from '../api/supplier.ts'
import { t } from '../language/language.ts'
import { Goods } from '../orders/goods.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNote } from '../parts/feedback.tsx'
import { Checkbox, TextField } from '../parts/fields.tsx'

export function waitsForAnswer({ confirmation, open_quantity }: SupplierLine): boolean {
  return confirmation === null && open_quantity > 0
}

/** Declines lines that cannot be delivered, with the reason that the buyer reads. */
export function DeclineDialog(props: {
  order: SupplierOrder
  onClose: () => void
  onDone: () => void
}) {
  const { order, onClose, onDone } = props
  const lines = order.line_items.filter(waitsForAnswer)
  const [chosen, setChosen] = useState<readonly string[]>(lines.length === 1 ? [lines[0].uuid] : [])
  const [reason, setReason] = useState('')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await declineLines(order.uuid, { line_item_uuids: [...chosen], reason: reason.trim() })
      onDone()
    })
  }
  const choose = (uuid: string, on: boolean) =>
    setChosen(on ? [...chosen, uuid] : chosen.filter((each) => each !== uuid))
  return (
    <Dialog title={t('Decline lines')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">
          {t('The lines are cancelled. The stones stay off sale until your next file lists them.')}
        </p>
        {lines.map(({ uuid, vendor_sku, sku, description }) => (
          <Checkbox key={uuid} checked={chosen.includes(uuid)} onChange={(on) => choose(uuid, on)}>
            {vendor_sku ?? sku}: <Goods line={{ description }} />
          </Checkbox>
        ))}
        <TextField
          label={t('Reason')}
          required
          name="reason"
          problem={action.problem}
          value={reason}
          onInput={setReason}
        />
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Close')}
          </button>
          <button
            type="submit"
            class="button is-danger"
            disabled={action.busy || chosen.length === 0}
          >
            {t('Decline')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
