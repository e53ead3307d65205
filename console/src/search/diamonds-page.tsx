import { useMemo } from 'preact/hooks'
import { usePageActions } from '../find/page-actions.ts'
import { t, tIn } from '../language/language.ts'
import { plural } from '../lib/format.ts'
import { useMedia } from '../lib/media.ts'
import { currentLocation, go, useLocation } from '../lib/router.ts'
import { useStore } from '../lib/store.ts'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField } from '../parts/fields.tsx'
import { RateNote, useOwnRate } from '../stones/own-rate.tsx'
import { ChangedStones } from './changed-stones.tsx'
import { chipsOf } from './chips.ts'
import { FilterChips } from './filters/filter-chips.tsx'
import { FilterPanel } from './filters/filter-panel.tsx'
import { FilterSheet } from './filters/filter-sheet.tsx'
import { NothingFound } from './nothing-found.tsx'
import { usePages } from './pages.ts'
import { StonePairs } from './pairs/stone-pairs.tsx'
import {
  filtersOf,
  parseQuery,
  type SearchQuery,
  searchUrl,
  VIEWS,
  withoutFilters,
} from './query.ts'
import { asListed, searchEarly, useCounts, useFacets, useFirstPage } from './results.ts'
import { SaveSearchButton } from './saved/save-button.tsx'
import { SHOWN_SORTS } from './sorts.ts'
import { StoneCards } from './stone-cards.tsx'
import { layout } from './table/layout.ts'
import { StoneTable } from './table/stone-table.tsx'

const VIEW_NAMES = { cards: t('Cards'), table: tIn('view', 'Table'), pairs: t('Pairs') }
const SHOW_AS = {
  cards: t('Show as cards'),
  table: t('Show as table'),
  pairs: t('Show as pairs'),
}

/** The diamond search: the filters on the left, the matching stones on the right. */
export function DiamondsPage() {
  const { params } = useLocation()
  const query = useMemo(() => parseQuery(params), [params])
  const { first, problem, loading, reload } = useFirstPage(query)
  const counts = useCounts(query, useFacets(query, loading ? undefined : first))
  const listed = useMemo(() => asListed(query, first), [query, first])
  const pages = usePages(listed, loading ? undefined : first)
  const isNarrow = useMedia('(max-width: 900px)')
  const { isFilterHidden } = useStore(layout)
  const total = first?.total ?? 0
  const chips = chipsOf(query)
  const clear = () => change(withoutFilters(query))
  usePageActions(actionsOf(query))
  // The filters are half of the page; a new list alone does not draw them again.
  const panel = useMemo(
    () => <FilterPanel query={query} counts={counts} onChange={change} />,
    [query, counts],
  )
  const isFull = isNarrow || (isFilterHidden && query.view === 'table')
  return (
    <>
      <div class="page-head">
        <h1>{t('Diamonds')}</h1>
        {isNarrow && (
          <FilterSheet
            used={chips.length}
            total={first && !loading ? total : undefined}
            onClear={clear}
          >
            {panel}
          </FilterSheet>
        )}
      </div>
      <div class={isFull ? 'search is-full' : 'search'}>
        {!isFull && panel}
        <section id="results" tabIndex={-1} aria-label={t('Search results')} aria-busy={loading}>
          <ResultsHead
            query={query}
            listed={listed}
            total={first ? total : undefined}
            onChange={change}
          />
          <ChangedStones query={listed} shown={loading ? undefined : first} onShow={reload} />
          <UnreadWords words={params.get('unread')} />
          <FilterChips chips={chips} onChange={change} onClear={clear} />
          <ProblemNote problem={problem} onRetry={reload} />
          {!first && !problem && <Loading rows={8} height={64} />}
          {first && total === 0 && !loading && (
            <NothingFound query={query} relaxations={first.relaxations ?? []} onChange={change} />
          )}
          {first && total > 0 && query.view === 'table' && (
            <StoneTable total={total} pages={pages} query={listed} onChange={change} />
          )}
          {first && total > 0 && query.view === 'pairs' && (
            <StonePairs query={listed} total={total} />
          )}
          {first && total > 0 && query.view === 'cards' && (
            <StoneCards total={total} pages={pages} search={searchUrl(query)} />
          )}
        </section>
      </div>
    </>
  )
}

