import { useEffect, useState } from 'preact/hooks'
import { searchGemstones } from '../api/gems.ts'
import { useRead } from '../api/hooks.ts'
import { t } from '../language/language.ts'
import { capitalize, humanize, plural } from '../lib/format.ts'
import { numberIn, numberText } from '../lib/numbers.ts'
import { go, useLocation, useOffset, withParams } from '../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField } from '../parts/fields.tsx'
import { Pager } from '../parts/pager.tsx'
import { StoneCard } from '../stones/card.tsx'
import { gemstoneFilters, SPECIES } from './gemstone-filters.ts'
import { SaveSearchButton } from './saved/save-button.tsx'

const LIMIT = 48
const SORTS = [
  ['retail_price asc', t('Price, low to high')],
  ['retail_price desc', t('Price, high to low')],
  ['weight desc', t('Carat, high to low')],
  ['weight asc', t('Carat, low to high')],
] as const

/** The search for gemstones. */
export function GemstonesPage() {
  const { params } = useLocation()
  const offset = useOffset()
  const sort = SORTS.find(([value]) => value === params.get('sort'))?.[0] ?? 'retail_price asc'
  const [sort_col, sort_order] = sort.split(' ') as [string, 'asc' | 'desc']
  const species = params.get('species')
  const filters = gemstoneFilters(params)
  const search = { filters, limit: LIMIT, offset, sort_col, sort_order }
  const reading = useRead(JSON.stringify(search), (signal) => searchGemstones(search, signal))
  return (
    <>
      <div class="page-head">
        <h1>{t('Gemstones')}</h1>
        {reading.value && <span class="muted">{plural(reading.value.total, 'stone')}</span>}
        <SaveSearchButton kind="gemstone" filters={filters} />
      </div>
      <section
        class="panel form"
        aria-label={t('Search criteria')}
        style={{ marginBottom: '16px' }}
      >
        <SelectField<string>
          label={t('Species')}
          value={species ?? ''}
          options={[
            ['', t('All')],
            ...SPECIES.map((name) => [name, capitalize(humanize(name))] as const),
          ]}
          onChange={(value) => go(withParams({ species: value, offset: undefined }))}
        />
        <BoundField name="weight_min" label={t('Carat from')} />
        <BoundField name="weight_max" label={t('Carat up to')} />
        <BoundField name="retail_price_max" label={t('Price up to')} />
        <SelectField
          label={t('Sort by')}
          value={sort}
          options={SORTS}
          onChange={(value) => go(withParams({ sort: value, offset: undefined }))}
        />
      </section>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading rows={3} height={160} />}
      {reading.value?.total === 0 && (
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
      <Pager total={reading.value?.total ?? 0} limit={LIMIT} offset={offset} />
    </>
  )
}

/** A number that is kept in the address. */
function BoundField({ name, label }: { name: string; label: string }) {
  const { params } = useLocation()
  const value = Number(params.get(name)) || undefined
  const [text, setText] = useState(numberText(value))
  useEffect(() => setText(numberText(value)), [value])
  const typed = text.trim() === '' ? undefined : numberIn(text)
  const isWrong = typed !== undefined && !(typed >= 0)
  const commit = () => {
    if (isWrong) return
    go(withParams({ [name]: typed === undefined ? undefined : String(typed), offset: undefined }))
  }
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        inputMode="decimal"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        aria-invalid={isWrong ? 'true' : undefined}
        onChange={commit}
      />
    </label>
  )
}
