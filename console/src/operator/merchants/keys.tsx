import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import type { CreatedKey, Key } from '../../api/keys.ts'
import {
  createMerchantKey,
  listMerchantKeys,
  revokeMerchantKey,
} from '../../api/operator/merchants.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { fromNow, humanize, isPast } from '../../lib/format.ts'
import { BudgetFields, budgetFrom, budgetText, NO_BUDGET } from '../../parts/budget.tsx'
import { confirmed } from '../../parts/confirm.tsx'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'

/** A key without a name is known by its type. People name their keys, the server names sessions. */
function nameOf(key: Key): string {
  if (key.name === 'console session') return t('console session')
  return key.name || humanize(key.type)
}

function isActive({ revoked_on, expires_on }: Key): boolean {
  return revoked_on === null && (expires_on === null || !isPast(expires_on))
}

function isRevocationMeant(key: Key): Promise<boolean> {
  return confirmed({
    title: t('Revoke {name} …{hint}?', { name: nameOf(key), hint: key.hint }),
    text: t(
      'What uses it is refused at once, and so are keys and sessions that were made with it.',
    ),
    action: t('Revoke'),
    isDanger: true,
  })
}

/** The keys and sessions of a merchant, and a form for a new key. */
export function MerchantKeys({ uuid }: { uuid: string }) {
  const reading = useRead(`keys ${uuid}`, (signal) => listMerchantKeys(uuid, signal))
  const [created, setCreated] = useState<CreatedKey>()
  const action = useAction()
  const revoke = (key: Key) =>
    action.run(async () => {
      if (!(await isRevocationMeant(key))) return
      await revokeMerchantKey(key.uuid)
      reading.reload()
    })
  const active = reading.value?.tokens.filter(isActive)
  return (
    <section class="panel stack" aria-label={t('Keys')}>
      <h2>{t('Keys and sessions')}</h2>
      <ProblemNote problem={action.problem ?? reading.problem} />
      {!active && !reading.problem && <Loading rows={2} />}
      <ul class="stack">
        {active?.map((key) => (
          <li key={key.uuid} class="row">
            <span>
              {nameOf(key)} <span class="mono muted">…{key.hint}</span>
            </span>
            <span class="muted small">
              {t('last used {when}', { when: fromNow(key.last_used_on) })}
            </span>
            {key.budget && <span class="muted small">{budgetText(key.budget)}</span>}
            {mayDo('settings:write') && (
              <button
                type="button"
                class="button is-small is-danger"
                onClick={() => void revoke(key)}
              >
                {t('Revoke')}
                <span class="visually-hidden"> {key.hint}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayDo('keys:write') && (
        <NewKeyForm
          uuid={uuid}
          onCreated={(key) => {
            setCreated(key)
            reading.reload()
          }}
        />
      )}
      {created && (
        <SecretDialog
          title={t('Key {name}', { name: created.name })}
          text={t('Copy the key now. It will not be shown again.')}
          secret={created.token}
          onClose={() => setCreated(undefined)}
        />
      )}
    </section>
  )
}

function NewKeyForm(props: { uuid: string; onCreated: (key: CreatedKey) => void }) {
  const [name, setName] = useState('')
  const [typed, setTyped] = useState(NO_BUDGET)
  const action = useAction()
  const create = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      props.onCreated(await createMerchantKey(props.uuid, name, budgetFrom(typed)))
      setName('')
      setTyped(NO_BUDGET)
    })
  }
  return (
    <form class="stack" onSubmit={create}>
      <div class="row">
        <TextField label={t('Name of a new key')} required value={name} onInput={setName} />
        <button type="submit" class="button" disabled={action.busy || name.trim() === ''}>
          {t('Create key')}
        </button>
      </div>
      <details>
        <summary>{t('Budget of the new key')}</summary>
        <BudgetFields typed={typed} onChange={setTyped} problem={action.problem} />
      </details>
      <ProblemNote problem={action.problem} />
    </form>
  )
}
