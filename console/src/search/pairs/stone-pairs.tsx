import { useMemo, useState } from 'preact/hooks'
import { type Gem, searchDiamonds } from '../../api/gems.ts'
import { useRead } from '../../api/hooks.ts'
import { mayDo, sessionCurrency } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { isCustomerView } from '../../lib/customer-view.ts'
import { count, decimal, money, plural } from '../../lib/format.ts'
import { addToBasket } from '../../orders/basket-store.ts'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { showToast } from '../../parts/toast.tsx'
import { StoneCard } from '../../stones/card.tsx'
import { filtersOf, type SearchQuery } from '../query.ts'
import { matchPairs, type Pair } from './match-pairs.ts'

/** One request has this many stones, among which pairs are sought. */
const COMPARED_MAX = 500
const PAGE_PAIRS = 12

/** Matched pairs among the stones of a search; the price that is asked for is that of a pair. */
export function StonePairs({ query, total }: { query: SearchQuery; total: number }) {
  const { max } = query.ranges.retail_price
  const { retail_price_min: _, ...filters } = filtersOf(query)
  const search = { filters, limit: COMPARED_MAX, offset: 0, sort_col: query.sort } as const
  const reading = useRead(JSON.stringify([search, query.order, max]), (signal) =>
    searchDiamonds({ ...search, sort_order: query.order }, signal),
  )
  const [shown, setShown] = useState(PAGE_PAIRS)
  const pairs = useMemo(
    () => matchPairs(reading.value?.gems ?? [], query.ranges.retail_price),
    [reading.value],
  )
  if (reading.problem) return <ProblemNote problem={reading.problem} onRetry={reading.reload} />
  if (!reading.value) return <Loading rows={3} height={220} />
  if (pairs.length === 0) {
    return (
      <Empty title={t('No two of these stones match')}>
        <p>
          {t('A pair has one shape and origin, and differs by a grade and {size} mm at most.', {
            size: decimal(0.12),
          })}
        </p>
      </Empty>
    )
  }
  return (
    <>
      <p class="muted small pairs-lead">
        {t('{pairs}, the most alike first, a pair’s price within your limits.', {
          pairs: plural(pairs.length, 'pair'),
        })}
        {total > COMPARED_MAX &&
          ` ${t('Among the first {count} stones.', { count: count(COMPARED_MAX) })}`}
      </p>
      <ul class="pairs">
        {pairs.slice(0, shown).map((pair) => (
          <PairPanel key={pair.stones.map(({ sku }) => sku).join()} pair={pair} />
        ))}
      </ul>
      {shown < pairs.length && (
        <button type="button" class="button" onClick={() => setShown(shown + PAGE_PAIRS)}>
          {t('Show more of {count}', { count: count(pairs.length) })}
        </button>
      )}
    </>
  )
}

function PairPanel({ pair }: { pair: Pair<Gem> }) {
  const { stones, price } = pair
  const [one, other] = stones
  const skus = t('{one} and {other}', { one: one.sku, other: other.sku })
  const add = () => {
    for (const { sku } of stones) addToBasket({ sku, quantity: 1 })
    showToast(t('Both stones are in the basket.'))
  }
  return (
    <li class="panel">
      <div class="panel-head">
        <h2>{money(price, sessionCurrency())}</h2>
        <span class="muted small">{differenceText(one, other)}</span>
        <div class="panel-tools">
          <a class="button is-small" href={`/compare?sku=${one.sku},${other.sku}`}>
            {t('Compare')}
            <span class="visually-hidden"> {skus}</span>
          </a>
          <button
            type="button"
            class="button is-small"
            hidden={isCustomerView || !mayDo('orders:write')}
            onClick={add}
          >
            {t('Add both')}
            <span class="visually-hidden"> {skus}</span>
          </button>
        </div>
      </div>
      <ul class="cards">
        {stones.map((gem) => (
          <StoneCard key={gem.sku} gem={gem} />
        ))}
      </ul>
    </li>
  )
}

/** What distinguishes the stones, in words. */
function differenceText(one: Gem, other: Gem): string {
  const sizes = [
    [one.length, other.length],
    [one.width, other.width],
  ].flatMap(([a, b]) => (a === null || b === null ? [] : [Math.abs(a - b)]))
  return [
    apartText(Math.abs(one.weight - other.weight), 'ct', t('same weight')),
    sizes.length > 0 ? apartText(Math.max(...sizes), 'mm', t('same size')) : '',
    one.color === other.color ? t('same color') : t('one color apart'),
    one.clarity === other.clarity ? t('same clarity') : t('one clarity apart'),
  ]
    .filter(Boolean)
    .join(' · ')
}

function apartText(difference: number, unit: string, same: string): string {
  if (difference < 0.005) return same
  return t('{difference} apart', { difference: `${decimal(difference, 2)} ${unit}` })
}
