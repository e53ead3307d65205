import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { extendMemo } from '../../api/operator/orders.ts'
import { t } from '../../language/language.ts'
import { date } from '../../lib/format.ts'
import { numberIn } from '../../lib/numbers.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'

const DAY_MS = 86_400_000

/** Gives a memo more days. They are added to its due date, also when that has passed. */
export function ExtendDialog(props: {
  uuid: string
  memo_id: string
  due_date: string | null
  onClose: () => void
  onDone: () => void
}) {
  const { uuid, memo_id, due_date } = props
  const [typed, setTyped] = useState('14')
  const action = useAction()
  const days = numberIn(typed)
  const from = due_date === null ? Date.now() : Date.parse(due_date)
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async (keyFor) => {
      await extendMemo(uuid, { days }, keyFor)
      props.onDone()
    })
  }
  return (
    <Dialog title={t('Extend memo {number}', { number: memo_id })} onClose={props.onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField
          label={t('Days')}
          required
          inputMode="numeric"
          name="days"
          problem={action.problem}
          value={typed}
          onInput={setTyped}
        />
        {days >= 1 && days <= 365 && (
          <p aria-live="polite">
            {t('It is then due back on {date}.', {
              date: date(new Date(from + days * DAY_MS).toISOString()),
            })}
          </p>
        )}
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={props.onClose}>
            {t('Close')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy}>
            {t('Extend')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
