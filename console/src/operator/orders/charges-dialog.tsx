import { useState } from 'preact/hooks'
import { CHARGE_KINDS, type ChargeKind } from '../../../../src/reference/charges.ts'
import { useAction } from '../../api/hooks.ts'
import { type OperatorOrder, setCharges } from '../../api/operator/orders.ts'
import { t } from '../../language/language.ts'
import { capitalize, humanize } from '../../lib/format.ts'
import { numberIn, numberText } from '../../lib/numbers.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'

interface ChargeText {
  kind: ChargeKind
  label: string
  amount: string
}

/** The charges of an order, which can be changed until its invoice is issued. */
export function ChargesDialog(props: {
  order: OperatorOrder
  onClose: () => void
  onDone: () => void
}) {
  const { order } = props
  const [charges, setDraft] = useState<ChargeText[]>(() =>
    order.charges.map((charge) => ({ ...charge, amount: numberText(charge.amount) })),
  )
  const action = useAction()
  const change = (at: number, part: Partial<ChargeText>) =>
    setDraft(charges.map((charge, index) => (index === at ? { ...charge, ...part } : charge)))
  const add = () => setDraft([...charges, { kind: 'shipping', label: '', amount: '' }])
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const body = charges.map(({ kind, label, amount }) => {
        return { kind, label: label.trim(), amount: numberIn(amount) }
      })
      await setCharges(order.uuid, body)
      props.onDone()
    })
  }
  return (
    <Dialog title={t('Charges')} onClose={props.onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">
          {t('They can be changed until the invoice is issued. A discount is subtracted.')}
        </p>
        {charges.map((charge, at) => (
          <ChargeFields
            key={at}
            at={at}
            charge={charge}
            problem={action.problem}
            onChange={(part) => change(at, part)}
            onRemove={() => setDraft(charges.filter((_, index) => index !== at))}
          />
        ))}
        <div>
          <button type="button" class="button is-small" onClick={add}>
            {t('Add charge')}
          </button>
        </div>
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={props.onClose}>
            {t('Close')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy}>
            {t('Save charges')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function ChargeFields(props: {
  at: number
  charge: ChargeText
  problem: ReturnType<typeof useAction>['problem']
  onChange: (part: Partial<ChargeText>) => void
  onRemove: () => void
}) {
  const { at, charge, problem, onChange } = props
  return (
    <fieldset class="form">
      <legend class="visually-hidden">{t('Charge {number}', { number: at + 1 })}</legend>
      <SelectField
        label={t('Kind')}
        value={charge.kind}
        options={CHARGE_KINDS.map((kind) => [kind, capitalize(humanize(kind))] as const)}
        onChange={(kind) => onChange({ kind })}
      />
      <TextField
        label={t('Label on the invoice')}
        required
        name={`[${at}].label`}
        problem={problem}
        value={charge.label}
        onInput={(label) => onChange({ label })}
      />
      <TextField
        label={t('Amount in USD')}
        required
        inputMode="decimal"
        name={`[${at}].amount`}
        problem={problem}
        value={charge.amount}
        onInput={(amount) => onChange({ amount })}
      />
      <button type="button" class="button is-small is-quiet" onClick={props.onRemove}>
        {t('Remove')}
        <span class="visually-hidden"> {t('charge {number}', { number: at + 1 })}</span>
      </button>
    </fieldset>
  )
}
