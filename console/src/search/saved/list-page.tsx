import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { date, dateTime, plural } from '../../lib/format.ts'
import { useOffset } from '../../lib/router.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { showToast } from '../../parts/toast.tsx'
import { addressOf, filterTexts } from './filters.ts'
import { RenameDialog } from './rename-dialog.tsx'
import {
  type Alert,
  changeSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  runSavedSearch,
  type SavedSearch,
} from './requests.ts'
import { ALERTS } from './save-button.tsx'

/** Each search on a page is run to count its stones. */
const LIMIT = 25

/** The searches that the merchant has saved. Nobody knows in which language a name is. */
export function SavedSearchesPage() {
  const offset = useOffset()
  const reading = useRead(String(offset), (signal) =>
    listSavedSearches({ limit: LIMIT, offset }, signal),
  )
  const action = useAction()
  const setAlert = (search: SavedSearch, alert: Alert) =>
    action.run(async () => {
      await changeSavedSearch(search.uuid, { alert })
      showToast(t('The alert of “{name}” has been changed.', { name: search.name }))
      reading.reload()
    })
  const remove = (search: SavedSearch) =>
    action.run(async () => {
      const title = t('Delete “{name}”?', { name: search.name })
      const text = t('You will no longer be told of stones that match it.')
      if (!(await confirmed({ title, text, action: t('Delete'), isDanger: true }))) return
      await deleteSavedSearch(search.uuid)
      showToast(t('“{name}” has been deleted.', { name: search.name }))
      reading.reload()
    })
  const searches = reading.value?.saved_searches
  return (
    <>
      <div class="page-head">
        <h1>{t('Saved searches')}</h1>
        <p class="page-lead">{t('What you look for often, and what you want to be told of.')}</p>
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!searches && !reading.problem && <Loading />}
      {reading.value?.total === 0 && <NothingSaved />}
      {searches && searches.length > 0 && (
        <SearchTable
          searches={searches}
          onAlert={(search, alert) => void setAlert(search, alert)}
          onRemove={(search) => void remove(search)}
          onRenamed={reading.reload}
        />
      )}
      <Pager total={reading.value?.total ?? 0} limit={LIMIT} offset={offset} />
    </>
  )
}

function NothingSaved() {
  return (
    <Empty title={t('You have not saved a search yet')}>
      <p>
        {t('Set filters in the search and choose “Save this search”. It is then listed here.')}{' '}
        {t('If you like, notices tell you of stones that start to match.')}
      </p>
      <a class="button is-main" href="/search">
        {t('Search for diamonds')}
      </a>
    </Empty>
  )
}

interface Actions {
  onAlert: (search: SavedSearch, alert: Alert) => void
  onRemove: (search: SavedSearch) => void
  onRenamed: () => void
}

function SearchTable({ searches, ...actions }: Actions & { searches: SavedSearch[] }) {
  return (
    <ScrollArea label={t('Saved searches')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Search')}</th>
            <th scope="col" class="number">
              {t('Match now')}
            </th>
            <th scope="col" id={ALERT_HEAD}>
              {t('Alert')}
            </th>
            <th scope="col">{t('Saved on')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {searches.map((search) => (
            <SearchRow key={search.uuid} search={search} {...actions} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function SearchRow({ search, ...actions }: Actions & { search: SavedSearch }) {
  const { uuid, name, created_on } = search
  return (
    <tr>
      <td class="saved-name">
        <a id={nameId(search)} href={addressOf(search) ?? `/saved/${uuid}`} lang="">
          {name}
        </a>
        <p class="muted small">{filterTexts(search).join(' · ')}</p>
      </td>
      <td class="number">
        <MatchCount search={search} />
      </td>
      <td>
        <AlertSelect search={search} onChange={(next) => actions.onAlert(search, next)} />
      </td>
      <td title={dateTime(created_on)}>{date(created_on)}</td>
      <td>{mayDo('orders:write') && <RowButtons search={search} {...actions} />}</td>
    </tr>
  )
}

const ALERT_HEAD = 'saved-alert'
const nameId = ({ uuid }: SavedSearch) => `saved-${uuid}`

/** It is named by the head of its column and the name of its search. */
function AlertSelect(props: { search: SavedSearch; onChange: (alert: Alert) => void }) {
  const { search, onChange } = props
  if (!mayDo('orders:write')) return <>{ALERTS.find(([alert]) => alert === search.alert)?.[1]}</>
  return (
    <select
      class="input"
      aria-labelledby={`${ALERT_HEAD} ${nameId(search)}`}
      value={search.alert}
      onChange={(event) => onChange(event.currentTarget.value as Alert)}
    >
      {ALERTS.map(([alert, label]) => (
        <option key={alert} value={alert}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** How many stones match now. */
function MatchCount({ search: { uuid, updated_on } }: { search: SavedSearch }) {
  const reading = useRead(`${uuid} ${updated_on}`, (signal) =>
    runSavedSearch(uuid, { limit: 1, offset: 0 }, signal),
  )
  if (reading.problem) return <>–</>
  return <>{reading.value ? plural(reading.value.total, 'stone') : '…'}</>
}

function RowButtons(props: Actions & { search: SavedSearch }) {
  const { search, onRemove, onRenamed } = props
  const [isRenaming, setRenaming] = useState(false)
  const close = () => setRenaming(false)
  return (
    <div class="row">
      <button type="button" class="button is-small" onClick={() => setRenaming(true)}>
        {t('Rename')}
        <span class="visually-hidden" lang="">
          {' '}
          {search.name}
        </span>
      </button>
      <button type="button" class="button is-small is-quiet" onClick={() => onRemove(search)}>
        {t('Delete')}
        <span class="visually-hidden" lang="">
          {' '}
          {search.name}
        </span>
      </button>
      {isRenaming && <RenameDialog search={search} onDone={onRenamed} onClose={close} />}
    </div>
  )
}
