import { useState } from 'preact/hooks'
import { useAction } from '../api/hooks.ts'
import { t } from '../language/language.ts'
import { Dialog } from './dialog.tsx'
import { ProblemNote } from './feedback.tsx'
import { TextField } from './fields.tsx'

/** Refuses what somebody asked for, with a reason that they read. */
export function ReasonDialog(props: {
  title: string
  /** What will happen, in a sentence. */
  text: string
  /** The verb on the button. */
  action: string
  isRequired?: boolean
  refuse: (reason: string) => Promise<unknown>
  onClose: () => void
  onDone: () => void
}) {
  const [reason, setReason] = useState('')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await props.refuse(reason.trim())
      props.onDone()
    })
  }
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">{props.text}</p>
        <TextField
          label={t('Reason')}
          name="reason"
          {...(props.isRequired && { required: true })}
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
            {props.action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
