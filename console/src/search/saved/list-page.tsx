import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { date, dateTime, plural } from '../../lib/format.ts'
import type { Cell } from '../../lib/workbook.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { BulkButton } from '../../parts/table/bulk-button.tsx'
import { SelectAll, SelectRow } from '../../parts/table/selection.tsx'
import { SortHead } from '../../parts/table/sort.tsx'
import {
  ListNotes,
  ListTools,
  useWholeList,
  type WholeList,
} from '../../parts/table/whole-list.tsx'
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

/** As many as a merchant may save, so that the page has all of them. */
const LIMIT = 100

/** The searches that the merchant has saved. Nobody knows in which language a name is. */
export function SavedSearchesPage() {
  const reading = useRead('saved', (signal) =>
    listSavedSearches({ limit: LIMIT, offset: 0 }, signal),
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
  const list = useWholeList(searches, LIST)
  return (
    <>
      <div class="page-head">
        <h1>{t('Saved searches')}</h1>
        <div class="page-tools">
          <ListTools list={list} name={t('saved-searches.csv')} />
        </div>
        <p class="page-lead">{t('What you look for often, and what you want to be told of.')}</p>
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!searches && !reading.problem && <Loading />}
      {reading.value?.total === 0 && <NothingSaved />}
      <SelectedSearches list={list} onDone={reading.reload} />
      {list.rows.length > 0 && (
        <SearchTable
          list={list}
          onAlert={(search, alert) => void setAlert(search, alert)}
          onRemove={(search) => void remove(search)}
          onRenamed={reading.reload}
        />
      )}
    </>
  )
}

/** Deletes several at once. */
function SelectedSearches(props: { list: WholeList<SavedSearch>; onDone: () => void }) {
  const { selection } = props.list
  const count = selection.rows.length
  return (
    <ListNotes list={props.list}>
      <BulkButton
        selection={selection}
        scope="orders:write"
        rows={selection.rows}
        label={t('Delete {searches}', { searches: plural(count, 'search', 'searches') })}
        text={t('You will no longer be told of stones that match them.')}
        isDanger
        step={({ uuid }) => deleteSavedSearch(uuid)}
        onDone={props.onDone}
      />
    </ListNotes>
  )
}

const alertText = ({ alert }: SavedSearch) => ALERTS.find(([each]) => each === alert)?.[1]
const VALUES = {
  search: ({ name }: SavedSearch) => name,
  alert: alertText,
  saved: ({ created_on }: SavedSearch) => created_on,
}
const COLUMNS: readonly (readonly [string, (search: SavedSearch) => Cell])[] = [
  [t('Search'), ({ name }) => name],
  [t('Filters'), (search) => filterTexts(search).join(' · ')],
  [t('Alert'), alertText],
  [t('Saved on'), ({ created_on }) => created_on],
]
const LIST = { idOf: ({ uuid }: SavedSearch) => uuid, columns: COLUMNS, values: VALUES }

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

function SearchTable({ list, ...actions }: Actions & { list: WholeList<SavedSearch> }) {
  const { rows, selection } = list
  return (
    <ScrollArea label={t('Saved searches')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={rows} />
            <SortHead by="search">{t('Search')}</SortHead>
            <th scope="col" class="number">
              {t('Match now')}
            </th>
            <SortHead by="alert">
              <span id={ALERT_HEAD}>{t('Alert')}</span>
            </SortHead>
            <SortHead by="saved" first="desc">
              {t('Saved on')}
            </SortHead>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((search) => (
            <tr key={search.uuid}>
              <SelectRow selection={selection} row={search} name={search.name} isTyped />
              <SearchCells search={search} {...actions} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function SearchCells({ search, ...actions }: Actions & { search: SavedSearch }) {
  const { uuid, name, created_on } = search
  return (
    <>
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
    </>
  )
}

const ALERT_HEAD = 'saved-alert'
const nameId = ({ uuid }: SavedSearch) => `saved-${uuid}`

/** It is named by the head of its column and the name of its search. */
function AlertSelect(props: { search: SavedSearch; onChange: (alert: Alert) => void }) {
  const { search, onChange } = props
  if (!mayDo('orders:write')) return <>{alertText(search)}</>
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
