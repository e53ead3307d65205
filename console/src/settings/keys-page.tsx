import { useState } from 'preact/hooks'
import { useAction, useRead } from '../api/hooks.ts'
import { type CreatedKey, createKey, type Key, listKeys, revokeKey } from '../api/keys.ts'
import { session } from '../api/session-store.ts'
import { date, fromNow } from '../lib/format.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Checkbox, SelectField, TextField } from '../parts/fields.tsx'
import { Secret } from '../parts/secret.tsx'
import { showToast } from '../parts/toast.tsx'
import { SettingsTabs } from './head.tsx'

const LIVES = [
  ['', 'Until it is revoked'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
] as const

/** The merchant's own keys: shown once, revoked at once. */
export function KeysPage() {
  const reading = useRead('keys', (signal) => listKeys(signal))
  const [isMaking, setMaking] = useState(false)
  const action = useAction()
  const revoke = (key: Key) =>
    action.run(async () => {
      await revokeKey(key.uuid)
      showToast(`The key ${key.name} no longer works.`)
      reading.reload()
    })
  return (
    <>
      <div class="page-head">
        <h1>Settings</h1>
        <div class="page-tools">
          <button type="button" class="button is-main" onClick={() => setMaking(true)}>
            Make a key
          </button>
        </div>
      </div>
      <SettingsTabs />
      <ProblemNote problem={action.problem ?? reading.problem} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value?.total === 0 && <Empty title="No key yet" />}
      {reading.value && reading.value.total > 0 && (
        <KeyTable keys={reading.value.tokens} onRevoke={(key) => void revoke(key)} />
      )}
      {isMaking && (
        <KeyDialog
          onClose={() => {
            setMaking(false)
            reading.reload()
          }}
        />
      )}
    </>
  )
}

function KeyTable({ keys, onRevoke }: { keys: Key[]; onRevoke: (key: Key) => void }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by key
    <section class="panel wide-scroll" tabIndex={0} aria-label="Keys">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Ends with</th>
            <th scope="col">May</th>
            <th scope="col">Last used</th>
            <th scope="col">Ends</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.uuid}>
              <td>{key.name || '–'}</td>
              <td class="mono">…{key.hint}</td>
              <td class="small muted">{key.scopes.join(', ')}</td>
              <td>{fromNow(key.last_used_on)}</td>
              <td>{key.expires_on ? date(key.expires_on) : 'never'}</td>
              <td>
                {key.revoked_on ? (
                  <span class="tag is-bad">revoked</span>
                ) : (
                  <button
                    type="button"
                    class="button is-small is-danger"
                    onClick={() => onRevoke(key)}
                  >
                    Revoke<span class="visually-hidden"> {key.name}</span>
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function KeyDialog({ onClose }: { onClose: () => void }) {
  const own = session.get()?.scopes ?? []
  const [name, setName] = useState('')
  const [life, setLife] = useState('')
  const [scopes, setScopes] = useState(own)
  const [made, setMade] = useState<CreatedKey>()
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const ends = life ? { expires_in_days: Number(life) } : {}
      setMade(await createKey({ name, scopes, ...ends }))
    })
  }
  if (made) {
    return (
      <Dialog title={`The key ${made.name}`} onClose={onClose}>
        <p>Copy it now: it is shown this once.</p>
        <Secret text={made.token} />
        <div class="dialog-foot">
          <button type="button" class="button is-main" onClick={onClose}>
            Done
          </button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title="Make a key" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField label="What it is for" required value={name} onInput={setName} />
        <SelectField<string> label="It lives" value={life} options={LIVES} onChange={setLife} />
        <fieldset>
          <legend class="field-label">It may</legend>
          <div class="row">
            {own.map((scope) => (
              <Checkbox
                key={scope}
                checked={scopes.includes(scope)}
                onChange={(on) =>
                  setScopes(own.filter((each) => (each === scope ? on : scopes.includes(each))))
                }
              >
                {scope}
              </Checkbox>
            ))}
          </div>
        </fieldset>
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class="button is-main"
            disabled={action.busy || scopes.length === 0 || name.trim() === ''}
          >
            Make it
          </button>
        </div>
      </form>
    </Dialog>
  )
}
