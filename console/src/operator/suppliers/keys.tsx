import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  type CreatedSupplierKey,
  createSupplierKey,
  listSupplierKeys,
  revokeSupplierKey,
  rotateSupplierKey,
  type SupplierKey,
} from '../../api/operator/supplier-access.ts'
import type { Supplier } from '../../api/operator/suppliers.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { date, fromNow, isPast } from '../../lib/format.ts'
import type { Cell } from '../../lib/workbook.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import { SelectAll, SelectRow } from '../../parts/table/selection.tsx'
import { SortHead } from '../../parts/table/sort.tsx'
import {
  ListNotes,
  ListTools,
  useWholeList,
  type WholeList,
} from '../../parts/table/whole-list.tsx'

/** The keys with which the supplier's programs call, and open sessions. */
export function SupplierKeys({ supplier: { uuid } }: { supplier: Supplier }) {
  const reading = useRead(`keys ${uuid}`, (signal) => listSupplierKeys(uuid, signal))
  const [created, setCreated] = useState<CreatedSupplierKey>()
  const action = useAction()
  const make = (work: () => Promise<CreatedSupplierKey | undefined>) =>
    void action.run(async () => {
      setCreated(await work())
      reading.reload()
    })
  const rotate = (key: SupplierKey) =>
    make(async () => {
      const overlap_seconds = DAY_SECONDS
      return (await isRotationMeant(key))
        ? rotateSupplierKey(key.uuid, { overlap_seconds })
        : undefined
    })
  const revoke = (key: SupplierKey) =>
    void action.run(async () => {
      if (!(await isRevocationMeant(key))) return
      await revokeSupplierKey(key.uuid)
      reading.reload()
    })
  const active = reading.value?.tokens.filter(isActive)
  const list = useWholeList(active, LIST)
  return (
    <section class="panel stack" aria-labelledby="keys">
      <h2 id="keys">{t('Keys and sessions')}</h2>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!active && !reading.problem && <Loading rows={2} />}
      {active?.length === 0 && <p class="muted">{t('No keys yet.')}</p>}
      <div class="row list-tools">
        <ListTools list={list} name={t('keys.csv')} />
      </div>
      <ListNotes list={list} />
      {list.rows.length > 0 && <KeyTable list={list} onRotate={rotate} onRevoke={revoke} />}
      {mayDo('keys:write') && (
        <NewKey busy={action.busy} onCreate={(name) => make(() => createSupplierKey(uuid, name))} />
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

const DAY_SECONDS = 24 * 60 * 60

function isActive({ revoked_on, expires_on }: SupplierKey): boolean {
  return revoked_on === null && (expires_on === null || !isPast(expires_on))
}

const VALUES = {
  name: ({ name, hint }: SupplierKey) => name || hint,
  created: ({ created_on }: SupplierKey) => created_on,
  used: ({ last_used_on }: SupplierKey) => last_used_on,
  expires: ({ expires_on }: SupplierKey) => expires_on,
}
const COLUMNS: readonly (readonly [string, (key: SupplierKey) => Cell])[] = [
  [t('Name'), nameOf],
  [t('Ends with'), ({ hint }) => hint],
  [t('Created'), ({ created_on }) => created_on],
  [t('Last used'), ({ last_used_on }) => last_used_on],
  [t('Expires'), ({ expires_on }) => expires_on],
]
const idOf = ({ uuid }: SupplierKey) => uuid
/** The users on the same page have a filter of their own. */
const LIST = { idOf, columns: COLUMNS, values: VALUES, param: 'keys' }

function nameOf({ name }: SupplierKey): string {
  return name || t('Session')
}

function KeyTable(props: {
  list: WholeList<SupplierKey>
  onRotate: (key: SupplierKey) => void
  onRevoke: (key: SupplierKey) => void
}) {
  const { rows, selection } = props.list
  return (
    <ScrollArea label={t('All keys')} class="wide-scroll">
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={rows} />
            <SortHead by="name">{t('Name')}</SortHead>
            <SortHead by="created">{t('Created')}</SortHead>
            <SortHead by="used" first="desc">
              {t('Last used')}
            </SortHead>
            <SortHead by="expires">{t('Expires')}</SortHead>
            <th scope="col">{t('Change')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((key) => (
            <tr key={key.uuid}>
              <SelectRow selection={selection} row={key} name={`${nameOf(key)} …${key.hint}`} />
              <td>
                <span lang="">{nameOf(key)}</span> <span class="mono muted">…{key.hint}</span>
              </td>
              <td>{date(key.created_on)}</td>
              <td>{fromNow(key.last_used_on)}</td>
              <td>{key.expires_on ? date(key.expires_on) : t('never')}</td>
              <td>
                <span class="row">
                  {mayDo('keys:write') && (
                    <button
                      type="button"
                      class="button is-small is-quiet"
                      aria-label={t('Replace key …{hint}', { hint: key.hint })}
                      onClick={() => props.onRotate(key)}
                    >
                      {t('Replace')}
                    </button>
                  )}
                  {mayDo('settings:write') && (
                    <button
                      type="button"
                      class="button is-small is-danger"
                      aria-label={t('Revoke key …{hint}', { hint: key.hint })}
                      onClick={() => props.onRevoke(key)}
                    >
                      {t('Revoke')}
                    </button>
                  )}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function NewKey({ busy, onCreate }: { busy: boolean; onCreate: (name: string) => void }) {
  const [name, setName] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    onCreate(name.trim())
    setName('')
  }
  return (
    <form class="row" onSubmit={submit}>
      <TextField label={t('Name of a new key')} required value={name} onInput={setName} />
      <button type="submit" class="button" disabled={busy || name.trim() === ''}>
        {t('Create key')}
      </button>
    </form>
  )
}

function isRevocationMeant({ hint }: SupplierKey): Promise<boolean> {
  return confirmed({
    title: t('Revoke key …{hint}?', { hint }),
    text: t('What uses it is refused at once, and so is what was made with it.'),
    action: t('Revoke'),
    isDanger: true,
  })
}

function isRotationMeant({ hint }: SupplierKey): Promise<boolean> {
  return confirmed({
    title: t('Replace key …{hint}?', { hint }),
    text: t('A new key is made and shown once. The old one works for one more day.'),
    action: t('Replace'),
  })
}
