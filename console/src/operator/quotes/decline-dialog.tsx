import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { declineQuote, type OperatorQuote } from '../../api/operator/quotes.ts'
import { t } from '../../language/language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'

/** Declines what a merchant asks for. The merchant reads the reason. */
export function DeclineQuoteDialog(props: {
  quote: OperatorQuote
  onClose: () => void
  onDone: () => void
}) {
  const [reason, setReason] = useState('')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await declineQuote(props.quote.uuid, reason.trim())
      props.onDone()
    })
  }
  return (
    <Dialog title={t('Decline the quote')} onClose={props.onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">
          {t('The stones are no longer held for the merchant. This cannot be taken back.')}
        </p>
        <TextField
          label={t('Reason')}
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
            {t('Decline')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
