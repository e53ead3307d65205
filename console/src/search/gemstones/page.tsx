import { type Filters, searchGemstones } from '../../api/gems.ts'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../language/language.ts'
import { plural } from '../../lib/format.ts'
import { useMedia } from '../../lib/media.ts'
import { go, useLocation, useOffset, withParams } from '../../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { Pager } from '../../parts/pager.tsx'
import { StoneCard } from '../../stones/card.tsx'
import { FilterChips } from '../filters/filter-chips.tsx'
import { FilterSheet } from '../filters/filter-sheet.tsx'
import { filterTexts } from '../saved/filters.ts'
import { SaveSearchButton } from '../saved/save-button.tsx'
import { BEST_VALUE, SHOWN_SORTS } from '../sorts.ts'
import { useGemstoneCounts } from './counts.ts'
import { GemstonePanel } from './filter-panel.tsx'
import { gemstoneFilters, NO_FILTERS, paramsOf } from './filters.ts'

const LIMIT = 48

/** Colors of gemstones have no grades, and the trade has no list prices for them. */
const SORTS = SHOWN_SORTS.filter(([name]) => name !== 'color' && name !== BEST_VALUE)

/** The search for gemstones: the filters on the left, the matching stones on the right. */
export function GemstonesPage() {
  const { params } = useLocation()
  const offset = useOffset()
  const { sort_col, sort_order } = sortIn(params)
  const filters = gemstoneFilters(params)
  const search = { filters, limit: LIMIT, offset, sort_col, sort_order }
  const reading = useRead(JSON.stringify(search), (signal) => searchGemstones(search, signal))
  const counts = useGemstoneCounts(filters)
  const isNarrow = useMedia('(max-width: 900px)')
  const total = reading.value?.total
  const chips = chipsOf(filters)
  return (
    <>
      <div class="page-head">
        <h1>{t('Gemstones')}</h1>
        {isNarrow && (
          <FilterSheet used={chips.length} total={total} onClear={() => show({})}>
            <GemstonePanel counts={counts} />
          </FilterSheet>
        )}
      </div>
      <div class={isNarrow ? 'search is-full' : 'search'}>
        {!isNarrow && <GemstonePanel counts={counts} />}
        <section
          id="results"
          tabIndex={-1}
          aria-label={t('Search results')}
          aria-busy={reading.loading}
        >
          <ResultsHead total={total} filters={filters} />
          <FilterChips chips={chips} onChange={show} onClear={() => show({})} />
          <ProblemNote problem={reading.problem} onRetry={reading.reload} />
          {!reading.value && !reading.problem && <Loading rows={3} height={160} />}
          {total === 0 && (
            <Empty title={t('No gemstones match your search')}>
              <a class="button" href="/gemstones">
                {t('Show all gemstones')}
              </a>
            </Empty>
          )}
          <ul class="cards">
            {reading.value?.gems.map((gem) => (
              <StoneCard key={gem.sku} gem={gem} />
            ))}
          </ul>
          <Pager total={total ?? 0} limit={LIMIT} offset={offset} />
        </section>
      </div>
    </>
  )
}

function sortIn(params: URLSearchParams) {
  const [name, order] = (params.get('sort') ?? '').split(' ')
  const sort_col = SORTS.find(([each]) => each === name)?.[0] ?? 'retail_price'
  return { sort_col, sort_order: order === 'desc' ? ('desc' as const) : ('asc' as const) }
}

function ResultsHead({ total, filters }: { total: number | undefined; filters: Filters }) {
  const { sort_col, sort_order } = sortIn(useLocation().params)
  const isAscending = sort_order === 'asc'
  const texts = SORTS.find(([name]) => name === sort_col) ?? SORTS[0]
  const sort = (column: string, order: 'asc' | 'desc') =>
    go(withParams({ sort: `${column} ${order}`, offset: undefined }))
  return (
    <div class="results-head">
      <p class="results-count" role="status">
        {total === undefined ? t('Searching …') : plural(total, 'stone')}
      </p>
      <p class="muted small">{texts[isAscending ? 2 : 3]}</p>
      <div class="results-tools">
        <SelectField<string>
          label={t('Sort by')}
          hideLabel
          value={sort_col}
          options={SORTS.map(([name, label]) => [name, label] as const)}
          onChange={(column) => sort(column, sort_order)}
        />
        <button
          type="button"
          class="button is-small"
          onClick={() => sort(sort_col, isAscending ? 'desc' : 'asc')}
        >
          {isAscending ? `↑ ${t('Ascending')}` : `↓ ${t('Descending')}`}
        </button>
        <SaveSearchButton kind="gemstone" filters={filters} />
      </div>
    </div>
  )
}

/** Each filter in words, with the filters that are left without it. */
function chipsOf(filters: Filters) {
  return Object.entries(filters).map(([name, value]) => ({
    label: filterTexts({
      kind: 'gemstone',
      filters: { [name]: value },
      max_retail_price: null,
    }).join(),
    without: Object.fromEntries(Object.entries(filters).filter(([each]) => each !== name)),
  }))
}

const show = (filters: Filters) => go(withParams({ ...NO_FILTERS, ...paramsOf(filters) }))
