import { useState } from 'preact/hooks'
import { CHARGE_KINDS, type ChargeKind } from '../../../../src/reference/charges.ts'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  addChargeRule,
  type ChargeRule,
  listChargeRules,
  removeChargeRule,
} from '../../api/operator/seller.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { capitalize, countryName, humanize, money, percent } from '../../lib/format.ts'
import { numberIn } from '../../lib/numbers.ts'
import { Typed } from '../../orders/typed.tsx'
import { confirmed } from '../../parts/confirm.tsx'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { showToast } from '../../parts/toast.tsx'

/** Charges that orders get by themselves when they are placed. */
export function ChargeRules() {
  const reading = useRead('charge rules', (signal) => listChargeRules(signal))
  const action = useAction()
  const remove = (rule: ChargeRule) =>
    void action.run(async () => {
      if (!(await isRemovalMeant(rule))) return
      await removeChargeRule(rule.uuid)
      showToast(t('The rule is removed.'))
      reading.reload()
    })
  const rules = reading.value
  return (
    <section class="panel stack" aria-labelledby="charge-rules">
      <div>
        <h2 id="charge-rules">{t('Charge rules')}</h2>
        <p class="muted small">
          {t('Every new order gets the charges of the country that it ships to.')}
        </p>
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!rules && !reading.problem && <Loading rows={2} />}
      {rules?.length === 0 && <p class="muted">{t('No rules: orders have no charges.')}</p>}
      {rules && rules.length > 0 && <RuleTable rules={rules} onRemove={remove} />}
      {mayDo('settings:write') && <NewRule onAdded={reading.reload} />}
    </section>
  )
}

const countryText = (code: string | null) =>
  code === null ? t('Every other country') : countryName(code)

function RuleTable(props: { rules: ChargeRule[]; onRemove: (rule: ChargeRule) => void }) {
  return (
    <ScrollArea label={t('All charge rules')} class="wide-scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Country')}</th>
            <th scope="col">{t('Kind')}</th>
            <th scope="col">{t('On the invoice')}</th>
            <th scope="col" class="number">
              {t('Amount')}
            </th>
            <th scope="col" class="number">
              {t('Percent of the goods')}
            </th>
            {mayDo('settings:write') && <th scope="col">{t('Change')}</th>}
          </tr>
        </thead>
        <tbody>
          {props.rules.map((rule) => (
            <tr key={rule.uuid}>
              <td>{countryText(rule.country_code)}</td>
              <td>{capitalize(humanize(rule.kind))}</td>
              <td>
                <Typed text={rule.label} />
              </td>
              <td class="number">{money(rule.amount, 'USD')}</td>
              <td class="number">{percent(rule.percent, 3)}</td>
              {mayDo('settings:write') && (
                <td>
                  <button
                    type="button"
                    class="button is-small is-danger"
                    aria-label={t('Remove the rule {label} ({country})', {
                      label: rule.label,
                      country: countryText(rule.country_code),
                    })}
                    onClick={() => props.onRemove(rule)}
                  >
                    {t('Remove')}
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function isRemovalMeant({ label, country_code }: ChargeRule): Promise<boolean> {
  return confirmed({
    title: t('Remove the rule {label}?', { label }),
    text: t('New orders to this country no longer get it: {country}. Earlier orders keep it.', {
      country: countryText(country_code),
    }),
    action: t('Remove'),
    isDanger: true,
  })
}

const KINDS = CHARGE_KINDS.map((kind) => [kind, capitalize(humanize(kind))] as const)
const EMPTY = { country_code: '', kind: CHARGE_KINDS[0] as ChargeKind, label: '' }

function NewRule({ onAdded }: { onAdded: () => void }) {
  const [draft, setDraft] = useState({ ...EMPTY, amount: '', percent: '' })
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const { country_code, kind, label, amount, percent: share } = draft
      await addChargeRule({
        kind,
        country_code: country_code.trim() || null,
        ...(label.trim() && { label: label.trim() }),
        ...(amount.trim() && { amount: numberIn(amount) }),
        ...(share.trim() && { percent: numberIn(share) }),
      })
      setDraft({ ...EMPTY, amount: '', percent: '' })
      showToast(t('The rule is added. It holds for new orders.'))
      onAdded()
    })
  }
  const field = (name: Exclude<keyof typeof draft, 'kind'>, label: string) => (
    <TextField
      label={label}
      name={name}
      problem={action.problem}
      value={draft[name]}
      onInput={(value) => setDraft({ ...draft, [name]: value })}
    />
  )
  return (
    <form class="stack" onSubmit={submit}>
      <h3>{t('New rule')}</h3>
      <div class="form">
        {field('country_code', t('Country code; empty: every other'))}
        <SelectField<ChargeKind>
          label={t('Kind')}
          value={draft.kind}
          options={KINDS}
          onChange={(kind) => setDraft({ ...draft, kind })}
        />
        {field('label', t('On the invoice'))}
        {field('amount', t('Amount in US dollars'))}
        {field('percent', t('Percent of the goods'))}
        <button type="submit" class="button" disabled={action.busy}>
          {t('Add rule')}
        </button>
      </div>
      <ProblemNote problem={action.problem} />
    </form>
  )
}
