import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { type OperatorOrder, recordPayment } from '../../api/operator/orders.ts'
import { t } from '../../language/language.ts'
import { money } from '../../lib/format.ts'
import { numberIn, numberText } from '../../lib/numbers.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox, TextField } from '../../parts/fields.tsx'

/** The present day in the reader's own time zone, as the field of a date has it. */
function today(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

/** Records one payment: of the balance, of a part of it, or of more when that is ticked. */
export function PaymentDialog(props: {
  order: OperatorOrder
  onClose: () => void
  onDone: () => void
}) {
  const { uuid, balance } = props.order
  const [draft, setDraft] = useState(() => ({
    amount: numberText(balance),
    method: '',
    reference: '',
    paid_on: today(),
  }))
  const [mayOverpay, setMayOverpay] = useState(false)
  const action = useAction()
  const amount = numberIn(draft.amount)
  const left = Math.round((balance - amount) * 100) / 100
  const isRefused = !(amount > 0) || (left < 0 && !mayOverpay)
  const submit = (event: Event) => {
    event.preventDefault()
    if (isRefused) return
    void action.run(async (keyFor) => {
      const payment = {
        amount,
        method: draft.method.trim(),
        reference: draft.reference.trim(),
        ...(draft.paid_on && { paid_on: draft.paid_on }),
        ...(left < 0 && { allow_overpayment: true }),
      }
      await recordPayment(uuid, payment, keyFor)
      props.onDone()
    })
  }
  const field = (name: keyof typeof draft, label: string, more = {}) => (
    <TextField
      label={label}
      name={name}
      problem={action.problem}
      value={draft[name]}
      onInput={(value) => setDraft({ ...draft, [name]: value })}
      {...more}
    />
  )
  return (
    <Dialog title={t('Record a payment')} onClose={props.onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">
          {t('{balance} is left to pay. A payment cannot be taken back.', {
            balance: money(balance, 'USD'),
          })}
        </p>
        {field('amount', t('Amount in USD'), { required: true, inputMode: 'decimal' })}
        {field('method', t('Method'), { placeholder: t('wire, card, check …') })}
        {field('reference', t('Reference'))}
        {field('paid_on', t('Paid on'), { type: 'date' })}
        <p aria-live="polite">{outcomeOf(left)}</p>
        {left < 0 && (
          <Checkbox checked={mayOverpay} onChange={setMayOverpay}>
            {t('It was really this much: record the overpayment')}
          </Checkbox>
        )}
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={props.onClose}>
            {t('Close')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy || isRefused}>
            {t('Record payment')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function outcomeOf(left: number): string {
  if (Number.isNaN(left)) return ''
  if (left === 0) return t('The order is then paid.')
  const amount = money(Math.abs(left), 'USD')
  if (left > 0) return t('{amount} is then left to pay.', { amount })
  return t('This is {amount} more than the balance.', { amount })
}
