import { useState } from 'preact/hooks'
import { useRead } from '../api/hooks.ts'
import {
  type JewelryQuery,
  type ProductFilter,
  queryJewelry,
  queryWatches,
  readProductFilters,
} from '../api/jewelry.ts'
import { plural } from '../lib/format.ts'
import { go, useLocation, withParams } from '../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField } from '../parts/fields.tsx'
import { Pager } from '../parts/pager.tsx'
import { ProductCard } from './card.tsx'

const LIMIT = 48
const SORTS = [
  ['updated_on desc', 'Newest first'],
  ['wholesale_price asc', 'Price, low first'],
  ['wholesale_price desc', 'Price, high first'],
  ['title asc', 'By title'],
  ['category asc', 'By category'],
] as const

const MAIN_FILTERS = ['jewelry_type', 'metal', 'stone']

/** Jewelry and watches: a catalogue with filters. */
export function JewelryPage() {
  const { params } = useLocation()
  const kind = params.get('kind') === 'watch' ? 'watch' : 'jewelry'
  const offset = Number(params.get('offset') ?? 0) || 0
  const filters = useRead(kind, (signal) => readProductFilters(kind, signal))
  const sort = SORTS.find(([value]) => value === params.get('sort'))?.[0] ?? 'updated_on desc'
  const [order_by, order] = sort.split(' ') as [string, 'asc' | 'desc']
  const chosen = chosenOptions(params)
  const page = { q: params.get('q') || undefined, order_by, order, limit: LIMIT, offset }
  const query: JewelryQuery = {
    ...page,
    ...(Object.keys(chosen).length > 0 && { filter_variant_options: chosen }),
  }
  const reading = useRead(JSON.stringify([kind, query]), (signal) =>
    kind === 'watch' ? queryWatches(page, signal) : queryJewelry(query, signal),
  )
  /** The filters that most people use first; the others stand behind a word. */
  const choices = (wanted: readonly string[] | undefined) =>
    filters.value?.filters
      .filter(({ key }) => (wanted ?? MAIN_FILTERS).includes(key) === (wanted !== undefined))
      .map((filter) => (
        <FilterChoice key={filter.key} filter={filter} chosen={chosen[filter.key] ?? ''} />
      ))
  return (
    <>
      <div class="page-head">
        <h1>{kind === 'watch' ? 'Watches' : 'Jewelry'}</h1>
        {reading.value && <span class="muted">{plural(reading.value.total, 'piece')}</span>}
      </div>
      <nav class="tabs" aria-label="Catalogue">
        <a href="/jewelry" aria-current={kind === 'jewelry' ? 'page' : undefined}>
          Jewelry
        </a>
        <a href="/jewelry?kind=watch" aria-current={kind === 'watch' ? 'page' : undefined}>
          Watches
        </a>
      </nav>
      <section class="panel form" aria-label="What you look for" style={{ marginBottom: '16px' }}>
        <WordField />
        {kind === 'jewelry' && choices(MAIN_FILTERS)}
        <SelectField
          label="Sort by"
          value={sort}
          options={SORTS}
          onChange={(value) => go(withParams({ sort: value, offset: undefined }))}
        />
        {kind === 'jewelry' && (
          <details class="full-width">
            <summary>More filters</summary>
            <div class="form">{choices(undefined)}</div>
          </details>
        )}
      </section>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading rows={3} height={160} />}
      {reading.value?.total === 0 && (
        <Empty title="No piece is like this">
          <a class="button" href={kind === 'watch' ? '/jewelry?kind=watch' : '/jewelry'}>
            Show all
          </a>
        </Empty>
      )}
      <ul class="cards">
        {reading.value?.products.map((product) => (
          <ProductCard key={product.id} product={product} />
        ))}
      </ul>
      <Pager total={reading.value?.total ?? 0} limit={LIMIT} offset={offset} />
    </>
  )
}

/** Filters stand in the address as `f.metal=platinum 950`. */
function chosenOptions(params: URLSearchParams): Record<string, string> {
  const chosen: Record<string, string> = {}
  for (const [name, value] of params) if (name.startsWith('f.')) chosen[name.slice(2)] = value
  return chosen
}

function FilterChoice({ filter, chosen }: { filter: ProductFilter; chosen: string }) {
  return (
    <SelectField<string>
      label={filter.label}
      value={chosen}
      options={[
        ['', 'Any'],
        ...filter.values.map(({ value, count }) => [value, `${value} (${count})`] as const),
      ]}
      onChange={(value) => go(withParams({ [`f.${filter.key}`]: value, offset: undefined }))}
    />
  )
}

function WordField() {
  const { params } = useLocation()
  const [text, setText] = useState(params.get('q') ?? '')
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault()
        go(withParams({ q: text.trim(), offset: undefined }))
      }}
    >
      <label class="field">
        <span>Words</span>
        <input
          class="input"
          type="search"
          placeholder="oval sapphire"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
    </form>
  )
}
