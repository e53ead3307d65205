import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  changeMerchant,
  type OperatorMerchant,
  readMerchant,
} from '../../api/operator/merchants.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Loading, PageProblem, ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox, TextField } from '../../parts/fields.tsx'
import { showToast } from '../../parts/toast.tsx'
import { isAccessMeant } from './access.ts'
import { MerchantHead } from './head.tsx'
import { MerchantKeys } from './keys.tsx'
import { MerchantLimits } from './limits.tsx'
import { MerchantStanding } from './standing.tsx'

/** One merchant: its account, what it owes, its access, keys and limits. */
export function MerchantPage({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readMerchant(uuid, signal))
  const merchant = reading.value
  if (!merchant) {
    if (!reading.problem) return <Loading rows={4} height={90} />
    return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  }
  return (
    <>
      <MerchantHead merchant={merchant} part="" />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      <MerchantStanding uuid={uuid} />
      <div class="columns">
        <MerchantForm
          key={JSON.stringify(accountOf(merchant))}
          merchant={merchant}
          onSaved={reading.reload}
        />
        <div class="stack">
          <MerchantKeys uuid={uuid} />
          <MerchantLimits
            key={JSON.stringify(merchant.limits)}
            merchant={merchant}
            onSaved={reading.reload}
          />
        </div>
      </div>
    </>
  )
}

const FIELDS = [
  ['legal_dba', t('Trading name'), true],
  ['email', t('Email'), true],
  ['country_code', t('Country (US has its own price list)'), true],
  ['currency_code', t('Currency'), true],
  ['first_name', t('First name'), false],
  ['last_name', t('Last name'), false],
  ['business_phone', t('Phone'), false],
  ['tax_id', t('Tax number'), false],
  ['external_id', t('Your own customer number'), false],
] as const
const FLAGS = [
  ['api_enabled', t('Access on: its keys are accepted')],
  ['activated', t('Activated')],
  ['test', t('Test merchant: its orders have the debug flag')],
] as const

const NAMES = [...FIELDS, ...FLAGS].map(([name]) => name)
type Account = Pick<OperatorMerchant, (typeof NAMES)[number]>

/** What the form shows: saving the limits beside it must not empty what is typed here. */
function accountOf(merchant: OperatorMerchant): Account {
  return Object.fromEntries(NAMES.map((name) => [name, merchant[name]])) as Account
}

function MerchantForm(props: { merchant: OperatorMerchant; onSaved: () => void }) {
  const account = accountOf(props.merchant)
  const [draft, setDraft] = useState(account)
  const action = useAction()
  const changed = NAMES.filter((name) => draft[name] !== account[name])
  useUnsaved(changed.length > 0)
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const isSwitchedOff = props.merchant.api_enabled && !draft.api_enabled
      if (isSwitchedOff && !(await isAccessMeant(props.merchant))) return
      // Only what was changed: a colleague may have changed the rest meanwhile.
      const change = Object.fromEntries(changed.map((name) => [name, draft[name]]))
      if (changed.length > 0) await changeMerchant(props.merchant.uuid, change)
      showToast(t('Saved.'))
      props.onSaved()
    })
  }
  return (
    <section class="panel" aria-label={t('Account')}>
      <form onSubmit={submit}>
        <fieldset class="stack" disabled={!mayDo('merchants:write')}>
          {FIELDS.map(([name, label, required]) => (
            <TextField
              key={name}
              label={label}
              name={name}
              required={required}
              problem={action.problem}
              value={draft[name]}
              onInput={(value) => setDraft({ ...draft, [name]: value })}
            />
          ))}
          {FLAGS.map(([name, label]) => (
            <Checkbox
              key={name}
              checked={draft[name]}
              onChange={(on) => setDraft({ ...draft, [name]: on })}
            >
              {label}
            </Checkbox>
          ))}
          <ProblemNote problem={action.problem} />
          {mayDo('merchants:write') && (
            <div>
              <button type="submit" class="button is-main" disabled={action.busy}>
                {t('Save')}
              </button>
            </div>
          )}
        </fieldset>
      </form>
    </section>
  )
}
