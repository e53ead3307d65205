import { useState } from 'preact/hooks'
import { useAction, useRead } from '../api/hooks.ts'
import {
  type CreatedKey,
  createKey,
  type Key,
  listKeys,
  type NewKey,
  revokeKey,
} from '../api/keys.ts'
import { session } from '../api/session-store.ts'
import { date, fromNow } from '../lib/format.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Checkbox, SelectField, TextField } from '../parts/fields.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { showToast } from '../parts/toast.tsx'
import { SettingsHead } from './head.tsx'

const LIFETIMES = [
  ['', 'Does not expire'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'One year'],
] as const

/** The merchant's own API keys. A key itself is shown only when it is created. */
export function KeysPage() {
  const reading = useRead('keys', (signal) => listKeys(signal))
  const [isCreating, setCreating] = useState(false)
  // A session that a key opened can change keys only if that key can.
  const mayWrite = session.get()?.scopes.includes('keys:write') ?? false
  const action = useAction()
  const revoke = (key: Key) =>
    action.run(async () => {
      await revokeKey(key.uuid)
      showToast(`The key ${key.name} has been revoked.`)
      reading.reload()
    })
  return (
    <>
      <SettingsHead>
        {mayWrite && (
          <button type="button" class="button is-main" onClick={() => setCreating(true)}>
            Create a key
          </button>
        )}
      </SettingsHead>
      <ProblemNote problem={action.problem ?? reading.problem} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value?.total === 0 && <Empty title="No keys yet" />}
      {reading.value && reading.value.total > 0 && (
        <KeyTable
          keys={reading.value.tokens}
          mayWrite={mayWrite}
          onRevoke={(key) => void revoke(key)}
        />
      )}
      {isCreating && (
        <KeyDialog
          onClose={() => {
            setCreating(false)
            reading.reload()
          }}
        />
      )}
    </>
  )
}

interface KeyTableProps {
  keys: Key[]
  mayWrite: boolean
  onRevoke: (key: Key) => void
}

function KeyTable({ keys, mayWrite, onRevoke }: KeyTableProps) {
  return (
    <ScrollArea label="Keys">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Ends with</th>
            <th scope="col">Scopes</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
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
              <td>{key.expires_on ? date(key.expires_on) : 'Never'}</td>
              <td>
                {key.revoked_on && <span class="tag is-bad">Revoked</span>}
                {!key.revoked_on && mayWrite && (
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
    </ScrollArea>
  )
}

function KeyDialog({ onClose }: { onClose: () => void }) {
  // A key can have no scope that the session lacks.
  const own = (session.get()?.scopes ?? []) as NonNullable<NewKey['scopes']>
  const [name, setName] = useState('')
  const [days, setDays] = useState('')
  const [scopes, setScopes] = useState<typeof own>(own.filter((scope) => scope !== 'keys:write'))
  const [created, setCreated] = useState<CreatedKey>()
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const expiry = days ? { expires_in_days: Number(days) } : {}
      setCreated(await createKey({ name, scopes, ...expiry }))
    })
  }
  if (created) {
    return (
      <SecretDialog
        title={`Key ${created.name}`}
        text="Copy the key now. It will not be shown again."
        secret={created.token}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField label="Name" required value={name} onInput={setName} />
        <SelectField<string>
          label="Expires after"
          value={days}
          options={LIFETIMES}
          onChange={setDays}
        />
        <fieldset>
          <legend class="field-label">Scopes</legend>
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
            Create key
          </button>
        </div>
      </form>
    </Dialog>
  )
}
