import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import type { CreatedKey, Key } from '../../api/keys.ts'
import {
  changeMerchant,
  createMerchantKey,
  listMerchantKeys,
  type OperatorMerchant,
  readMerchant,
  revokeMerchantKey,
} from '../../api/operator/merchants.ts'
import { date, fromNow } from '../../lib/format.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { BudgetFields, budgetFrom, budgetText, NO_BUDGET } from '../../parts/budget.tsx'
import { confirmed } from '../../parts/confirm.tsx'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox, TextField } from '../../parts/fields.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'
import { MerchantLimits } from './limits.tsx'

/** One merchant: its account, access, keys and limits. */
export function MerchantPage({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readMerchant(uuid, signal))
  const merchant = reading.value
  return (
    <>
      <div class="page-head">
        <h1>{merchant?.legal_dba ?? 'Merchant'}</h1>
        {merchant && (
          <span class={merchant.api_enabled ? 'tag is-good' : 'tag is-bad'}>
            Access {merchant.api_enabled ? 'on' : 'off'}
          </span>
        )}
        {merchant && (
          <p class="page-lead">
            {merchant.price_list === 'us' ? 'US' : 'Default'} price list, margins by{' '}
            {merchant.margin_mode}, merchant since {date(merchant.created_on)}.{' '}
            <a href={ordersOf(merchant)}>Show orders</a>
          </p>
        )}
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!merchant && !reading.problem && <Loading />}
      {merchant && (
        <div class="columns">
          <MerchantForm
            key={JSON.stringify(merchant)}
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
      )}
    </>
  )
}

function ordersOf({ legal_dba }: OperatorMerchant): string {
  return `/operator/orders?q=${encodeURIComponent(legal_dba)}`
}

const FIELDS = [
  ['legal_dba', 'Trading name'],
  ['email', 'Email'],
  ['country_code', 'Country (US has its own price list)'],
  ['currency_code', 'Currency'],
] as const
const FLAGS = [
  ['api_enabled', 'Access on: its keys are accepted'],
  ['activated', 'Activated'],
  ['test', 'Test merchant: its orders have the debug flag'],
] as const

function MerchantForm(props: { merchant: OperatorMerchant; onSaved: () => void }) {
  const [draft, setDraft] = useState(props.merchant)
  const action = useAction()
  useUnsaved(JSON.stringify(draft) !== JSON.stringify(props.merchant))
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      if (props.merchant.api_enabled && !draft.api_enabled) {
        const title = `Switch access for ${draft.legal_dba} off?`
        const text = 'Its keys and sessions are refused at once: its shop shows and orders nothing.'
        if (!(await confirmed({ title, text, action: 'Switch off', isDanger: true }))) return
      }
      const names = [...FIELDS, ...FLAGS].map(([name]) => name)
      await changeMerchant(draft.uuid, Object.fromEntries(names.map((name) => [name, draft[name]])))
      showToast('Saved.')
      props.onSaved()
    })
  }
  return (
    <section class="panel" aria-label="Account">
      <form class="stack" onSubmit={submit}>
        {FIELDS.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            name={name}
            required
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
        <div>
          <button type="submit" class="button is-main" disabled={action.busy}>
            Save
          </button>
        </div>
      </form>
    </section>
  )
}

function isRevocationMeant(key: Key): Promise<boolean> {
  return confirmed({
    title: `Revoke ${key.name || key.type} …${key.hint}?`,
    text: 'What uses it is refused at once, and so are keys and sessions that were made with it.',
    action: 'Revoke',
    isDanger: true,
  })
}

function MerchantKeys({ uuid }: { uuid: string }) {
  const reading = useRead(`keys ${uuid}`, (signal) => listMerchantKeys(uuid, signal))
  const [name, setName] = useState('')
  const [typed, setTyped] = useState(NO_BUDGET)
  const [created, setCreated] = useState<CreatedKey>()
  const action = useAction()
  const create = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      setCreated(await createMerchantKey(uuid, name, budgetFrom(typed)))
      setName('')
      setTyped(NO_BUDGET)
      reading.reload()
    })
  }
  const revoke = (key: Key) =>
    action.run(async () => {
      if (!(await isRevocationMeant(key))) return
      await revokeMerchantKey(key.uuid)
      reading.reload()
    })
  const active = reading.value?.tokens.filter((key) => key.revoked_on === null)
  return (
    <section class="panel stack" aria-label="Keys">
      <h2>Keys and sessions</h2>
      <ProblemNote problem={action.problem ?? reading.problem} />
      {!active && !reading.problem && <Loading rows={2} />}
      <ul class="stack">
        {active?.map((key) => (
          <li key={key.uuid} class="row">
            <span>
              {key.name || key.type} <span class="mono muted">…{key.hint}</span>
            </span>
            <span class="muted small">last used {fromNow(key.last_used_on)}</span>
            {key.budget && <span class="muted small">{budgetText(key.budget)}</span>}
            <button
              type="button"
              class="button is-small is-danger"
              onClick={() => void revoke(key)}
            >
              Revoke<span class="visually-hidden"> {key.hint}</span>
            </button>
          </li>
        ))}
      </ul>
      <form class="stack" onSubmit={create}>
        <div class="row">
          <TextField label="Name of a new key" required value={name} onInput={setName} />
          <button type="submit" class="button" disabled={action.busy || name.trim() === ''}>
            Create key
          </button>
        </div>
        <details>
          <summary>Budget of the new key</summary>
          <BudgetFields typed={typed} onChange={setTyped} problem={action.problem} />
        </details>
      </form>
      {created && (
        <SecretDialog
          title={`Key ${created.name}`}
          text="Copy the key now. It will not be shown again."
          secret={created.token}
          onClose={() => setCreated(undefined)}
        />
      )}
    </section>
  )
}
