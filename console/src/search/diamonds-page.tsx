import { useState } from 'preact/hooks'
import { plural } from '../lib/format.ts'
import { currentPlace, go, usePlace } from '../lib/router.ts'
import { Choice } from '../parts/fields.tsx'
import { Loading, ProblemNote } from '../parts/notes.tsx'
import { Wishes } from './filter-chips.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { NothingFound } from './nothing-found.tsx'
import { readWish, type SearchWish, SORTS, writeWish } from './query.ts'
import { useCounts, useFirstPage, usePages } from './results.ts'
import { StoneCards } from './stone-cards.tsx'
import { StoneTable } from './stone-table.tsx'

/** The market: what is looked for at the left, what there is at the right. */
export function SearchPage() {
  const { query } = usePlace()
  const wish = readWish(query)
  const { first, problem, loading, reload } = useFirstPage(wish)
  const counts = useCounts(wish, first?.facets)
  const pages = usePages(wish, loading ? undefined : first)
  const [isOpen, setOpen] = useState(false)
  const total = first?.metadata.total_count ?? 0
  // A drag changes the wish many times; only the first step is one for the back button.
  const change = (next: SearchWish) => {
    const to = writeWish(next)
    go(to, { replace: isSameMovement(to) })
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
          <FilterPanel wish={wish} counts={counts} isOpen={isOpen} onChange={change} />
        </div>
        <section aria-label="Stones found" aria-busy={loading}>
          <ResultsHead wish={wish} total={first ? total : undefined} onChange={change} />
          <Wishes wish={wish} onChange={change} />
          <ProblemNote problem={problem} onRetry={reload} />
          {!first && !problem && <Loading rows={8} height={64} />}
          {first && total === 0 && !loading && (
            <NothingFound wish={wish} relaxations={first.relaxations ?? []} onChange={change} />
          )}
          {first && total > 0 && wish.view === 'table' && (
            <StoneTable total={total} pages={pages} wish={wish} onChange={change} />
          )}
          {first && total > 0 && wish.view === 'cards' && (
            <StoneCards total={total} pages={pages} />
          )}
        </section>
      </div>
    </>
  )
}

const MOVEMENT_MS = 600
let last = { atMs: 0, names: '' }

/** Whether this change is of the same filter as the one before, and follows it closely. */
function isSameMovement(to: string): boolean {
  const names = changedNames(currentPlace().query, new URL(to, window.location.href).searchParams)
  const now = Date.now()
  const isSame = names === last.names && now - last.atMs < MOVEMENT_MS
  last = { atMs: now, names }
  return isSame
}

function changedNames(before: URLSearchParams, after: URLSearchParams): string {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => before.get(name) !== after.get(name)).join()
}

function ResultsHead(props: {
  wish: SearchWish
  total: number | undefined
  onChange: (wish: SearchWish) => void
}) {
  const { wish, total, onChange } = props
  const isAscending = wish.order === 'asc'
  return (
    <div class="results-head">
      <p class="results-count" role="status">
        {total === undefined ? 'Looking …' : plural(total, 'stone')}
      </p>
      <div class="results-tools">
        <Choice
          label="Sort by"
          hideLabel
          value={wish.sort}
          options={SORTS}
          onChange={(sort) => onChange({ ...wish, sort })}
        />
        <button
          type="button"
          class="button is-small"
          onClick={() => onChange({ ...wish, order: isAscending ? 'desc' : 'asc' })}
        >
          {isAscending ? '↑ ascending' : '↓ descending'}
        </button>
        <fieldset class="row">
          <legend class="unseen">Show as</legend>
          {(['cards', 'table'] as const).map((view) => (
            <label key={view} class="chip">
              <input
                type="radio"
                name="view"
                checked={wish.view === view}
                onChange={() => onChange({ ...wish, view })}
              />
              <span>{view === 'cards' ? 'Cards' : 'Table'}</span>
            </label>
          ))}
        </fieldset>
      </div>
    </div>
  )
}
