import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import type { OperatorLine } from '../../api/operator/orders.ts'
import { t } from '../../language/language.ts'
import { Goods } from '../../orders/goods.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox, TextField } from '../../parts/fields.tsx'

/** Chooses lines of an order to confirm or decline; declining needs a reason. */
export function LineChoiceDialog(props: {
  verb: 'confirm' | 'decline'
  lines: readonly OperatorLine[]
  save: (line_item_uuids: string[], reason: string) => Promise<unknown>
  onClose: () => void
  onDone: () => void
}) {
  const { verb, lines, onClose } = props
  const isDecline = verb === 'decline'
  const all = lines.map(({ uuid }) => uuid)
  // To decline everything takes a choice, unless there is only one line.
  const [chosen, setChosen] = useState<string[]>(isDecline && all.length > 1 ? [] : all)
  const [reason, setReason] = useState('')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await props.save(chosen, reason.trim())
      props.onDone()
    })
  }
  const choose = (uuid: string, on: boolean) =>
    setChosen(on ? [...chosen, uuid] : chosen.filter((each) => each !== uuid))
  return (
    <Dialog title={isDecline ? t('Decline lines') : t('Confirm lines')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">
          {isDecline
            ? t('The lines are cancelled, and their stones are off sale until a file lists them.')
            : t('The supplier has the goods and will deliver them. The merchant is told.')}
        </p>
        {lines.map(({ uuid, sku, ...line }) => (
          <Checkbox key={uuid} checked={chosen.includes(uuid)} onChange={(on) => choose(uuid, on)}>
            <span class="mono">{sku}</span> <Goods line={line} />
          </Checkbox>
        ))}
        {isDecline && (
          <TextField
            label={t('Reason')}
            required
            name="reason"
            problem={action.problem}
            value={reason}
            onInput={setReason}
          />
        )}
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Close')}
          </button>
          <button
            type="submit"
            class={isDecline ? 'button is-danger' : 'button is-main'}
            disabled={action.busy || chosen.length === 0}
          >
            {isDecline ? t('Decline') : t('Confirm')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
