import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { type Order, type OrderReturn, requestReturn } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { dateTime, fromNow } from '../../lib/format.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Goods } from '../goods.tsx'
import { QuantityFields, quantitiesBody } from '../line-quantities.tsx'
import { returnableLines } from './returnable.ts'

/** Asks to send shipped goods back: only what may go back, and why the rest may not. */
export function ReturnDialog(props: {
  order: Order
  returns: OrderReturn[]
  onClose: () => void
  onDone: () => void
}) {
  const { order, returns, onClose, onDone } = props
  const all = returnableLines(order, returns)
  const possible = all.filter(({ most }) => most > 0)
  const mostOf = new Map(possible.map(({ line, most }) => [line.uuid, most]))
  const [quantities, setQuantities] = useState<Record<string, number>>(
    possible.length === 1 ? { [possible[0].line.uuid]: possible[0].most } : {},
  )
  const [reason, setReason] = useState('')
  const action = useAction()
  const line_items = quantitiesBody(quantities)
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async (keyFor) => {
      await requestReturn(order.uuid, { line_items, reason: reason.trim() }, keyFor)
      onDone()
    })
  }
  return (
    <Dialog title={t('Request a return')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">
          {t('The seller approves or rejects the return. Please send nothing back before that.')}
        </p>
        <QuantityFields
          lines={possible.map(({ line, until }) => ({ ...line, note: untilText(until) }))}
          remaining={({ uuid }) => mostOf.get(uuid) ?? 0}
          quantities={quantities}
          onChange={setQuantities}
        />
        <NotReturnable lines={all.filter(({ most }) => most === 0)} />
        {possible.length > 0 && (
          <TextField
            label={t('Reason')}
            name="reason"
            required
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
          {possible.length > 0 && (
            <button
              type="submit"
              class="button is-main"
              disabled={action.busy || line_items.length === 0}
            >
              {t('Request return')}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

function untilText(until: Date | undefined): string {
  const end = until?.toISOString() ?? null
  return t('until {date}, {when}', { date: dateTime(end), when: fromNow(end) })
}

function NotReturnable({ lines }: { lines: ReturnType<typeof returnableLines> }) {
  if (lines.length === 0) return null
  return (
    <div>
      <h3>{t('Cannot be returned')}</h3>
      <ul class="small">
        {lines.map(({ line, whyNot }) => (
          <li key={line.uuid}>
            <Goods line={line} />
            <div class="muted">{whyNot}</div>
          </li>
        ))}
      </ul>
    </div>
  )
}
