import { CLARITIES, COLORS } from '../../../src/reference/attributes.ts'
import type { Gem } from '../api/gems.ts'
import { type Filters, searchDiamonds } from '../api/gems.ts'
import { useRead } from '../api/hooks.ts'
import { t } from '../language/language.ts'
import { percent } from '../lib/format.ts'
import { StoneCard } from './card.tsx'

const SHOWN_MAX = 6
const CANDIDATES_MAX = 100

/** The most similar stones: same shape and origin, similar weight, color and clarity. */
export function Alternatives({ gem }: { gem: Gem }) {
  const reading = useRead(gem.sku, async (signal) => {
    const search = {
      limit: CANDIDATES_MAX,
      offset: 0,
      sort_col: 'retail_price',
      sort_order: 'asc' as const,
    }
    const { gems } = await searchDiamonds({ ...search, filters: similarTo(gem) }, signal)
    return gems
      .filter(({ sku }) => sku !== gem.sku)
      .sort((a, b) => difference(gem, a) - difference(gem, b))
      .slice(0, SHOWN_MAX)
  })
  if (!reading.value || reading.value.length === 0) return null
  return (
    <section class="stack" aria-labelledby="alternatives" style={{ marginTop: '32px' }}>
      <h2 id="alternatives">{t('Similar stones')}</h2>
      <ul class="cards">
        {reading.value.map((each) => (
          <StoneCard key={each.sku} gem={each} note={priceDifference(gem, each)} />
        ))}
      </ul>
    </section>
  )
}

function similarTo(gem: Gem): Filters {
  const filters: Record<string, Filters[string]> = {
    shape: [gem.shape],
    type: [gem.type],
    weight_min: Math.round(gem.weight * 90) / 100,
    weight_max: Math.round(gem.weight * 110) / 100,
  }
  if (gem.is_fancy) return { ...filters, is_fancy: true, color: [gem.color ?? 'OT'] }
  if (gem.color) filters.color = neighbors(COLORS, gem.color)
  if (gem.clarity) filters.clarity = neighbors(CLARITIES, gem.clarity)
  return filters
}

function neighbors(scale: readonly string[], value: string): string[] {
  const at = scale.indexOf(value)
  return scale.slice(Math.max(0, at - 1), at + 2)
}

/** How different two stones are: a step of color counts as much as four percent of the weight. */
function difference(a: Gem, b: Gem): number {
  const steps = (scale: readonly string[], x: string | null, y: string | null) =>
    Math.abs(scale.indexOf(x ?? '') - scale.indexOf(y ?? ''))
  return (
    (Math.abs(a.weight - b.weight) / a.weight) * 25 +
    steps(COLORS, a.color, b.color) +
    steps(CLARITIES, a.clarity, b.clarity) +
    (Math.abs(a.retail_price - b.retail_price) / a.retail_price) * 4 +
    (a.cut_grade === b.cut_grade ? 0 : 0.5)
  )
}

function priceDifference(gem: Gem, other: Gem): string {
  const change = Math.round((other.retail_price / gem.retail_price - 1) * 100)
  if (change === 0) return t('Same price')
  if (change < 0) return t('{percent} less', { percent: percent(-change) })
  return t('{percent} more', { percent: percent(change) })
}
