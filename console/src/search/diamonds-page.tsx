import { useState } from 'preact/hooks'
import { plural } from '../lib/format.ts'
import { currentLocation, go, useLocation } from '../lib/router.ts'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField } from '../parts/fields.tsx'
import { FilterChips } from './filter-chips.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { NothingFound } from './nothing-found.tsx'
import { parseQuery, type SearchQuery, SORTS, searchUrl } from './query.ts'
import { useCounts, useFirstPage, usePages } from './results.ts'
import { StoneCards } from './stone-cards.tsx'
import { StoneTable } from './stone-table.tsx'

/** The diamond search: the filters on the left, the matching stones on the right. */
export function DiamondsPage() {
  const { params } = useLocation()
  const query = parseQuery(params)
  const { first, problem, loading, reload } = useFirstPage(query)
  const counts = useCounts(query, first?.facets)
  const pages = usePages(query, loading ? undefined : first)
  const [isOpen, setOpen] = useState(false)
  const total = first?.metadata.total_count ?? 0
  // Dragging a handle changes the query many times, but is one step for the back button.
  const change = (next: SearchQuery) => {
    const to = searchUrl(next)
    go(to, { replace: isSameDrag(to) })
  }

  return (
    <>
      <div class="page-head">
        <h1>Diamonds</h1>
      </div>
      <div class="search">
        <div>
          <button
            type="button"
            class="button filters-toggle"
            aria-expanded={isOpen}
            aria-controls="filters"
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide filters' : 'Filters'}
          </button>
          <FilterPanel query={query} counts={counts} isOpen={isOpen} onChange={change} />
        </div>
        <section aria-label="Search results" aria-busy={loading}>
          <ResultsHead query={query} total={first ? total : undefined} onChange={change} />
          <FilterChips query={query} onChange={change} />
          <ProblemNote problem={problem} onRetry={reload} />
          {!first && !problem && <Loading rows={8} height={64} />}
          {first && total === 0 && !loading && (
            <NothingFound query={query} relaxations={first.relaxations ?? []} onChange={change} />
          )}
          {first && total > 0 && query.view === 'table' && (
            <StoneTable total={total} pages={pages} query={query} onChange={change} />
          )}
          {first && total > 0 && query.view === 'cards' && (
            <StoneCards total={total} pages={pages} />
          )}
        </section>
      </div>
    </>
  )
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

function ResultsHead(props: {
  query: SearchQuery
  total: number | undefined
  onChange: (query: SearchQuery) => void
}) {
  const { query, total, onChange } = props
  const isAscending = query.order === 'asc'
  return (
    <div class="results-head">
      <p class="results-count" role="status">
        {total === undefined ? 'Searching …' : plural(total, 'stone')}
      </p>
      <div class="results-tools">
        <SelectField
          label="Sort by"
          hideLabel
          value={query.sort}
          options={SORTS}
          onChange={(sort) => onChange({ ...query, sort })}
        />
        <button
          type="button"
          class="button is-small"
          onClick={() => onChange({ ...query, order: isAscending ? 'desc' : 'asc' })}
        >
          {isAscending ? '↑ Ascending' : '↓ Descending'}
        </button>
        <fieldset class="row">
          <legend class="visually-hidden">Show as</legend>
          {(['cards', 'table'] as const).map((view) => (
            <label key={view} class="chip">
              <input
                type="radio"
                name="view"
                checked={query.view === view}
                onChange={() => onChange({ ...query, view })}
              />
              <span>{view === 'cards' ? 'Cards' : 'Table'}</span>
            </label>
          ))}
        </fieldset>
      </div>
    </div>
  )
}
