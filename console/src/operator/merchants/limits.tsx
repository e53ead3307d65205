import { useState } from 'preact/hooks'
import { MERCHANT_LIMITS } from '../../../../src/reference/merchant-limits.ts'
import { useAction } from '../../api/hooks.ts'
import { changeMerchant, type MerchantWithUsage } from '../../api/operator/merchants.ts'
import { count, decimal } from '../../lib/format.ts'
import { numberIn, numberText } from '../../lib/numbers.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { showToast } from '../../parts/toast.tsx'

type Limits = MerchantWithUsage['limits']
type Usage = MerchantWithUsage['usage']

/** Each limit, its label, and what it counts. */
const FIELDS: [name: keyof Limits, label: string, used?: keyof Usage][] = [
  ['max_holds', 'Live holds', 'holds'],
  ['max_hold_hours', 'Hours to hold one stone'],
  ['max_memo_stones', 'Stones on memo', 'memo_stones'],
  ['max_memo_value', 'Value on memo in USD', 'memo_value'],
  ['max_addresses', 'Addresses', 'addresses'],
  ['max_templates', 'Templates', 'templates'],
  ['max_webhooks', 'Webhooks', 'webhooks'],
  ['max_keys', 'Active keys', 'keys'],
]

/** What the merchant may have at most. An empty field sets the standard limit. */
export function MerchantLimits(props: { merchant: MerchantWithUsage; onSaved: () => void }) {
  const { uuid, limits, usage } = props.merchant
  const [draft, setDraft] = useState<Record<string, string>>(() =>
    Object.fromEntries(FIELDS.map(([name]) => [name, numberText(limits[name])])),
  )
  const action = useAction()
  useUnsaved(FIELDS.some(([name]) => draft[name] !== numberText(limits[name])))
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const changed = FIELDS.filter(([name]) => draft[name] !== numberText(limits[name]))
      const change = changed.map(([name]) => [
        name,
        draft[name] === '' ? null : numberIn(draft[name]),
      ])
      if (change.length > 0) await changeMerchant(uuid, { limits: Object.fromEntries(change) })
      showToast('Saved.')
      props.onSaved()
    })
  }
  return (
    <section class="panel stack" aria-label="Limits">
      <h2>Limits</h2>
      <form class="stack" onSubmit={submit}>
        {FIELDS.map(([name, label, used]) => (
          <TextField
            key={name}
            label={used ? `${label} (${decimal(usage[used])} in use)` : label}
            name={`limits.${name}`}
            inputMode="numeric"
            placeholder={count(MERCHANT_LIMITS[name].standard)}
            problem={action.problem}
            value={draft[name]}
            onInput={(value) => setDraft({ ...draft, [name]: value })}
          />
        ))}
        <ProblemNote problem={action.problem} />
        <div>
          <button type="submit" class="button" disabled={action.busy}>
            Save limits
          </button>
        </div>
      </form>
    </section>
  )
}