/** What the command palette offers on this page. */
function actionsOf(query: SearchQuery) {
  return [
    ...VIEWS.map((view) => ({ label: SHOW_AS[view], run: () => change({ ...query, view }) })),
    { label: t('Clear all filters'), run: () => change(withoutFilters(query)) },
    ...SHOWN_SORTS.map(([sort, label]) => ({
      label: t('Sort by {field}', { field: label }),
      run: () => change({ ...query, sort }),
    })),
  ]
}

/** Dragging a handle changes the query many times, but is one step for the back button. */
function change(next: SearchQuery): void {
  searchEarly(next)
  const to = searchUrl(next)
  go(to, { replace: isSameDrag(to), drawFirst: true })
}

/** Changes of one filter that follow each other within this time count as one drag. */
const DRAG_MS = 600
let lastChange = { atMs: 0, names: '' }

/** Whether this change concerns the same filter as the last one, and follows it closely. */
function isSameDrag(to: string): boolean {
  const names = changedNames(
    currentLocation().params,
    new URL(to, window.location.href).searchParams,
  )
  const now = Date.now()
  const isSame = names === lastChange.names && now - lastChange.atMs < DRAG_MS
  lastChange = { atMs: now, names }
  return isSame
}

function changedNames(before: URLSearchParams, after: URLSearchParams): string {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => before.get(name) !== after.get(name)).join()
}

/** Words of the search box that are not in the filters. The next change of a filter drops them. */
function UnreadWords({ words }: { words: string | null }) {
  if (!words) return null
  const named = words.split(',').map((word) => t('“{word}”', { word }))
  return (
    <p class="note is-warn unread" role="status">
      {t('Not understood, and not part of this search: {words}', { words: named.join(', ') })}
    </p>
  )
}

/** Which stones come first, in words, and why it is not what was asked for. */
function orderText(query: SearchQuery, { view, sort, order }: SearchQuery): string {
  if (view === 'pairs') return ''
  if (sort !== query.sort) {
    return order === 'asc'
      ? t('The lowest price first: none of these stones has a list price')
      : t('The highest price first: none of these stones has a list price')
  }
  const found = SHOWN_SORTS.find(([name]) => name === sort) ?? SHOWN_SORTS[0]
  return found[order === 'asc' ? 2 : 3]
}

function ResultsHead(props: {
  query: SearchQuery
  listed: SearchQuery
  total: number | undefined
  onChange: (query: SearchQuery) => void
}) {
  const { query, listed, total, onChange } = props
  const rate = useOwnRate()
  const isAscending = query.order === 'asc'
  return (
    <div class="results-head">
      <p class="results-count" role="status">
        {total === undefined ? t('Searching …') : plural(total, 'stone')}
      </p>
      <p class="muted small">{orderText(query, listed)}</p>
      <RateNote
        rate={rate}
        text={t('Prices are in {currency}.', { currency: rate?.currency ?? '' })}
      />
      <div class="results-tools">
        <SelectField
          label={t('Sort by')}
          hideLabel
          value={query.sort}
          options={SHOWN_SORTS.map(([name, label]) => [name, label])}
          onChange={(sort) => onChange({ ...query, sort })}
        />
        <button
          type="button"
          class="button is-small"
          onClick={() => onChange({ ...query, order: isAscending ? 'desc' : 'asc' })}
        >
          {isAscending ? `↑ ${t('Ascending')}` : `↓ ${t('Descending')}`}
        </button>
        <SaveSearchButton kind="diamond" filters={filtersOf(query)} />
        <fieldset class="row">
          <legend class="visually-hidden">{t('Show as')}</legend>
          {VIEWS.map((view) => (
            <label key={view} class="chip">
              <input
                type="radio"
                name="view"
                checked={query.view === view}
                onChange={() => onChange({ ...query, view })}
              />
              <span>{VIEW_NAMES[view]}</span>
            </label>
          ))}
        </fieldset>
      </div>
    </div>
  )
}
