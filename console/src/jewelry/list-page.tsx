import { useEffect, useState } from 'preact/hooks'
import { useRead } from '../api/hooks.ts'
import {
  type ProductFilters,
  type ProductSort,
  queryJewelry,
  queryWatches,
  readProductFilters,
} from '../api/jewelry.ts'
import { t } from '../language/language.ts'
import { isCustomerView } from '../lib/customer-view.ts'
import { plural } from '../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { BoundField, SelectField } from '../parts/fields.tsx'
import { Pager } from '../parts/pager.tsx'
import { ProductCard } from './card.tsx'
import { optionText } from './option-text.ts'

const LIMIT = 48
const SORTS = [
  ['updated_on desc', t('Recently updated')],
  ['wholesale_price asc', t('Price, low to high')],
  ['wholesale_price desc', t('Price, high to low')],
  ['title asc', t('Title')],
  ['category asc', t('Category')],
] as const
type Sort = (typeof SORTS)[number][0]

/** The filters that are always in view; the others are behind "More filters". */
const MAIN_FILTERS = {
  jewelry: ['jewelry_type', 'metal', 'stone'],
  watch: ['watch_type', 'movement', 'metal'],
}
/** Bounds of jewelry; a customer does not see what the merchant pays. */
const BOUNDS = isCustomerView
  ? ([['delivery_days_max', t('Delivery in days, up to')]] as const)
  : ([
      ['wholesale_price_min', t('Wholesale from')],
      ['wholesale_price_max', t('Wholesale up to')],
      ['delivery_days_max', t('Delivery in days, up to')],
    ] as const)

/** The catalogue of jewelry, or of watches. */
export function JewelryPage() {
  const { params } = useLocation()
  const kind = params.get('kind') === 'watch' ? 'watch' : 'jewelry'
  const offset = useOffset()
  const sort = SORTS.find(([value]) => value === params.get('sort'))?.[0] ?? 'updated_on desc'
  const [order_by, order] = sort.split(' ') as [ProductSort, 'asc' | 'desc']
  const chosen = chosenOptions(params)
  const page = { q: params.get('q') || undefined, order_by, order, limit: LIMIT, offset }
  const query = {
    ...page,
    ...(Object.keys(chosen).length > 0 && { filter_variant_options: chosen }),
  }
  const reading = useRead(JSON.stringify([kind, query, boundsIn(params)]), (signal) =>
    kind === 'watch'
      ? queryWatches(query, signal)
      : queryJewelry({ ...query, ...boundsIn(params) }, signal),
  )
  return (
    <>
      <div class="page-head">
        <h1>{kind === 'watch' ? t('Watches') : t('Jewelry')}</h1>
        {reading.value && <span class="muted">{plural(reading.value.total, 'product')}</span>}
      </div>
      <nav class="tabs" aria-label={t('Catalogue')}>
        <a href="/jewelry" aria-current={kind === 'jewelry' ? 'page' : undefined}>
          {t('Jewelry')}
        </a>
        <a href="/jewelry?kind=watch" aria-current={kind === 'watch' ? 'page' : undefined}>
          {t('Watches')}
        </a>
      </nav>
      <SearchPanel kind={kind} chosen={chosen} sort={sort} />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading rows={3} height={160} />}
      {reading.value?.total === 0 && (
        <Empty title={t('No products match your search')}>
          <a class="button" href={kind === 'watch' ? '/jewelry?kind=watch' : '/jewelry'}>
            {t('Show all')}
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

function boundsIn(params: URLSearchParams): Record<string, number> {
  const bounds = BOUNDS.map(([name]) => [name, Number(params.get(name))] as const)
  return Object.fromEntries(bounds.filter(([, value]) => value > 0))
}

/** The filters in the address, such as `f.metal=platinum 950`. */
function chosenOptions(params: URLSearchParams): Record<string, string> {
  const chosen: Record<string, string> = {}
  for (const [name, value] of params) if (name.startsWith('f.')) chosen[name.slice(2)] = value
  return chosen
}

function SearchPanel(props: {
  kind: 'jewelry' | 'watch'
  chosen: Record<string, string>
  sort: Sort
}) {
  const { kind, chosen, sort } = props
  const reading = useRead(kind, (signal) => readProductFilters(kind, signal))
  const filters = reading.value?.filters ?? []
  const isMain = ({ key }: ProductFilters['filters'][number]) => MAIN_FILTERS[kind].includes(key)
  const further = filters.filter((filter) => !isMain(filter))
  const choices = (shown: ProductFilters['filters']) =>
    shown.map((filter) => (
      <FilterChoice key={filter.key} filter={filter} chosen={chosen[filter.key] ?? ''} />
    ))
  return (
    <section class="panel form" aria-label={t('Search criteria')} style={{ marginBottom: '16px' }}>
      <SearchField
        placeholder={kind === 'watch' ? t('automatic chronograph') : t('oval sapphire')}
      />
      {choices(filters.filter(isMain))}
      {kind === 'jewelry' &&
        BOUNDS.map(([name, label]) => <BoundField key={name} name={name} label={label} />)}
      <SelectField
        label={t('Sort by')}
        value={sort}
        options={SORTS}
        onChange={(value) => go(withParams({ sort: value, offset: undefined }))}
      />
      {further.length > 0 && (
        <details class="full-width" open={further.some(({ key }) => chosen[key])}>
          <summary>{t('More filters')}</summary>
          <div class="form">{choices(further)}</div>
        </details>
      )}
      <ClearAll kind={kind} />
    </section>
  )
}

/** Shown while anything is chosen. */
function ClearAll({ kind }: { kind: 'jewelry' | 'watch' }) {
  const { params } = useLocation()
  const isUsed = [...params.keys()].some((name) => !['kind', 'sort', 'offset'].includes(name))
  if (!isUsed) return null
  return (
    <a class="button is-quiet" href={kind === 'watch' ? '/jewelry?kind=watch' : '/jewelry'}>
      {t('Clear all filters')}
    </a>
  )
}

function FilterChoice(props: { filter: ProductFilters['filters'][number]; chosen: string }) {
  const { filter, chosen } = props
  return (
    <SelectField<string>
      label={t(filter.label)}
      value={chosen}
      options={[
        ['', t('Any')],
        ...filter.values.map(
          ({ value, count }) => [value, `${optionText(value)} (${count})`] as const,
        ),
      ]}
      onChange={(value) => go(withParams({ [`f.${filter.key}`]: value, offset: undefined }))}
    />
  )
}

function SearchField({ placeholder }: { placeholder: string }) {
  const { params } = useLocation()
  const q = params.get('q') ?? ''
  const [text, setText] = useState(q)
  useEffect(() => setText(q), [q])
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault()
        go(withParams({ q: text.trim(), offset: undefined }))
      }}
    >
      <label class="field">
        <span>{t('Search')}</span>
        <input
          class="input"
          type="search"
          placeholder={placeholder}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
    </form>
  )
}
