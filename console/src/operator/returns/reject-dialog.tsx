import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { type OperatorReturn, rejectReturn } from '../../api/operator/returns.ts'
import { t } from '../../language/language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'

/** Rejects a return. The merchant reads the reason. */
export function RejectDialog(props: {
  returned: OperatorReturn
  onClose: () => void
  onDone: () => void
}) {
  const [reason, setReason] = useState('')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await rejectReturn(props.returned.uuid, reason.trim())
      props.onDone()
    })
  }
  return (
    <Dialog title={t('Reject the return')} onClose={props.onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">
          {t('The merchant keeps the goods and owes their price. This cannot be taken back.')}
        </p>
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
          <button type="button" class="button" onClick={props.onClose}>
            {t('Close')}
          </button>
          <button type="submit" class="button is-danger" disabled={action.busy}>
            {t('Reject')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
