import { useState } from 'preact/hooks'
import { useAction } from '../api/hooks.ts'
import { type CreatedKey, createKey, type NewKey } from '../api/keys.ts'
import { session } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { BudgetFields, budgetFrom, NO_BUDGET } from '../parts/budget.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNote } from '../parts/feedback.tsx'
import { Checkbox, SelectField, TextField } from '../parts/fields.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'

const LIFETIMES = [
  ['', t('Does not expire')],
  ['30', t('30 days')],
  ['90', t('90 days')],
  ['365', t('One year')],
] as const

const USES = [
  ['api_key', t('Programs, which keep it secret')],
  ['publishable', t('Web pages of your shop, at retail prices')],
] as const
type Use = (typeof USES)[number][0]
type Scopes = NonNullable<NewKey['scopes']>

/** Creates a key, and shows it once; for a web page together with what the page needs. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  // A key can have no scope that the session lacks.
  const own = (session.get()?.scopes ?? []) as Scopes
  const [name, setName] = useState('')
  const [use, setUse] = useState<Use>('api_key')
  const [origin, setOrigin] = useState('')
  const [days, setDays] = useState('')
  const [scopes, setScopes] = useState<Scopes>(own.filter((scope) => scope !== 'keys:write'))
  const [typed, setTyped] = useState(NO_BUDGET)
  const [created, setCreated] = useState<CreatedKey>()
  const action = useAction()
  const isForPages = use === 'publishable'
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const expiry = days ? { expires_in_days: Number(days) } : {}
      const bounds = isForPages
        ? { type: use, origins: [origin.trim()] }
        : boundsOf(scopes, budgetFrom(typed))
      setCreated(await createKey({ name, ...bounds, ...expiry }))
    })
  }
  if (created) return <CreatedDialog created={created} onClose={onClose} />
  return (
    <Dialog title={t('Create a key')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField label={t('Name')} required value={name} onInput={setName} />
        <SelectField<Use> label={t('Used by')} value={use} options={USES} onChange={setUse} />
        <SelectField<string>
          label={t('Expires after')}
          value={days}
          options={LIFETIMES}
          onChange={setDays}
        />
        {isForPages ? (
          <TextField
            label={t('Origin of the pages')}
            name="origins[0]"
            problem={action.problem}
            placeholder="https://shop.example"
            required
            value={origin}
            onInput={setOrigin}
          />
        ) : (
          <>
            <ScopeFields own={own} scopes={scopes} onChange={setScopes} />
            <BudgetFields typed={typed} onChange={setTyped} problem={action.problem} />
          </>
        )}
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button
            type="submit"
            class="button is-main"
            disabled={action.busy || (!isForPages && scopes.length === 0) || name.trim() === ''}
          >
            {t('Create key')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Those whom a key invites would have no budget, so a key with one cannot invite. */
function boundsOf(scopes: Scopes, budget: NewKey['budget']): Pick<NewKey, 'scopes' | 'budget'> {
  if (!budget) return { scopes }
  return { scopes: scopes.filter((scope) => scope !== 'users:write'), budget }
}

interface ScopeFieldsProps {
  own: Scopes
  scopes: Scopes
  onChange: (scopes: Scopes) => void
}

function ScopeFields({ own, scopes, onChange }: ScopeFieldsProps) {
  return (
    <fieldset>
      <legend class="field-label">{t('Scopes')}</legend>
      <div class="row">
        {own.map((scope) => (
          <Checkbox
            key={scope}
            checked={scopes.includes(scope)}
            onChange={(on) =>
              onChange(own.filter((each) => (each === scope ? on : scopes.includes(each))))
            }
          >
            <code>{scope}</code>
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}

function CreatedDialog({ created, onClose }: { created: CreatedKey; onClose: () => void }) {
  const isForPages = created.type === 'publishable'
  return (
    <SecretDialog
      title={t('Key {name}', { name: created.name })}
      text={
        isForPages
          ? t('Copy this into the page of your shop. It shows the market at your retail prices.')
          : t('Copy the key now. It will not be shown again.')
      }
      secret={isForPages ? snippetFor(created.token) : created.token}
      onClose={onClose}
    />
  )
}

/** The console is served by the market that the page will call. */
function snippetFor(key: string): string {
  const script = `<script type="module" src="${window.location.origin}/window.js"></script>`
  return `${script}\n<pavilion-search key="${key}"></pavilion-search>`
}
