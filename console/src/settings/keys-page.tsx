import { useState } from 'preact/hooks'
import { useAction, useRead } from '../api/hooks.ts'
import { type Key, listKeys, revokeKey } from '../api/keys.ts'
import { session } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { date, fromNow } from '../lib/format.ts'
import type { Cell } from '../lib/workbook.ts'
import { budgetText } from '../parts/budget.tsx'
import { confirmed } from '../parts/confirm.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { SelectAll, SelectRow } from '../parts/table/selection.tsx'
import { SortHead } from '../parts/table/sort.tsx'
import { ListNotes, ListTools, useWholeList, type WholeList } from '../parts/table/whole-list.tsx'
import { showToast } from '../parts/toast.tsx'
import { SettingsHead } from './head.tsx'
import { KeyDialog } from './key-dialog.tsx'

/** The merchant's own API keys. A key itself is shown only when it is created. */
export function KeysPage() {
  const reading = useRead('keys', (signal) => listKeys(signal))
  const [isCreating, setCreating] = useState(false)
  // A session that a key opened can change keys only if that key can.
  const mayWrite = session.get()?.scopes.includes('keys:write') ?? false
  const action = useAction()
  const revoke = (key: Key) =>
    action.run(async () => {
      const title = t('Revoke the key {name}?', { name: key.name || key.hint })
      const text = t(
        'What uses it is refused at once, and so are keys and sessions that were made with it.',
      )
      if (!(await confirmed({ title, text, action: t('Revoke'), isDanger: true }))) return
      await revokeKey(key.uuid)
      showToast(t('The key {name} has been revoked.', { name: key.name }))
      reading.reload()
    })
  const list = useWholeList(reading.value?.tokens, LIST)
  return (
    <>
      <SettingsHead>
        <ListTools list={list} name={t('keys.csv')} />
        {mayWrite && (
          <button type="button" class="button is-main" onClick={() => setCreating(true)}>
            {t('Create a key')}
          </button>
        )}
      </SettingsHead>
      <ProblemNote problem={action.problem ?? reading.problem} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value?.total === 0 && <Empty title={t('No keys yet')} />}
      <ListNotes list={list} />
      {list.rows.length > 0 && (
        <KeyTable list={list} mayWrite={mayWrite} onRevoke={(key) => void revoke(key)} />
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
  list: WholeList<Key>
  mayWrite: boolean
  onRevoke: (key: Key) => void
}

const VALUES = {
  name: ({ name, hint }: Key) => name || hint,
  used: ({ last_used_on }: Key) => last_used_on,
  expires: ({ expires_on }: Key) => expires_on,
}
const COLUMNS: readonly (readonly [string, (key: Key) => Cell])[] = [
  [t('Name'), ({ name }) => name],
  [t('Ends with'), ({ hint }) => hint],
  [t('Origins, scopes'), ({ origins, scopes }) => [...origins, ...scopes].join(' ')],
  [t('Budget'), ({ budget }) => budgetText(budget)],
  [t('Last used'), ({ last_used_on }) => last_used_on],
  [t('Expires'), ({ expires_on }) => expires_on],
  [t('Revoked'), ({ revoked_on }) => revoked_on],
]
const LIST = { idOf: ({ uuid }: Key) => uuid, columns: COLUMNS, values: VALUES }

function KeyTable({ list, mayWrite, onRevoke }: KeyTableProps) {
  const { rows, selection } = list
  return (
    <ScrollArea label={t('Keys')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={rows} />
            <SortHead by="name">{t('Name')}</SortHead>
            <th scope="col">{t('Ends with')}</th>
            <th scope="col">{t('Origins, scopes')}</th>
            <th scope="col">{t('Budget')}</th>
            <SortHead by="used" first="desc">
              {t('Last used')}
            </SortHead>
            <SortHead by="expires">{t('Expires')}</SortHead>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((key) => (
            <tr key={key.uuid}>
              <SelectRow selection={selection} row={key} name={key.name || key.hint} />
              <td>
                <span class="number">{key.name || '–'}</span>
              </td>
              <td class="mono">…{key.hint}</td>
              <td class="small muted mono">{[...key.origins, ...key.scopes].join(', ')}</td>
              <td>
                <span class="number">{budgetText(key.budget)}</span>
              </td>
              <td>
                <span class="number">{fromNow(key.last_used_on)}</span>
              </td>
              <td>{key.expires_on ? date(key.expires_on) : t('Never')}</td>
              <td>
                {key.revoked_on && <span class="tag is-bad">{t('Revoked')}</span>}
                {!key.revoked_on && mayWrite && (
                  <button
                    type="button"
                    class="button is-small is-danger"
                    onClick={() => onRevoke(key)}
                  >
                    {t('Revoke')}
                    <span class="visually-hidden"> {key.name}</span>
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
